import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActivityLog } from '../../../electron/core/activity/activity-log.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { systemClock } from '../../../electron/platform/clock.ts';
import {
  connectionSettings,
  createWorkFolder,
  type DemoService,
  noKeychain,
  secretVariables,
  startDemo,
} from '../../helpers/demo-process.ts';
import { loggedCalls } from '../../helpers/logged-calls.ts';
import { entriesReader } from '../../helpers/spend-facts.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** A copy of the program in which a file is missing or damaged, as after an update that replaced it while it ran. */

const repository = join(import.meta.dirname, '..', '..', '..');
const work = createWorkFolder();
const copy = join(work.folder, 'program');
const reader = join('electron', 'core', 'soap', 'message', 'answer.ts');
let demo: DemoService;
let connection: string;

beforeAll(async () => {
  demo = await startDemo('--premises', '400');
  connection = work.write('wyebank.json', connectionSettings(demo));
  for (const part of ['electron', 'shared', 'package.json'])
    cpSync(join(repository, part), join(copy, part), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'), 'junction');
});
afterAll(async () => {
  await demo.stop();
  work.remove();
});

async function ask(data: string) {
  const args = ['call', 'GetPremiseAddress', '--set', `sUniqueDeliveryPointID=${demo.demo.sample.premiseId}`];
  const child = spawn(process.execPath, [join(copy, 'electron', 'cli.ts'), ...args, '--connection', connection], {
    env: { PATH: process.env.PATH, ...noKeychain, ...secretVariables(demo.demo), ADDRESS_CONSOLE_DATA_FOLDER: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(said);
}

test.each([
  ['missing', (file: string) => rmSync(file)],
  ['damaged', (file: string) => writeFileSync(file, 'export const decodeAnswer = (')],
] as const)('a paid call whose reader is %s is not sent, costs nothing and says what to do', async (state, spoil) => {
  const data = join(work.folder, state);
  await demo.resetMeter();
  spoil(join(copy, reader));
  const { ok, error } = await ask(data);
  cpSync(join(repository, reader), join(copy, reader));
  expect({ ok, error }).toMatchObject({
    ok: false,
    error: {
      code: 'part-missing',
      message: 'A part of the program could not be read. Start the program again. If that fails too, install it again.',
    },
  });
  expect((await demo.meter()).calls).toEqual({});

  const db = unwrap(openDatabase({ folder: data, clock: systemClock }));
  const calls = await loggedCalls(createActivityLog(db, systemClock));
  const connectionId = calls[0]?.connectionId ?? '';
  const entries = entriesReader(db)(connectionId);
  db.close();
  expect(calls).toMatchObject([{ operation: 'GetPremiseAddress', outcome: 'failed', errorCode: 'part-missing' }]);
  expect(entries.map(({ claims }) => claims.map(({ kind }) => kind))).toEqual([['nothing-left']]);

  expect(await ask(data)).toMatchObject({ ok: true });
  expect((await demo.meter()).calls).toMatchObject({ GetPremiseAddress: { hits: 1 } });
});
