import { hash } from 'node:crypto';

const digest = (seed: number, label: string): string => hash('sha256', `address-demo:${seed}:${label}`);

/** 32 hexadecimal digits, as API keys of this kind of service have. The same seed and label always give the same key. */
export function deriveApiKey(seed: number, label: string): string {
  return digest(seed, `key:${label}`).slice(0, 32);
}

/** A version 4 GUID in lower case. */
export function deriveGuid(seed: number, label: string): string {
  const hex = digest(seed, `guid:${label}`);
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A number of five digits, the first of which is not 0. */
export function deriveNumber(seed: number, label: string): string {
  const least = 10_000;
  return String(least + (Number.parseInt(digest(seed, `number:${label}`).slice(0, 12), 16) % (9 * least)));
}
