import { call } from '../lib/calls/bridge.ts';
import { announce } from '../lib/window/announce.ts';

/** Opens another window of the program. It begins on Lookup with the connection of this one. */
export function openNewWindow(): void {
  call('app.new-window', {}).then(
    ({ opened }) => {
      if (!opened) announce('No further window: eight are open. Close one first.', true);
    },
    (error: unknown) => announce(error instanceof Error ? error.message : String(error), true),
  );
}
