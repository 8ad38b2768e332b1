import { isKnownFree } from '../../../shared/catalogue/price.ts';
import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { Result } from '../../../shared/result.ts';
import { type Clock, elapsedOf } from '../../ports.ts';

/** The call behind it. Made automatically only while its published price is 0. */
const polled = 'GetCredits';
/** At most this often while nothing else happens. */
const idleMs = 60_000;
const slowestMs = 60 * 60_000;
/** A service that asks to slow down, or refuses, is left alone for this long at first. */
const refusedMs = 5 * 60_000;

const refusals: ReadonlySet<AppError['code']> = new Set<AppError['code']>([
  'rate-limited',
  'credentials-refused',
  'not-permitted',
  'no-credential',
  'not-configured',
  'keychain-locked',
  'keychain-absent',
  'keychain-unreadable',
]);

/** How long to wait after that many failures in a row. Pure: a minute (five after a refusal), doubled each time, an hour at most. */
function waitAfter(failures: number, error: AppError | null): number {
  if (failures === 0) return idleMs;
  const first = error !== null && refusals.has(error.code) ? refusedMs : idleMs * 2;
  return Math.min(slowestMs, first * 2 ** (failures - 1));
}

export interface PollerParts {
  clock: Clock;
  /** The connection in use; null: none. */
  selected(): string | null;
  /** Whether a window is on the screen; otherwise nothing is read. */
  isShown(): boolean;
  isQuiet(connectionId: string): boolean;
  /** Time of the newest reading, ISO 8601; null: never read, and the first reading is not the poller's to make. */
  lastReadAt(connectionId: string): string | null;
  read(connectionId: string): Promise<Result<BalanceSample>>;
}

/** Reads the balance of the connection in use from time to time. `tick` decides whether one is due; the owner of the timer calls it. */
export function createPoller(parts: PollerParts) {
  const { clock } = parts;
  /** `readAt`: of the newest reading then. `triedAt` and `triedOn`: the last try, by the running clock and the one that can be set. */
  interface State {
    failures: number;
    error: AppError | null;
    readAt: string;
    triedAt: number;
    triedOn: number;
  }
  const states = new Map<string, State>();
  let asking = false;

  /** Reads if it is time to. True: it asked. */
  async function tick(): Promise<boolean> {
    const connectionId = parts.selected();
    if (asking || connectionId === null || !parts.isShown() || !isKnownFree(polled) || !parts.isQuiet(connectionId))
      return false;
    const readAt = parts.lastReadAt(connectionId);
    if (readAt === null) return false;
    const now = { triedAt: elapsedOf(clock), triedOn: clock.now() };
    let state = states.get(connectionId);
    if (state?.readAt !== readAt) {
      // What somebody else or an earlier run has read is dated by the clock that can be set.
      const ago = Math.max(0, now.triedOn - Date.parse(readAt));
      const { failures = 0, error = null } = state ?? {};
      state = { failures, error, readAt, triedAt: now.triedAt - ago, triedOn: now.triedOn - ago };
      states.set(connectionId, state);
    }
    // The running clock stands still in sleep, the other one can be set back.
    const since = Math.max(now.triedAt - state.triedAt, now.triedOn - state.triedOn);
    if (since < waitAfter(state.failures, state.error)) return false;
    asking = true;
    try {
      const sample = await parts.read(connectionId);
      states.set(connectionId, {
        failures: sample.ok ? 0 : state.failures + 1,
        error: sample.ok ? null : sample.error,
        readAt: parts.lastReadAt(connectionId) ?? readAt,
        triedAt: elapsedOf(clock),
        triedOn: clock.now(),
      });
      return true;
    } finally {
      asking = false;
    }
  }

  return { tick };
}
