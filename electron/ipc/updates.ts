import type { updateChannels } from '../../shared/contract/updates.ts';
import { ok } from '../../shared/result.ts';
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
    'updates.put-away': ({ version }) => {
      const written = updates.putAway(version);
      return written.ok ? ok(updates.state()) : written;
    },
    'updates.install': () => {
      const begun = updates.install();
      return begun.ok ? ok({}) : begun;
    },
  };
}
