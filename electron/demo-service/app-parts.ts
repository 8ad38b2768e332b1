import type { DemoContext } from './context.ts';
import type { DemoCredentials } from './demo-credentials.ts';
import type { FaultSwitch } from './faults.ts';
import type { Meter } from './meter.ts';

/** What the routes need. */
export interface AppParts {
  readonly context: DemoContext;
  readonly meter: Meter;
  readonly faults: FaultSwitch;
  readonly demo: DemoCredentials;
}
