import type { updateChannels } from '../../shared/contract/updates.ts';
import { mapResult, ok } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import type { HandlersOf } from './dispatcher.ts';

export function updateHandlers({ updates }: AppCore): HandlersOf<typeof updateChannels> {
  return {
    'updates.state': () => ok(updates.state()),
    'updates.choose': (request) => updates.choose(request),
    'updates.look': async () => {
      await updates.look();
      return ok(updates.state());
    },
    'updates.put-away': ({ version }) => mapResult(updates.putAway(version), () => updates.state()),
    'updates.install': () => mapResult(updates.install(), () => ({})),
  };
}
