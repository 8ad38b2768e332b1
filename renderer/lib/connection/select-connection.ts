import { call } from '../calls/bridge.ts';
import { errorOf } from '../calls/errors.ts';
import { closeFailuresAbout, showFailure } from '../window/failure-notices.ts';

/** For the notice of its failure. */
export const changingConnection = 'Changing the connection';

/** Takes a connection into use. If that fails, a notice says so until it has been done, and it throws. */
export async function selectConnection(connectionId: string): Promise<void> {
  try {
    await call('connections.select', { connectionId });
  } catch (thrown) {
    showFailure(errorOf(thrown), changingConnection);
    throw thrown;
  }
  closeFailuresAbout(changingConnection);
}
