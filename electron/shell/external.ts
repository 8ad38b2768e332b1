import { shell } from 'electron';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { mayOpenOutside } from './outside-address.ts';

/** Opens a listed page in the system's browser. Errors: 'not-allowed' for any other address, 'internal' if the system cannot open it. */
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
