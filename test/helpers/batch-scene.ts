import type { Terms } from '../../electron/core/batch/terms.ts';
import { openGazetteer } from '../../electron/demo-service/gazetteer/gazetteer.ts';
import type { Batch, BatchRow, BatchWant } from '../../shared/domain/batch.ts';
import { type DemoService, premisesCache, startDemo } from './demo-process.ts';
import { type Program, type ProgramOptions, startProgram } from './program.ts';
import { unwrap } from './temp-database.ts';

const seed = 42;
const premises = 4000;

/** The addresses of the demo service with the same seed, from which a test makes a customer's table. */
export const openTestGazetteer = () => openGazetteer({ seed, premises, cacheFile: premisesCache({ seed, premises }) });

const terms: Terms = { limit: 10_000, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };

/** A demo service and the program, with a connection to the service's REST interface. */
export interface BatchScene {
  service: DemoService;
  program: Program;
  connectionId: string;
  open(table: string): Promise<string>;
  plan(table: string, ...wants: BatchWant[]): Promise<Batch>;
  /** Runs a batch until it ends, pauses or waits. */
  run(batchId: string, changed?: Partial<Terms>): Promise<Batch>;
  get(batchId: string): Promise<Batch>;
  rows(batchId: string): Promise<BatchRow[]>;
  close(): Promise<void>;
}

export async function openScene(
  options: { service?: string[]; soap?: boolean; program?: ProgramOptions; shared?: DemoService } = {},
): Promise<BatchScene> {
  const service =
    options.shared ??
    (await startDemo('--seed', String(seed), '--premises', String(premises), ...(options.service ?? [])));
  const program = unwrap(await startProgram(options.program));
  const { lookupKey, licenceId, accountName } = service.demo;
  const connectionId = await program.connect(
    {
      restBaseUrl: service.restBaseUrl,
      ...(options.soap ? { soapUrl: service.soapUrl, soapNamespace: service.soapNamespace, accountName } : {}),
    },
    { 'lookup-key': lookupKey, ...(options.soap ? { 'licence-id': licenceId } : {}) },
  );
  const get = async (batchId: string) => unwrap(await program.call('batch.get', { batchId }));
  const open = async (text: string) => {
    const { table } = unwrap(await program.call('batch.paste', { connectionId, text }));
    return table?.tableId ?? '';
  };
  return {
    service,
    program,
    connectionId,
    open,
    async plan(text, ...wants) {
      return unwrap(await program.call('batch.plan', { tableId: await open(text), wants }));
    },
    async run(batchId, changed = {}) {
      unwrap(await program.call('batch.run', { batchId, ...terms, ...changed }));
      await program.core.batches.ended(batchId);
      return get(batchId);
    },
    get,
    rows: async (batchId) =>
      unwrap(await program.call('batch.rows', { batchId, filter: {}, from: 0, limit: 500 })).rows,
    async close() {
      await program.close();
      if (!options.shared) await service.stop();
    },
  };
}
