import type { AppCore } from '../core/app-core.ts';
import { aboutHandlers } from './about.ts';
import { activityHandlers } from './activity.ts';
import { appHandlers } from './app.ts';
import { batchHandlers } from './batch.ts';
import { connectionHandlers } from './connections.ts';
import { creditHandlers } from './credits.ts';
import type { Handlers } from './dispatcher.ts';
import { licenceHandlers } from './licences.ts';
import { lookupHandlers } from './lookup.ts';
import { networkHandlers } from './network.ts';
import { operationHandlers } from './operations.ts';
import { setupHandlers } from './setup.ts';
import type { Shell } from './shell.ts';
import { storedHandlers } from './stored.ts';
import { supportHandlers } from './support.ts';
import { updateHandlers } from './updates.ts';

/** Every channel of the contract. A missing one does not compile. */
export function createHandlers(core: AppCore, shell: Shell): Handlers {
  return {
    ...appHandlers(core, shell),
    ...connectionHandlers(core, shell),
    ...lookupHandlers(core, shell),
    ...operationHandlers(core, shell),
    ...creditHandlers(core, shell),
    ...licenceHandlers(core, shell),
    ...activityHandlers(core, shell),
    ...networkHandlers(core, shell),
    ...updateHandlers(core),
    ...aboutHandlers(shell),
    ...batchHandlers(core, shell),
    ...setupHandlers(core, shell),
    ...supportHandlers(core, shell),
    ...storedHandlers(core),
  };
}
