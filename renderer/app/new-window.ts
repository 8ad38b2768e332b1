import { call } from '../lib/calls/bridge.ts';
import { errorOf } from '../lib/calls/errors.ts';
import { tell } from '../lib/window/tell.ts';

/** Opens another window of the program. It begins on Lookup with the connection of this one. */
export function openNewWindow(): void {
  call('app.new-window', {}).then(
    ({ opened }) => {
      if (!opened)
        tell({ message: 'No further window was opened: eight were open.', next: 'Try again once one is closed.' });
    },
    (thrown: unknown) => tell(errorOf(thrown)),
  );
}
