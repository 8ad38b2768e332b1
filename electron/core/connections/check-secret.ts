import { ok, type Result } from '../../../shared/result.ts';
import { badInput } from '../bad-input.ts';

/** Longer than any key of this family of services, short enough for every keychain's limit per entry. */
const longestSecret = 4096;
/** Windows Credential Manager keeps at most 2,560 bytes in UTF-16, so 1,280 characters (CRED_MAX_CREDENTIAL_BLOB_SIZE). */
export const longestSecretOnWindows = 1280;
const longestLabel = 60;

const controlCharacter = /\p{Cc}/u;

/** The value without surrounding blanks, or `bad-input`; the error never repeats the value. */
export function checkSecretValue(value: string): Result<string> {
  const trimmed = value.trim();
  const longest = process.platform === 'win32' ? longestSecretOnWindows : longestSecret;
  if (trimmed === '') return badInput('value', 'The key or credential is empty.');
  if (trimmed.length > longest) return badInput('value', `The key or credential is longer than ${longest} characters.`);
  if (controlCharacter.test(trimmed)) {
    return badInput('value', 'The key or credential contains a line break or another control character.');
  }
  return ok(trimmed);
}

/** A name people can read in the keychain's own program: one line, at most 60 characters, no surrounding blanks; else `bad-input`. */
export function checkLabel(label: string): Result<string> {
  const trimmed = label.trim();
  if (trimmed === '') return badInput('label', 'The key needs a label, so that it can be told from others.');
  if (trimmed.length > longestLabel) return badInput('label', `The label is longer than ${longestLabel} characters.`);
  if (controlCharacter.test(trimmed))
    return badInput('label', 'The label contains a line break or a control character.');
  return ok(trimmed);
}
