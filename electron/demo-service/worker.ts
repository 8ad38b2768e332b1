import { parentPort, workerData } from 'node:worker_threads';
import type { DemoOptions } from './options.ts';
import { type RunningDemo, startDemoService } from './service.ts';

/** What the worker posts to its parent: once it is ready or cannot start, and once it has stopped. */
export type WorkerMessage =
  | ({ readonly type: 'ready' } & Pick<
      RunningDemo,
      'restBaseUrl' | 'soapUrl' | 'soapNamespace' | 'utilitiesNamespace' | 'demo'
    >)
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'stopped' };

/** Runs the demo service in a worker thread. `workerData` has the options; a message `{type: 'stop'}` ends it. */
async function serve(): Promise<void> {
  const notify = (message: WorkerMessage): void => parentPort?.postMessage(message);
  try {
    const { stop, ...running } = await startDemoService(workerData as DemoOptions);
    const { restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, demo } = running;
    parentPort?.on('message', (message: { type?: unknown }) => {
      if (message?.type !== 'stop') return;
      void stop().then(() => {
        notify({ type: 'stopped' });
        parentPort?.close();
      });
    });
    notify({ type: 'ready', restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, demo });
  } catch (error) {
    notify({ type: 'failed', message: error instanceof Error ? error.message : 'The demo service did not start.' });
    parentPort?.close();
  }
}

await serve();
