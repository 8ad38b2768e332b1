import type { Arrival } from '../../shared/contract/app.ts';
import type { Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { aboutHandlers } from './about.ts';
import { activityHandlers } from './activity.ts';
import { appHandlers } from './app.ts';
import { askFirst } from './ask-first.ts';
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
  /** Resolves once the clipboard has it; rejects where the system refuses. */
  copyText(text: string): Promise<void>;
  /** Asks a person where to save a file; null: nowhere. */
  chooseSaveFile(wish: { title: string; name: string; extension: string }): Promise<string | null>;
  /** Asks a person for a text file and reads it; null: none was chosen. */
  /** Asks a person for a file; null: they chose none. Its path stays in main. */
  chooseFile(wish: { title: string; extensions: string[] }): Promise<string | null>;
  openTextFile(wish: { title: string; extensions: string[] }): Promise<Result<{ name: string; text: string } | null>>;
  /** Opens a listed https page in the system's browser. */
  openOutside(address: string): Promise<Result<void>>;
  /** The list of licences that the build wrote (build/licences.ts); undefined: run from source. */
  licencesFile?: string;
  /** What has arrived from outside of the window since it was last asked. */
  takeArrivals(): Arrival[];
  setColourScheme(scheme: 'auto' | 'light' | 'dark'): void;
}

/** Every channel of the contract. A missing one does not compile. */
export function createHandlers(core: AppCore, shell: Shell): Handlers {
  const handlers: Handlers = {
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
  return askFirst(handlers, (texts) => core.secrets.findTyped(texts));
}
