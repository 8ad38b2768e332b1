import type { Account } from './account/account.ts';
import type { Clock } from './account/clock.ts';
import type { Gazetteer } from './gazetteer/gazetteer.ts';
import type { DemoSettings } from './options.ts';

/** The data that every part of the service works on. */
export interface DemoContext {
  readonly account: Account;
  readonly clock: Clock;
  readonly gazetteer: Gazetteer;
  /** Read at each request, so that a test may change a guess between two requests. */
  readonly settings: DemoSettings;
}
