import { isSecretField, maskSecret } from '../../../../shared/secret-fields.ts';
import { createRedactor, type Redactor } from '../../transport/redact/redact.ts';

/** Shorter known values are masked by field name only: within data they would hit parts of identifiers. */
const shortestInData = 8;

/**
 * A copy of decoded data in which values of secret fields (a License record's GUID) and known secret values are masked:
 * what leaves the client is safe to show, whoever shows it (promises 11, 12).
 */
export function maskValue<T>(value: T, secrets: readonly string[]): T {
  return maskUnder('', value, createRedactor(secrets.filter((secret) => secret.length >= shortestInData))) as T;
}

function maskText(name: string, value: string, redactor: Redactor): string {
  if (value.trim() === '') return value;
  if (isSecretField(name)) return maskSecret(value);
  // A licence's number is what RegisterLicense takes and no secret (shared/secret-fields.ts), even if C2 is given it.
  if (name === 'LicenseID' && /^\d+$/.test(value)) return value;
  return redactor.text(value, 'answer');
}

function maskUnder(name: string, value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return maskText(name, value, redactor);
  if (Array.isArray(value)) return value.map((member) => maskUnder(name, member, redactor));
  if (typeof value !== 'object' || value === null) return value;
  // An unknown element has its name at the end of `path`.
  const inPath = 'path' in value && typeof value.path === 'string' ? value.path.split('.').at(-1) : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      maskUnder(key === 'value' ? (inPath ?? key) : key, member, redactor),
    ]),
  );
}
