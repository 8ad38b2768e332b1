import type { Page } from 'playwright';
// Declares window.api for the functions that run in the page.
import type {} from '../../renderer/lib/calls/bridge.ts';
import { type ConnectionDraft, emptyConnectionDraft } from '../../shared/domain/connection.ts';
import { launchConsole } from '../helpers/console.ts';
import { noKeychain } from '../helpers/demo-process.ts';
import { namespace, startHostileService } from './support/hostile-service.ts';
import { type BenchOptions, milliseconds, type Row, times } from './support/rows.ts';
import { type LongestTask, longestWindowTask } from './support/window-tasks.ts';

/** The longest that the window may be blocked, whatever the service sends (ms). */
const limit = 100;

interface Case {
  name: string;
  body: string;
  /** The path that it answers; all others get one result. Empty: every path. */
  to: string;
  /** From the key to what is drawn. `round` makes each request a new one, which has no saved answer. */
  show(page: Page, round: number): Promise<void>;
}

/** The longest task of the built window's thread, from the key that makes the call until the answer is drawn. */
export async function measureHostileWindow({ quick }: BenchOptions): Promise<Row[]> {
  const service = await startHostileService();
  const running = await launchConsole({
    width: 1280,
    height: 800,
    env: { ...noKeychain, ADDRESS_CONSOLE_DEMO_PREMISES: '4000' },
  });
  const rows: Row[] = [];
  try {
    const { page } = running;
    await connect(page, service.origin, 'rest');
    for (const { name, body, to, show } of cases) {
      const wanted = process.env.CASE;
      if (wanted && !name.includes(wanted)) continue;
      if (to === '.asmx') await connect(page, service.origin, 'soap');
      await service.send(body, to);
      const tasks: LongestTask[] = [];
      for (let round = 0; round < (quick ? 2 : 4); round += 1) {
        await page.keyboard.press('Escape');
        tasks.push(await longestWindowTask(page, () => show(page, round)));
      }
      const [first, ...later] = tasks;
      const [{ ms: longest, most } = { ms: Number.NaN, most: '' }] = later.sort((a, b) => b.ms - a.ms);
      rows.push({
        name: `longest task of the window: ${name}`,
        ours: milliseconds(longest),
        other: `${milliseconds(first?.ms ?? 0)} the first time; ${most}`,
        ratio: times(longest / limit),
        aim: `≤ ${limit} ms`,
        reached: longest / limit,
      });
    }
  } finally {
    await running.close();
    await service.close();
  }
  return rows;
}

let asked = 0;

async function search(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+1');
  const box = page.getByRole('textbox', { name: 'Postcode, street, business or building' });
  asked += 1;
  const text = `Tannery ${asked}`;
  await box.fill(text);
  await page.getByRole('button', { name: /^Search · / }).waitFor();
  await box.press('Enter');
  await page
    .getByRole('listbox', { name: `Results for ${text}` })
    .getByRole('option')
    .first()
    .waitFor();
}

/** Requests the one premise again, so that the service answers. */
async function openPremise(page: Page): Promise<void> {
  await search(page);
  await page.getByRole('listbox').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Raw answer' }).last().waitFor({ timeout: 60_000 });
}

async function readRaw(page: Page): Promise<void> {
  await openPremise(page);
  await page.getByRole('button', { name: 'Raw answer' }).last().click();
  const dialog = page.getByRole('dialog', { name: 'Raw answer' });
  const text = dialog.getByRole('region', { name: 'Answer as it came' });
  await text.locator('.raw-line').first().waitFor({ timeout: 60_000 });
  await dialog.getByLabel('Indented').press('Space');
  await page.waitForTimeout(500);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

async function readLicences(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+3');
  await page
    .getByRole('button', { name: /Read (?:licences|the list|again)/ })
    .first()
    .click();
  await page.waitForFunction(
    () =>
      Number(document.querySelector('[data-screen="licences"] [role="grid"]')?.getAttribute('aria-rowcount')) > 50_000,
    undefined,
    { timeout: 60_000 },
  );
  await page.waitForTimeout(500);
}

const premise = (name: string, body: string): Case => ({ name, body, to: '/GetPremise', show: openPremise });
const raw = (name: string, body: string): Case => ({ name, body, to: '/GetPremise', show: readRaw });
const cases: Case[] = [
  { name: '50,000 results', body: 'many-rows', to: '/Search', show: search },
  premise('50,000 unknown fields, opened', 'many-fields'),
  premise('a word of 7 MB, opened', 'long-word'),
  premise('3 MB of backslashes, opened', 'backslashes'),
  premise('8 MB of text, opened', '8-mb'),
  raw('50,000 unknown fields, raw text', 'many-fields'),
  raw('a word of 7 MB, raw text', 'long-word'),
  raw('3 MB of backslashes, raw text', 'backslashes'),
  raw('8 MB of text, raw text', '8-mb'),
  raw('100,000 levels, raw text', 'deep'),
  { name: '50,000 licences', body: 'soap-licences', to: '.asmx', show: readLicences },
];

/** Connects with one protocol only: with both, a search would take the free way, over SOAP. */
async function connect(page: Page, origin: string, protocol: 'rest' | 'soap'): Promise<void> {
  const draft: ConnectionDraft = {
    ...emptyConnectionDraft,
    name: `Bench over ${protocol}`,
    kind: 'test',
    restBaseUrl: protocol === 'rest' ? `${origin}/v1` : '',
    soapUrl: protocol === 'soap' ? `${origin}/lookup.asmx` : '',
    soapNamespace: namespace,
    preferredInterface: protocol,
    accountName: 'WYE',
  };
  await page.evaluate(
    async ({ draft, protocol }) => {
      const { call } = window.api;
      const saved = await call['connections.save'](`bench-1-${protocol}`, { id: null, draft });
      if (!saved.ok) throw new Error(saved.error.message);
      const connectionId = saved.value.connection.id;
      const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
      const keys = { 'lookup-key': 'bench-key-0000', 'account-guid': guid, 'licence-id': guid, 'licence-key': guid };
      for (const [role, value] of Object.entries(keys)) {
        const put = await call['secrets.put'](`bench-${protocol}-${role}`, {
          connectionId,
          role: role as never,
          label: 'bench',
          value,
        });
        if (!put.ok) throw new Error(put.error.message);
      }
      await call['connections.select'](`bench-3-${protocol}`, { connectionId });
    },
    { draft, protocol },
  );
  await page.reload();
  await page.getByRole('textbox', { name: 'Postcode, street, business or building' }).waitFor();
}
