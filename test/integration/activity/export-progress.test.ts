import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

const calls = 5000;
let program: Program;

beforeEach(async () => {
  program = unwrap(await startProgram());
  const { log } = program.core;
  for (let at = 0; at < calls; at += 1)
    unwrap(
      log.beginCall({
        connectionId: 'wyebank',
        connectionName: 'Wyebank',
        interface: 'rest',
        operation: at % 2 === 0 ? 'Search' : 'GetPremise',
        subject: `HR10 ${at}`,
        paidBy: 'Contact centre',
        expectedCredits: 1,
      }),
    );
});
afterEach(() => program.close());

const reported = (requestId: string) =>
  program.told.flatMap(({ event, payload }) => {
    const { requestId: of, ...part } = payload as { requestId: string; done: number; total: number };
    return event === 'app.saving' && of === requestId ? [part] : [];
  });
const files = () => readdirSync(program.folder).filter((name) => name.startsWith('activity-'));

test('the whole log is counted with the sums, so that no call made since the list was read is more than all', async () => {
  const sums = async (operations: string[]) =>
    unwrap(await program.call('activity.sums', { filter: { ...wholeTable, operations } }));
  expect(await sums([])).toMatchObject({ calls, total: calls });
  expect(await sums(['Search'])).toMatchObject({ calls: calls / 2, total: calls });
});

test('a long log is reported as it is written, and stopping it leaves no file', async () => {
  const stopped = program.call('activity.export', { filter: wholeTable }, 'stopped');
  while (reported('stopped').length === 0) await setImmediate();
  program.cancel('stopped');
  expect(await stopped).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(files()).toEqual([]);

  const filter = { ...wholeTable, operations: ['Search'] };
  const saved = unwrap(await program.call('activity.export', { filter }, 'some'));
  expect(saved).toMatchObject({ saved: true, rows: calls / 2 });
  expect(reported('some')).toEqual([
    { done: 1000, total: calls / 2 },
    { done: 2000, total: calls / 2 },
  ]);
  const [, ...lines] = readFileSync(join(program.folder, saved.fileName), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(calls / 2);
});
