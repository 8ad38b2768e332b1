import { createClientAsync } from 'soap';
import { createDescriptions } from '../../electron/core/calls/descriptions.ts';
import { openServiceDescriptions } from '../../electron/core/storage/service-descriptions.ts';
import { createHttpTransport } from '../../electron/core/transport/http/http-transport.ts';
import { connectionDraft, openTempDatabase, unwrap } from '../helpers/temp-database.ts';
import { startAnswerServer } from './support/answer-server.ts';
import { interleave, pair } from './support/interleave.ts';
import { type BenchOptions, compareTimes, type Row } from './support/rows.ts';

/**
 * The demo service's description of 50 operations, over loopback: cold (fetched, checked and read) and cached (the program's is stored in
 * the database and outlives the program; that of the `soap` package is in memory).
 */
export async function measureDescription({ quick }: BenchOptions): Promise<Row[]> {
  const server = await startAnswerServer();
  const transport = createHttpTransport();
  const temp = openTempDatabase();
  try {
    const soapUrl = server.addressOf(1);
    const added = temp.addConnection();
    const connection = { ...connectionDraft(added.name), ...added, soapUrl };
    const descriptions = createDescriptions(openServiceDescriptions(temp.db), transport.send);
    const read = unwrap(await descriptions.read(connection));
    if (read.operations.length < 50) throw new Error(`only ${read.operations.length} operations`);
    const samples = await interleave(
      {
        cold: async () => unwrap(await descriptions.read(connection)),
        soapCold: () => createClientAsync(`${soapUrl}?WSDL`, { disableCache: true }),
        cached: async () => {
          if (unwrap(await descriptions.forCalls(connection)) === undefined) throw new Error('nothing kept');
        },
        soapCached: () => createClientAsync(`${soapUrl}?WSDL`),
      },
      { rounds: quick ? 15 : 80, warmUp: 5 },
    );
    return [
      compareTimes('description of 50 operations, cold', pair(samples.cold, samples.soapCold), 'soap', 1),
      compareTimes('description of 50 operations, cached', pair(samples.cached, samples.soapCached), 'soap'),
      compareTimes('cached, held against cold', pair(samples.cached, samples.cold), 'ours, cold', 0.5),
    ];
  } finally {
    await transport.close();
    await server.stop();
    temp.remove();
  }
}
