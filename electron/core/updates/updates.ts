import type { UpdateMode, UpdateState } from '../../../shared/contract/updates.ts';
import type { AppError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../ports.ts';
import type { UpdatePlan } from './plan-updates.ts';
import type { HandedOver, Seen, UpdateEngine } from './update-engine.ts';
import { updateError } from './update-error.ts';

const hour = 60 * 60_000;
const lookEvery = 24 * hour;

export interface UpdatesParts {
  version: string;
  clock: Clock;
  /** The current plan; asked each time, since the user may choose. */
  plan(): UpdatePlan;
  loadEngine(address: string): Promise<UpdateEngine>;
  /** macOS: its own updater installs what it has received once the program is closed, and nothing takes that back. */
  systemInstalls(): boolean;
  /** The version whose notice was dismissed. */
  putAway: { read(): string | null; write(version: string): Result<void> };
  /** Something is under way that a restart would interrupt. */
  isBusy(): boolean;
  /** Ends the program in the ordinary way. */
  quit(): void;
  onChange(state: UpdateState): void;
}

export type Updates = ReturnType<typeof createUpdates>;

/**
 * Looks for newer versions as the plan allows. Everything that goes wrong goes into the state: nobody is interrupted by it, and `look`
 * never rejects.
 */
export function createUpdates(parts: UpdatesParts) {
  const { clock, plan } = parts;
  let engine: { address: string; made: Promise<UpdateEngine> } | null = null;
  let seen: Seen | null = null;
  let stage: UpdateState['stage'] = 'resting';
  let percent: number | null = null;
  let lastLooked: number | null = null;
  let error: AppError | null = null;
  let looking: Promise<void> | null = null;
  let restart = false;
  let closed = false;
  let ready: UpdateEngine | null = null;
  /** The version that the system’s own updater has received last; null: none. */
  let received: string | null = null;
  let timer: NodeJS.Timeout | undefined;

  function state(): UpdateState {
    const { mode, why, chosen, most, address, addressLocked, installs } = plan();
    const latest = mode === 'off' ? null : seen;
    const version = latest?.feed.version ?? null;
    // An automatic download is mentioned when there is something to do about it.
    const worthSaying = latest?.is === 'newer' && (mode === 'notify' || stage === 'ready');
    return {
      mode,
      why:
        received === null || ready !== null
          ? why
          : `${why} But macOS already has version ${received} and installs it when the program is closed.`,
      chosen,
      most,
      address,
      addressLocked,
      installs,
      currentVersion: parts.version,
      latest: latest && { ...latest.feed, is: latest.is },
      stage,
      percent,
      lastLooked: lastLooked === null ? null : new Date(lastLooked).toISOString(),
      error,
      notice: worthSaying && parts.putAway.read() !== version ? version : null,
    };
  }
  const notify = () => {
    if (!closed) parts.onChange(state());
  };

  const closeEngine = () =>
    void engine?.made.then(
      (made) => made.close(),
      () => undefined,
    );

  /** Forgets what another address, or another choice, was about. */
  function forget(): void {
    closeEngine();
    engine = null;
    ready = null;
    seen = null;
    error = null;
    percent = null;
    lastLooked = null;
    stage = 'resting';
  }

  async function fetchNewer(made: UpdateEngine, version: string, current: () => boolean): Promise<void> {
    stage = 'downloading';
    percent = null;
    notify();
    const got = await made.download((now) => {
      if (!current()) return;
      percent = now;
      notify();
    });
    if (got.ok && parts.systemInstalls()) received = version;
    if (!current()) {
      notify();
      return;
    }
    percent = null;
    stage = got.ok ? 'ready' : 'resting';
    ready = got.ok ? made : null;
    error = got.ok ? null : got.error;
    notify();
  }

  async function lookNow(): Promise<void> {
    const { mode, address } = plan();
    if (mode === 'off' || stage === 'downloading') return;
    if (engine?.address !== address) {
      forget();
      engine = { address, made: parts.loadEngine(address) };
    }
    const own = engine;
    const current = () => own === engine && !closed;
    stage = 'looking';
    error = null;
    notify();
    const made = await own.made;
    const looked = await made.look();
    if (!current()) return;
    lastLooked = clock.now();
    if (looked.ok) {
      // A download that has been replaced or withdrawn since is not installed, unless macOS already has it.
      if (looked.value.is !== 'newer' || looked.value.feed.version !== seen?.feed.version) ready = null;
      seen = looked.value;
    } else error = looked.error;
    stage = ready === null ? 'resting' : 'ready';
    if (looked.ok && looked.value.is === 'newer' && mode === 'automatic' && ready === null)
      void fetchNewer(made, looked.value.feed.version, current);
    else notify();
  }

  /** One look at a time; requests in the meantime wait for the same one. */
  function look(): Promise<void> {
    looking ??= lookNow()
      .catch((problem: unknown) => {
        engine = null;
        stage = 'resting';
        error = updateError(
          'internal',
          'Checking for newer versions failed because of a fault in the program.',
          'Copy the details and report them.',
          problem instanceof Error ? problem.message : undefined,
        );
        notify();
      })
      .finally(() => {
        looking = null;
      });
    return looking;
  }

  return {
    state,
    look,
    /** Looks now, and then once a day while the program is open; a computer that slept looks within the hour. */
    start(): void {
      void look();
      timer = setInterval(() => {
        if (lastLooked === null || clock.now() - lastLooked >= lookEvery) void look();
      }, hour);
      timer.unref();
    },
    /** After the plan has changed: what was about the old one is dropped, and the new address is checked. */
    replan(before: { mode: UpdateMode; address: string }): void {
      const { mode, address } = plan();
      if (mode === before.mode && address === before.address) return;
      forget();
      notify();
      if (mode !== 'off') void (looking ?? Promise.resolve()).then(look);
    },
    putAway(version: string): Result<void> {
      const written = parts.putAway.write(version);
      notify();
      return written;
    },
    /** Ends the program to install what is ready, unless something is under way. */
    install(): Result<void> {
      if (ready === null || stage !== 'ready')
        return fail(updateError('bad-input', 'No newer version is ready to be installed.', 'Look for one first.'));
      if (parts.isBusy())
        return fail(
          updateError(
            'unfinished-change',
            'A call, a batch, a licence change or a command is under way, so the program was not restarted.',
            'Wait until it has ended, then try again.',
          ),
        );
      restart = true;
      parts.quit();
      return ok(undefined);
    },
    /**
     * Stops looking. Returns what is left to do when the rest of the program has ended: starting the installer, with whether somebody has
     * started the program again meanwhile. null: nothing.
     */
    close(): ((startedAgain: boolean) => HandedOver) | null {
      const { mode } = plan();
      closed = true;
      clearInterval(timer);
      closeEngine();
      const installer = mode === 'automatic' && stage === 'ready' ? ready : null;
      return installer && ((startedAgain) => installer.install(restart, startedAgain));
    },
  };
}
