import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { matchAddress } from '../../../electron/core/batch/match/match-address.ts';
import { sampleTable } from '../../../electron/core/batch/sample-table.ts';
import { readTable } from '../../../electron/core/batch/table/read-table.ts';
import { recogniseColumns } from '../../../electron/core/batch/table/recognise-columns.ts';
import { recogniseTable } from '../../../electron/core/batch/table/recognise-table.ts';
import { understandRow } from '../../../electron/core/batch/table/understand-row.ts';
import { formatOneLine } from '../../../electron/demo-service/gazetteer/format.ts';
import { openGazetteer } from '../../../electron/demo-service/gazetteer/gazetteer.ts';
import help from '../../../renderer/features/help/pages/batch.md?raw';

const folder = mkdtempSync(join(tmpdir(), 'sample-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the sample gives what the help page says, on a demo of any size, and the page shows the same table', async () => {
  const { text } = sampleTable();
  const path = join(folder, 'sample.csv');
  writeFileSync(path, text);
  const found = await recogniseTable(path);
  if (!found.ok) throw new Error(found.error.message);
  const { heads, firstRows, form } = found.value;
  const { columns, kinds } = recogniseColumns(
    heads,
    form.header,
    firstRows.map(({ cells }) => cells),
  );
  expect(kinds[0]).toBe('addresses');
  const gazetteer = openGazetteer({ seed: 5, premises: 400 });
  const list = gazetteer
    .premisesAtPostcode('HR10 2DT')
    .map((premise) => ({ premiseId: premise.id, line: formatOneLine(premise), namesFlats: true }));
  gazetteer.close();
  const said: string[] = [];
  for await (const part of readTable(path, form)) {
    if ('error' in part) throw new Error(part.error.message);
    for (const { cells } of part.rows) {
      const row = understandRow(cells, {
        kind: 'addresses',
        heads,
        columns: columns.map(({ meaning }) => meaning),
      });
      if (!row.ok) said.push(`malformed-${row.problem}`);
      else if ('given' in row) said.push(matchAddress(row.given, list).result);
    }
  }
  expect(said).toEqual([
    ...Array<string>(5).fill('exact'),
    'differs',
    'differs',
    'several',
    'premise-not-found',
    'malformed-postcode',
    'exact',
    'malformed-empty',
  ]);
  const shown = /## A sample\n\n```\n([\s\S]+?)```/.exec(help)?.[1];
  expect(shown).toBe(text.replace('\uFEFF', '').replaceAll('\r\n', '\n'));
  for (const code of help.matchAll(/^\| (malformed-[a-z-]+) \|/gm))
    expect(code[1]).toMatch(
      /^malformed-(quote|too-long|empty|cells|postcode|no-postcode|no-premise|no-organisation|no-town|number-date|identifier|identifier-number)$/,
    );
});
