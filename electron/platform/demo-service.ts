import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { DemoLauncher, DemoReady } from '../ports.ts';

/** What the worker posts when its service answers. */
const readySchema: z.ZodType<DemoReady> = z.object({
  type: z.literal('ready'),
  restBaseUrl: z.string(),
  soapUrl: z.string(),
  soapNamespace: z.string(),
  utilitiesNamespace: z.string(),
  demo: z.object({
    lookupKey: z.string(),
    masterKey: z.string(),
    accountName: z.string(),
    guid: z.string(),
    licenceId: z.string(),
    licenceKey: z.string(),
    yourReference: z.string(),
    webMapKey: z.string(),
    sample: z.object({ postcode: z.string(), words: z.string() }),
  }),
});

export interface DemoLauncherOptions {
  /** The worker's entry. The demo service is known here only as a program that answers over HTTP. */
  worker: string;
  folder: string;
  /** Fewer premises for tests. */
  premises?: number | undefined;
}

const startLimitMs = 60_000;

/**
 * Runs the embedded demo service in a worker thread, on loopback and a free port. Its credits and bindings outlive the program. Error of
 * `start`: `demo-failed`, also if it has not answered within a minute; the next start tries again.
 */
export function createDemoLauncher({ worker: entry, folder, premises }: DemoLauncherOptions): DemoLauncher {
  let ready: DemoReady | null = null;
  let starting: Promise<Result<DemoReady>> | null = null;
  let worker: Worker | null = null;

  function launch(): Promise<Result<DemoReady>> {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause);
      return Promise.resolve(
        fail(appError('demo-failed', { next: 'Check free disk space and the folder’s permissions.', detail })),
      );
    }
    const started = new Worker(entry, {
      workerData: {
        cache: join(folder, 'premises.sqlite'),
        state: join(folder, 'state.json'),
        ...(premises === undefined ? {} : { premises }),
      },
    });
    worker = started;
    return new Promise((done) => {
      /** Why it is being ended; null: it is not. */
      let ending: string | null = null;
      const end = (detail: string) => {
        ending ??= detail;
        void started.terminate();
      };
      const limit = setTimeout(() => end('It did not answer in time.'), startLimitMs);
      started.on('message', (message: unknown) => {
        if (ending !== null) return;
        const parsed = readySchema.safeParse(message);
        if (parsed.success) {
          clearTimeout(limit);
          ready = parsed.data;
          done(ok(parsed.data));
        } else if ((message as { type?: unknown }).type === 'failed')
          end(String((message as { message?: unknown }).message));
      });
      started.on('error', (error) => end(error.message));
      // A start fails once its thread has ended, so that the next never runs beside it.
      started.on('exit', () => {
        clearTimeout(limit);
        ready = null;
        starting = null;
        worker = null;
        done(fail(appError('demo-failed', { charge: 'not-applicable', detail: ending ?? 'It ended.' })));
      });
    });
  }

  return {
    start: () => {
      starting ??= launch().then((result) => {
        if (!result.ok) starting = null;
        return result;
      });
      return starting;
    },
    running: () => ready,
    async stop() {
      const running = worker;
      worker = null;
      if (!running) return;
      const ended = new Promise<void>((done) => running.once('exit', () => done()));
      running.postMessage({ type: 'stop' });
      const limit = setTimeout(() => void running.terminate(), 3000);
      await ended;
      clearTimeout(limit);
    },
  };
}
