import type { CredentialSlot } from '../../../../shared/catalogue/types.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { CallProfile } from '../../connections/profile.ts';
import type { RequestField } from '../operation.ts';

/** The provider tells callers to leave MachineID blank unless the licence is bound to a machine (field notes, "Values"). */
export const mayBeBlank: ReadonlySet<CredentialSlot> = new Set(['machineId', 'ipAddress', 'yourReference']);

/** REST keys have no place in SOAP (promise 13), so `apiKey` has no value here: the caller passes it as a field or not at all. */
function valueOfSlot(slot: CredentialSlot, { connection, secrets }: CallProfile): string | undefined {
  switch (slot) {
    case 'accountName':
      return connection.accountName;
    case 'machineId':
      return connection.machineId;
    case 'ipAddress':
      return connection.ipAddress;
    case 'yourReference':
      return connection.yourReference;
    case 'apiKey':
      return undefined;
    default:
      return secrets[slot];
  }
}

/**
 * The connection's value for each credential field that the caller did not fill. Optional ones that are not set are blank. Errors:
 * 'no-credential' naming the field.
 */
export function fillCredentials(
  fields: readonly RequestField[],
  given: ReadonlySet<string>,
  profile: CallProfile,
): Result<Map<string, string>, AppError> {
  const filled = new Map<string, string>();
  for (const field of fields) {
    if (!field.credential || given.has(field.name)) continue;
    const value = valueOfSlot(field.credential, profile) ?? '';
    if (value === '' && !mayBeBlank.has(field.credential)) {
      // "account GUID": an abbreviation stays as it is.
      const label = field.label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
      return fail(
        appError('no-credential', { message: `The connection has no ${label} for this call.`, field: field.name }),
      );
    }
    filled.set(field.name, value);
  }
  return ok(filled);
}
