import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RunningConsole } from '../helpers/console.ts';
import { expect, expectClean, goTo, press, test } from './fixtures.ts';
import { call, connectBoth, hitsOf, selectedConnection } from './own-service.ts';

// Kills the built program in the middle of a licence change. What its next start says must agree with the service.
// Every point of every kind of change is tested in test/integration/licences/kill.test.ts and sigkill.test.ts, without a window. Here are
// the three things that a window may have to show of it: the change ends by the program's own read, it cannot be finished yet, it is finished.

const preload = resolve(import.meta.dirname, '..', 'helpers', 'waits-jump.mjs');
const from = 'KILL-FROM';
const to = 'KILL-TO';

interface Case {
  name: string;
  kind: 'register' | 'move';
  /** The call during which the program is killed. */
  on: 'RegisterLicense' | 'GetLicenseDetails';
  /** Whether the service has carried that call out. */
  done: boolean;
}

const cases: readonly Case[] = [
  { name: 'register, sent and done, no answer yet', kind: 'register', on: 'RegisterLicense', done: true },
  { name: 'register, sent and not done', kind: 'register', on: 'RegisterLicense', done: false },
  { name: 'move, half way: taken off, the new machine not asked', kind: 'move', on: 'GetLicenseDetails', done: true },
];

/** The program that the next case begins with: the one started after the kill of the previous case, with everything that those left. */
let running: RunningConsole | undefined;

for (const one of cases) {
  test(`killed in a ${one.name}`, async ({ launchForAll, startService }) => {
    const service = await startService('--admin');
    const first = running ?? (await launchForAll({ dataFolder: mkdtempSync(join(tmpdir(), 'killed-')), preload }));
    running = undefined;
    const { dataFolder } = first;
    // Ends the wait before the program's next read, once it exists (waits-jump.mjs).
    const sign = join(dataFolder, 'time-passes');
    rmSync(sign, { force: true });
    await connectBoth(first.page, service);
    const connectionId = await selectedConnection(first.page);
    const list = await call(first.page, 'licences.read', { connectionId });
    const licence = list.licences.find(({ typeName }) => typeName === 'Site');
    const licenceNumber = licence?.licenceNumber ?? '';
    if (one.kind === 'move')
      await fetch(new URL('/__demo/licence', service.restBaseUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ number: Number(licenceNumber), bind: from }),
      });
    const plan = await call(first.page, 'licences.plan', {
      connectionId,
      kind: one.kind,
      licenceNumber,
      machine: to,
      ...(one.kind === 'move' ? { fromMachine: from } : {}),
    });
    expect(plan.warnings.filter(({ blocks }) => blocks)).toEqual([]);
    const before = hitsOf(service, one.on);
    // Two reads of machines begin the move.
    const reads = 2;
    service.faults.set({
      kind: one.done ? 'delay' : 'hang',
      on: one.on,
      milliseconds: 60_000,
      ...(one.on === 'GetLicenseDetails' ? { after: reads } : {}),
    });
    void call(first.page, 'licences.run', { changeId: plan.id, confirmedName: to }).catch(() => {});
    const wanted = before + (one.on === 'GetLicenseDetails' ? reads + 1 : 1);
    await expect.poll(() => hitsOf(service, one.on)).toBe(wanted);
    await first.kill();
    const writes = hitsOf(service, 'RegisterLicense') + hitsOf(service, 'UnregisterLicense');

    // The program reads at its start, and what it reads may end the change: until the notice was looked at, the answer is held back.
    service.faults.set({ kind: 'delay', milliseconds: 60_000, on: 'GetLicenseDetails', times: 'always' });
    const second = await launchForAll({ dataFolder, preload });
    const { page } = second;
    await expect(page.getByRole('button', { name: 'Look at it' })).toBeVisible();
    // A write that was sent may still take effect, so the program does not plan the opposite yet.
    await expect(page.getByText(/^It can be undone from \d\d:\d\d/)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Plan to undo/ })).toHaveCount(0);
    await expect(page.getByRole('alert').filter({ hasText: 'licence change not finished' })).toBeAttached();
    service.faults.clear();
    await goTo(page, 'licences');
    const name = licence?.referenceNo ?? '';
    const holds = async (machineName: string): Promise<boolean> => {
      const { licenceNumbers } = await call(page, 'licences.ask-machine', {
        connectionId,
        machine: machineName,
      });
      return licenceNumbers.includes(licenceNumber);
    };
    const passTime = () => writeFileSync(sign, '');
    const [isFrom, isTo] = [await holds(from), await holds(to)];
    const open = page.getByRole('region', { name: 'Unfinished changes' });
    if (isTo) {
      // The program's own read shows the planned state, so a person has nothing to do.
      passTime();
      const receipt = () => call(page, 'licences.receipt', { changeId: plan.id });
      await expect.poll(receipt).toMatchObject({ text: expect.stringContaining(`${name} was seen on ${to}`) });
      await expect(open).toHaveCount(0);
      await expectClean(page);
    } else {
      await expect(open).toContainText('On its way');
      await expectClean(page);
      // Copies stand for the changes that a service leaves on their way which shows its writes late: they leave the list its room.
      const height = await open.evaluate((panel) => {
        const copies = Array.from({ length: 12 }, () => panel.firstElementChild?.cloneNode(true) as HTMLElement);
        panel.append(...copies);
        const { clientHeight } = panel;
        for (const copy of copies) copy.remove();
        return clientHeight / window.innerHeight;
      });
      expect(height).toBeLessThan(0.5);
      await open.getByRole('button', { name: /Read, finish or undo/ }).press('Enter');
      await press(page, /^Read (both )?now · /);
      passTime();
      const says = page.getByRole('heading', { level: 2 }).first();
      expect(isFrom).toBe(false);
      if (one.kind === 'register') {
        await expect(says).toHaveText(`On its way: register ${name} to ${to}`);
        // A write that may still take effect cannot be made again yet.
        await expect(page.getByRole('button', { name: 'Finish…' })).toBeDisabled();
      } else {
        // Two reads, half a minute apart, are needed to call a licence removed. The program makes the second by itself.
        await expect(says).toHaveText('Half done: seen on neither');
        // The first read shows that the change is half done; only after the second can nothing more take effect.
        await expect(page.getByRole('button', { name: 'Finish…' })).toBeEnabled();
        await press(page, 'Finish…');
        await page.getByRole('textbox', { name: 'Type the machine’s name' }).focus();
        await page.keyboard.type(to);
        await page.keyboard.press('Enter');
        await expect(says).toHaveText(`${name} was seen on ${to}`);
        expect(await holds(to)).toBe(true);
      }
    }
    const now = hitsOf(service, 'RegisterLicense') + hitsOf(service, 'UnregisterLicense');
    expect(now - writes).toBe(one.kind === 'move' ? 1 : 0);
    expect(await call(page, 'journal.check', {})).toMatchObject({ intact: true });
    const left = await call(page, 'licences.unfinished', {});
    // An unfinished change would be listed with the next case's.
    if (left.changes.length === 0) running = second;
    else await second.close();
  });
}
