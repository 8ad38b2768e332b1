import { setImmediate as turn } from 'node:timers/promises';
import type { ChannelName } from '../../shared/contract.ts';
import type { CacheMode } from '../../shared/domain/call.ts';
import { noFilter } from '../../shared/domain/licences/licence-filter.ts';
import { startProgram } from '../helpers/program.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { namespace, startHostileService } from './support/hostile-service.ts';
import { longestTurn } from './support/longest-turn.ts';
import { type BenchOptions, milliseconds, type Row, times } from './support/rows.ts';

/** The longest that main may be blocked, whatever the service sends (ms). */
const limit = 50;
/** How long main is blocked by what a service may send, from the socket to the message to the window. */
export async function measureHostileAnswers({ quick }: BenchOptions): Promise<Row[]> {
  const service = await startHostileService();
  const program = unwrap(await startProgram({ readDelayMs: 2_000_000_000 }));
  const { origin } = service;
  const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const secrets = {
    'lookup-key': 'LK-7f3a91c2e8d04b56',
    'account-guid': guid,
    'licence-id': guid,
    'licence-key': guid,
  };
  const connectionId = await program.connect(
    {
      restBaseUrl: origin,
      soapUrl: `${origin}/lookup.asmx`,
      soapNamespace: namespace,
      accountName: 'WYE',
      searchForm: 'query',
    },
    secrets,
  );
  const overSoap = await program.connect(
    { soapUrl: `${origin}/lookup.asmx`, soapNamespace: namespace, accountName: 'WYE', preferredInterface: 'soap' },
    secrets,
  );
  /** Calls a channel and copies its answer, as for the message to the window. */
  let ended = '';
  const call = async (name: ChannelName, input: object) => {
    const result = await program.call(name, input as never);
    structuredClone(result);
    ended = result.ok ? 'answered' : result.error.code;
    return result as { ok: boolean; value: Record<string, never> };
  };
  const run = (operation: string, given: Record<string, string>, cache: CacheMode = 'reload') =>
    call('operations.run', {
      connectionId,
      operation,
      dataset: false,
      fields: Object.entries(given).map(([name, value]) => ({ name, values: [value] })),
      cache,
    });
  const premise = () => run('GetPremise', { id: '1' });
  const postcode = () => run('SearchPremise_ByPostcode', { sPostcode: 'AB1 2DF' });
  const readLines = async (answerId: string) => {
    const which = { answerId, side: 'answer', indented: true };
    await call('operations.raw-lines', { ...which, from: 0, count: 1000 });
    await call('operations.raw-find', { ...which, text: 'marks' });
    await call('operations.raw-lines', { ...which, indented: false, from: 0, count: 1000 });
  };
  const raw = (ask: () => ReturnType<typeof call>) => async () => {
    const answer = await ask();
    if (!answer.ok) return;
    await readLines(String(answer.value.answerId));
  };
  const searchOverSoap = (cache: CacheMode) =>
    call('lookup.search', { connectionId: overSoap, text: 'AB1 2DF', cache });
  const sideBySide = async () => {
    const ids: string[] = [];
    for (const side of ['leftId', 'rightId']) {
      const found = await searchOverSoap('reload');
      ids.push(String((found.value as unknown as { provenance: { answerId: string } }).provenance.answerId), side);
    }
    const [leftId = '', , rightId = ''] = ids;
    for (let from = 0; from < 50_000; from += 2000) {
      await call('lookup.compare', { leftId, rightId, from });
      // Each is a separate message.
      await turn();
    }
  };
  const planBatch = async () => {
    await searchOverSoap('default');
    const rows = Array.from({ length: 300 }, (_, n) => `${n} High Street,AB1 2DF`);
    const table = await call('batch.paste', {
      connectionId: overSoap,
      text: `Address,Postcode\n${rows.join('\n')}\n`,
    });
    await call('batch.plan', {
      tableId: String((table.value as unknown as { table: { tableId: string } | null }).table?.tableId),
      wants: ['exists'],
    });
  };
  const ownFacts = async () => {
    await call('licences.annotations', { connectionId });
    await call('machines.overview', { connectionId });
  };
  const openedRaw = async () => {
    const opened = await call('lookup.open', { connectionId, premiseId: '1', interface: 'rest', cache: 'reload' });
    const { provenance } = opened.value as unknown as { provenance: { answerId: string } };
    await readLines(provenance.answerId);
  };
  const cases: [string, string, () => Promise<unknown>][] = [
    ['50,000 unknown fields', 'many-fields', premise],
    [
      '50,000 unknown fields, opened',
      'many-fields',
      () => call('lookup.open', { connectionId, premiseId: '1', interface: 'rest', cache: 'reload' }),
    ],
    ['50,000 rows, by operation', 'many-rows', () => run('Search', { query: 'AB1 2DF' })],
    [
      '50,000 results, to the window',
      'many-rows',
      () => call('lookup.search', { connectionId, text: 'AB1 2DF', cache: 'reload' }),
    ],
    [
      '50,000 results, read back: the list, its ways, its price',
      'many-rows',
      async () => {
        await call('lookup.search', { connectionId, text: 'AB1 2DF' });
        await call('lookup.search-ways', { connectionId, text: 'AB1 2DF', of: { kind: 'text' } });
        await run('Search', { query: 'AB1 2DF' }, 'default');
      },
    ],
    ['20,000 lists', 'many-lists', () => run('Search', { query: 'AB1 2DF' })],
    ['3 MB of backslashes, raw', 'backslashes', raw(premise)],
    ['a word of 7 MB, raw', 'long-word', raw(premise)],
    ['100,000 levels', 'deep', premise],
    ['8 MB, kept', '8-mb', premise],
    ['8 MB, its raw text shown and searched', '8-mb', raw(premise)],
    ['8 MB of a premise, opened and its raw text shown', '8-mb', openedRaw],
    [
      '8 MB of a premise, read back beside ten askings',
      '8-mb',
      async () => {
        await call('lookup.open', { connectionId, premiseId: '1', interface: 'rest' });
        await call('lookup.premise-answers', { connectionId, premiseId: '1' });
      },
    ],
    ['12 MB over SOAP, kept', 'soap-12-mb', postcode],
    ['12 MB over SOAP, its raw text shown and searched', 'soap-12-mb', raw(postcode)],
    ['a gzip bomb', 'gzip-bomb', premise],
    ['a brotli bomb', 'br-bomb', premise],
    ['50,000 records', 'soap-records', postcode],
    [
      '50,000 results over SOAP, to the window',
      'soap-records',
      () => call('lookup.search', { connectionId: overSoap, text: 'AB1 2DF', cache: 'reload' }),
    ],
    ['two searches of 50,000 results, side by side', 'soap-records', sideBySide],
    ['a batch planned by a saved search of 50,000 results', 'soap-records', planBatch],
    [
      '50,000 records beside codes that are no postcodes',
      'soap-codes',
      () => run('GetAddressesForPostcode', { Postcode: 'AB1 2DF' }),
    ],
    ['50,000 results beside codes that are no postcodes', 'many-codes', () => run('Search', { query: 'AB1 2DF' })],
    ['50,000 unknown elements', 'soap-unknown', postcode],
    ['100,000 attributes', 'soap-attributes', postcode],
    ['50,000 licences, read', 'soap-licences', () => call('licences.read', { connectionId })],
    ['50,000 licences, shown again', 'soap-licences', () => call('licences.last-seen', { connectionId })],
    [
      '50,000 licences, saved as CSV',
      'soap-licences',
      () => call('licences.export', { connectionId, filter: noFilter }),
    ],
    ['50,000 licences, their credits', 'soap-licences', () => call('credits.overview', { connectionId })],
    ['50,000 licences, own facts and machines', 'soap-licences', ownFacts],
  ];
  const rows: Row[] = [];
  try {
    for (const [name, body, work] of cases) {
      const wanted = process.env.CASE;
      if (wanted && !name.includes(wanted)) continue;
      await service.send(body);
      const turns: number[] = [];
      // The first round is a warm-up, because code is slow the first time.
      for (let round = 0; round < (quick ? 2 : 4); round += 1) turns.push(await longestTurn(work));
      const longest = Math.max(...turns.slice(1));
      rows.push({
        name: `longest turn of main: ${name}`,
        ours: milliseconds(longest),
        other: `${milliseconds(turns[0] ?? 0)} the first time; ${ended}`,
        ratio: times(longest / limit),
        aim: `≤ ${limit} ms`,
        reached: longest / limit,
      });
    }
  } finally {
    await program.close();
    await service.close();
  }
  return rows;
}
