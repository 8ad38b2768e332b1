import { call } from '../calls/bridge.ts';
import { errorOf } from '../calls/errors.ts';
import { showFailure } from '../window/failure-notices.ts';

/** Asks a change to stop after its current step; a write under way is still read back. False: it could not be asked, as a notice says. */
export async function stopAfterStep(changeId: string): Promise<boolean> {
  try {
    await call('licences.stop-after-step', { changeId });
    return true;
  } catch (thrown) {
    showFailure(errorOf(thrown), 'Stopping the change');
    return false;
  }
}
