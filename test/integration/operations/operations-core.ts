import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type AppCore, createCore } from '../../../electron/core/app-core.ts';
import { withoutPolicy } from '../../../electron/core/policy/read-policy.ts';
import { createDispatcher } from '../../../electron/ipc/dispatcher.ts';
import { createHandlers } from '../../../electron/ipc/handlers.ts';
import type { GivenField } from '../../../shared/contract/operations.ts';
import type { ChannelInput, ChannelName, ChannelOutput } from '../../../shared/contract.ts';
import type { ConnectionDraft, SecretRole } from '../../../shared/domain/connection.ts';
import type { Result } from '../../../shared/result.ts';
import { type DemoProcess, startDemoProcess } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');

export interface OperationsConsole {
  core: AppCore;
  service: DemoProcess;
  connectionId: string;
  folder: string;
  copied: string[];
  /** Every text that crossed to the window. */
  crossed: string[];
  call<C extends ChannelName>(
    channel: C,
    input: ChannelInput<C>,
    requestId?: string,
  ): Promise<Result<ChannelOutput<C>>>;
  cancel(requestId: string): void;
  asked(
    operation: string,
    fields?: Record<string, string | string[]>,
    dataset?: boolean,
  ): ChannelInput<'operations.price'>;
  close(): Promise<void>;
}

/** The whole console without a window, with a connection to a demo service of its own and its keys. */
export async function openOperationsConsole(
  options: string[] = [],
  more: Partial<ConnectionDraft> = {},
): Promise<OperationsConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-operations-'));
  const service = await startDemoProcess('--port', '0', '--premises', '4000', ...options);
  const core = unwrap(
    await createCore({
      folder,
      policy: withoutPolicy,
      emit: () => {},
      logger: { error: () => {} },
      proxyFor: async () => null,
      machineName: 'DESK-1',
      userName: 'kim',
      demoWorker: join(root, 'electron', 'demo-service', 'worker.ts'),
      decodeWorker: join(root, 'electron', 'core', 'decode', 'decode-worker.ts'),
      // No balance is read by itself between a test's spend and its count of requests.
      readDelayMs: 2_000_000_000,
    }),
  );
  const copied: string[] = [];
  const crossed: string[] = [];
  const dispatcher = createDispatcher(
    createHandlers(core, {
      version: '0.0.0',
      host: 'development host',
      copyText: async (text: string) => void copied.push(text),
      chooseSaveFile: async ({ name }: { name: string }) => join(folder, name),
      setColourScheme: () => {},
    } as unknown as Parameters<typeof createHandlers>[1]),
    (error) => {
      throw error;
    },
  );
  let number = 0;
  const call: OperationsConsole['call'] = async (channel, input, requestId = `request-${number++}`) => {
    const result = await dispatcher.dispatch(channel, requestId, input);
    crossed.push(JSON.stringify(result));
    return result as never;
  };
  const { demo, restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace } = service;
  const draft = connectionDraft('Wyebank', {
    restBaseUrl,
    soapUrl,
    soapNamespace,
    utilitiesNamespace,
    accountName: demo.accountName,
    yourReference: demo.yourReference,
    ipAddress: demo.ipAddress,
    ...more,
  });
  const { connection } = unwrap(await call('connections.save', { id: null, draft }));
  const keys: [SecretRole, string][] = [
    ['lookup-key', demo.lookupKey],
    ['master-key', demo.masterKey],
    ['licence-id', demo.licenceId],
    ['account-guid', demo.guid],
    ['licence-key', demo.licenceKey],
    ['web-map-key', demo.webMapKey],
  ];
  for (const [role, value] of keys)
    unwrap(await call('secrets.put', { connectionId: connection.id, role, label: 'test', value }));
  return {
    core,
    service,
    connectionId: connection.id,
    folder,
    copied,
    crossed,
    call,
    cancel: (requestId) => dispatcher.cancel(requestId),
    asked: (operation, fields = {}, dataset = false) => ({
      connectionId: connection.id,
      operation,
      dataset,
      fields: Object.entries(fields).map(
        ([name, value]): GivenField => ({ name, values: Array.isArray(value) ? value : [value] }),
      ),
    }),
    close: async () => {
      await core.close();
      await service.stop();
      removeFolder(folder);
    },
  };
}
