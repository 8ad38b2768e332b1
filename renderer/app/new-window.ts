import { call } from '../lib/calls/bridge.ts';
import { errorOf } from '../lib/calls/errors.ts';
import { showFailure } from '../lib/window/failure-notices.ts';

/** Opens another window of the program. It begins on Lookup with the connection of this one. */
export function openNewWindow(): void {
  call('app.new-window', {}).then(
    ({ opened }) => {
      if (!opened)
        showFailure({
          message: 'No further window was opened: eight were open.',
          next: 'Try again once one is closed.',
        });
    },
    (thrown: unknown) => showFailure(errorOf(thrown)),
  );
}
