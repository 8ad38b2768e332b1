import { join, resolve } from 'node:path';
import type { CoreOptions } from '../../electron/core/app-core/options.ts';
import { type AppCore, createCore } from '../../electron/core/app-core.ts';
import { withoutPolicy } from '../../electron/core/policy/read-policy.ts';
import { createWindowStates } from '../../electron/core/settings/window-states.ts';
import { createDispatcher } from '../../electron/ipc/dispatcher.ts';
import { createHandlers } from '../../electron/ipc/handlers.ts';
import type { Shell } from '../../electron/ipc/shell.ts';
import { systemClock } from '../../electron/platform/clock.ts';
import { createDemoLauncher } from '../../electron/platform/demo-service.ts';
import { createMemoryVault } from '../../electron/platform/memory-vault.ts';
import { elapsedOf } from '../../electron/ports.ts';
import type { ChannelInput, ChannelName, ChannelOutput } from '../../shared/contract.ts';
import type { Result } from '../../shared/result.ts';
import { putReadyDatabase } from './ready-database.ts';

const electron = resolve(import.meta.dirname, '..', '..', 'electron');

let jumped = 0;

/**
 * Starts the core from source as main does, with the test's data folder; `overrides` replaces the parts that the test is about.
 * With `firstStart` the core creates its database itself, otherwise an empty one is put there (ready-database.ts).
 */
export function startCore({
  firstStart = false,
  ...overrides
}: { folder: string; firstStart?: boolean } & Partial<CoreOptions>) {
  if (!firstStart) putReadyDatabase(overrides.folder, (overrides.clock ?? systemClock).now());
  return createCore({
    policy: withoutPolicy,
    emit: () => {},
    logger: { error: () => {} },
    proxyFor: async () => null,
    machineName: 'DESK-1',
    userName: 'kim',
    clock: systemClock,
    // A test must not use the keychain of the person who runs it.
    keychain: { keychain: createMemoryVault(), missing: null },
    demo: createDemoLauncher({
      worker: join(electron, 'demo-service', 'worker.ts'),
      folder: join(overrides.folder, 'demo'),
    }),
    decodeWorker: join(electron, 'core', 'decode', 'decode-worker.ts'),
    workbookWorker: join(electron, 'core', 'batch', 'table', 'workbook-worker.ts'),
    tableWorker: join(electron, 'core', 'batch', 'survey', 'table-worker.ts'),
    sizesWorker: join(electron, 'core', 'upkeep', 'sizes-worker.ts'),
    // Waits end at once.
    pauses: {
      uptime: () => elapsedOf(systemClock) + jumped,
      wait: async (ms) => {
        jumped += ms;
      },
    },
    ...overrides,
  });
}

/** Calls the core as the window does, by messages. */
export interface Channels {
  call<C extends ChannelName>(
    channel: C,
    input: ChannelInput<C>,
    requestId?: string,
  ): Promise<Result<ChannelOutput<C>>>;
  cancel(requestId: string): void;
  cancelAll(): void;
}

/** The handlers and the dispatcher of a core. The shell answers as a person who cancels everything, except where `overrides` replaces it. */
export function openChannels(
  core: AppCore,
  shell: Partial<Shell> = {},
  onFault: (error: unknown) => void = (error) => {
    throw error;
  },
): Channels {
  const dispatcher = createDispatcher(
    createHandlers(core, {
      version: '0.0.0',
      host: 'development host',
      copyText: async () => {},
      chooseSaveFile: async () => null,
      chooseFile: async () => null,
      openTextFile: async () => ({ ok: true, value: null }),
      openOutside: async () => ({ ok: true, value: undefined }),
      takeArrivals: () => [],
      copySecret: async () => 0,
      windows: createWindowStates(core.settings, '0.0.0'),
      openWindow: () => true,
      setColourScheme: () => {},
      ...shell,
    }),
    core.secrets.findTyped,
    onFault,
  );
  let number = 0;
  return {
    call: async (channel, input, requestId = `request-${number++}`) =>
      (await dispatcher.dispatch(channel, requestId, input)) as never,
    cancel: (requestId) => dispatcher.cancel(requestId),
    cancelAll: () => dispatcher.cancelAll(),
  };
}
