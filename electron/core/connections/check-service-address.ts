import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isSecretField } from '../../../shared/secret-fields.ts';
import { parseSafeAddress } from '../transport/connect/origin.ts';

/** Names under which people would put a secret into settings or an address, besides those it is sent under. */
export const secretName = /guid|secret|password|licen[cs]e ?_?-?(id|key)|(api|lookup|master|map) ?_?-?key/i;

/** What in an address is a secret by its name: a user name, a password, a parameter; undefined: nothing. */
export function findSecretInAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { username, password, searchParams } = new URL(text);
  if (username !== '' || password !== '') return 'user name';
  return [...searchParams.keys()].find((name) => isSecretField(name) || secretName.test(name));
}

/**
 * An address as it may be saved: empty, or one that a call would accept, without a secret in it. Errors: 'bad-input', 'wrong-origin',
 * 'insecure-address'; the text is not repeated.
 */
export function checkServiceAddress(text: string): Result<void> {
  const address = text.trim();
  if (address === '') return ok(undefined);
  const secret = findSecretInAddress(address);
  if (secret !== undefined)
    return fail(
      appError('bad-input', {
        message: `The address contains a secret (${secret}), and addresses are kept where everyone on this computer’s account can read them.`,
        next: 'Take it out of the address and enter it among the credentials.',
      }),
    );
  if (address.includes('#'))
    return fail(
      appError('bad-input', {
        message: 'The address of a service ends before its #: what follows one is sent to no server.',
        next: 'Take the # and what follows it out of the address.',
      }),
    );
  const parsed = parseSafeAddress(address);
  return parsed.ok ? ok(undefined) : parsed;
}
