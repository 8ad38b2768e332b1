import { shell } from 'electron';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

/** Hosts whose pages may be opened in the system's browser. Exact names: no subdomain of them is meant (safety.md 20). */
const listedHosts: ReadonlySet<string> = new Set(['www.openstreetmap.org']);

/** Whether an address may be given to the system's browser: https, a listed host, no user, no other port. */
export function mayOpenOutside(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  return protocol === 'https:' && listedHosts.has(host) && username === '' && password === '';
}

/** Opens a listed page in the system's browser. Errors: 'not-allowed' for any other address, 'internal' where the system cannot. */
export async function openOutside(address: string): Promise<Result<void>> {
  if (!mayOpenOutside(address))
    return fail(appError('not-allowed', { message: 'This address is not on the list of pages that may be opened.' }));
  try {
    await shell.openExternal(address);
    return ok(undefined);
  } catch (error) {
    return fail(
      appError('internal', {
        message: 'The system did not open its browser.',
        next: 'Open the page by hand.',
        charge: 'not-applicable',
        detail: String(error),
      }),
    );
  }
}
