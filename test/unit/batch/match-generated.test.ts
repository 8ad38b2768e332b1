import { afterAll, expect, test } from 'vitest';
import { type MatchCandidate, matchAddress } from '../../../electron/core/batch/match/match-address.ts';
import { understandRow } from '../../../electron/core/batch/table/understand-row.ts';
import { formatOneLine } from '../../../electron/demo-service/gazetteer/format.ts';
import { openGazetteer } from '../../../electron/demo-service/gazetteer/gazetteer.ts';
import { dirtyColumns, makeDirtyAddresses } from '../../helpers/dirty-addresses.ts';

const gazetteer = openGazetteer({ seed: 18, premises: 12_000 });
afterAll(() => gazetteer.close());

const listOf = (postcode: string): MatchCandidate[] =>
  gazetteer
    .premisesAtPostcode(postcode)
    .map((premise) => ({ premiseId: premise.id, line: formatOneLine(premise), namesFlats: true }));

test('3,000 addresses as customer lists have them: no wrong exact, and 95 of 100 find their premise', () => {
  const dirty = makeDirtyAddresses(3, gazetteer.sample(3000));
  expect(dirty).toHaveLength(3000);
  const wrong: string[] = [];
  const missed: string[] = [];
  let exact = 0;
  for (const { cells, premise } of dirty) {
    const row = understandRow(cells, {
      kind: 'addresses',
      heads: [],
      columns: [...dirtyColumns],
    });
    const said = (what: string) => `${cells.filter(Boolean).join(' | ')} → ${formatOneLine(premise)}: ${what}`;
    if (!row.ok || !('given' in row)) {
      missed.push(said(row.ok ? row.kind : row.problem));
      continue;
    }
    const outcome = matchAddress(row.given, listOf(row.given.postcode));
    const found =
      outcome.result === 'exact' || outcome.result === 'differs' ? outcome.fitting[0]?.candidate : undefined;
    const isRight = found?.premiseId === premise.id;
    if (outcome.result === 'exact') exact += 1;
    if (outcome.result === 'exact' && !isRight) wrong.push(said(found?.line ?? ''));
    if (!isRight) missed.push(said(`${outcome.result} (${outcome.reason}) ${found?.line ?? ''}`));
  }
  const report = `\nWrong exact:\n${wrong.join('\n')}\nMissed ${missed.length}, exact ${exact}:\n${missed.join('\n')}`;
  expect(wrong, report).toEqual([]);
  expect(1 - missed.length / dirty.length, report).toBeGreaterThanOrEqual(0.95);
});
