import { call } from '../lib/calls/bridge.ts';
import { errorOf } from '../lib/calls/errors.ts';
import { tell } from '../lib/window/tell.ts';

/** Opens another window of the program. It begins on Lookup with the connection of this one. */
export function openNewWindow(): void {
  call('app.new-window', {}).then(
    ({ opened }) => {
      if (!opened) tell({ message: 'No further window: eight are open.', next: 'Close one first.' });
    },
    (thrown: unknown) => tell(errorOf(thrown)),
  );
}
