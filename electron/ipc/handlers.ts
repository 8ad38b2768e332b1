import type { Result } from '../../shared/result.ts';
import type { Console } from '../core/console.ts';
import { aboutHandlers } from './about.ts';
import { activityHandlers } from './activity.ts';
import { appHandlers } from './app.ts';
import { connectionHandlers } from './connections.ts';
import { creditHandlers } from './credits.ts';
import type { Handlers } from './dispatcher.ts';
import { licenceHandlers } from './licences.ts';
import { lookupHandlers } from './lookup.ts';
import { networkHandlers } from './network.ts';
import { operationHandlers } from './operations.ts';
import { updateHandlers } from './updates.ts';

/** What only the shell can do, told to the channels that need it. */
export interface Shell {
  version: string;
  host: 'electron' | 'development host';
  copyText(text: string): void;
  /** Asks a person where to save a file; null: nowhere. */
  chooseSaveFile(wish: { title: string; name: string; extension: string }): Promise<string | null>;
  /** Asks a person for a text file and reads it; null: none was chosen. */
  openTextFile(wish: { title: string; extensions: string[] }): Promise<Result<{ name: string; text: string } | null>>;
  /** Opens a listed https page in the system's browser. */
  openOutside(address: string): Promise<Result<void>>;
  /** The list of licences that the build wrote (build/licences.ts); undefined: run from source. */
  licencesFile?: string;
  setColourScheme(scheme: 'auto' | 'light' | 'dark'): void;
}

/** Every channel of the contract. A missing one does not compile. */
export function createHandlers(core: Console, shell: Shell): Handlers {
  return {
    ...appHandlers(core, shell),
    ...connectionHandlers(core),
    ...lookupHandlers(core, shell),
    ...operationHandlers(core, shell),
    ...creditHandlers(core, shell),
    ...licenceHandlers(core, shell),
    ...activityHandlers(core),
    ...networkHandlers(core, shell),
    ...updateHandlers(core),
    ...aboutHandlers(shell),
  };
}
