import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppCore } from '../../../electron/core/app-core.ts';
import type { GivenField } from '../../../shared/contract/operations.ts';
import type { ChannelInput } from '../../../shared/contract.ts';
import type { ConnectionDraft, SecretRole } from '../../../shared/domain/connection.ts';
import { type Channels, openChannels, startCore } from '../../helpers/core.ts';
import { type DemoService, startDemo } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

export interface OperationsConsole {
  core: AppCore;
  service: DemoService;
  connectionId: string;
  folder: string;
  copied: string[];
  /** Every text that was sent to the window. */
  crossed: string[];
  call: Channels['call'];
  cancel: Channels['cancel'];
  asked(
    operation: string,
    fields?: Record<string, string | string[]>,
    dataset?: boolean,
  ): ChannelInput<'operations.price'>;
  close(): Promise<void>;
}

/** The whole program without a window, with a new demo service and a connection with its keys. */
export async function openOperationsConsole(
  options: string[] = [],
  more: Partial<ConnectionDraft> = {},
  start: typeof startDemo = startDemo,
): Promise<OperationsConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-operations-'));
  const service = await start('--port', '0', '--premises', '4000', ...options);
  const core = unwrap(
    await startCore({
      folder,
      // The program must not read the balance by itself between a test's spend and its count of requests.
      readDelayMs: 2_000_000_000,
    }),
  );
  const copied: string[] = [];
  const crossed: string[] = [];
  const channels = openChannels(core, {
    copyText: async (text) => void copied.push(text),
    chooseSaveFile: async ({ name }) => join(folder, name),
  });
  const call: Channels['call'] = async (channel, input, requestId) => {
    const result = await channels.call(channel, input, requestId);
    crossed.push(JSON.stringify(result));
    return result;
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
    cancel: channels.cancel,
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
