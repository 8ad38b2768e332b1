import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkChange,
  findUnfinishedChanges,
  finishChange,
  runChange,
} from '../../../electron/core/licences/change/change-states.ts';
import { planChange } from '../../../electron/core/licences/change/plan.ts';
import { planUndo } from '../../../electron/core/licences/change/undo.ts';
import { verifyJournal } from '../../../electron/core/licences/journal/journal-verify.ts';
import type { ChangeKind, LicenceChange } from '../../../shared/domain/licences/licence-change.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionId, here, openLicenceConsole, passTime, there } from '../../helpers/licence-console.ts';
import { expectAgreement, expectStart, resumeActions, resumeAs } from '../../helpers/licence-kill-checks.ts';
import { withKillPoints } from '../../helpers/licence-kill-points.ts';
import { callService, type LicenceService, type Manner } from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

class Killed extends Error {}

/** Throws at the given point and at every later one, because a dead program does nothing more. 0 means never. */
function dieAt(point: number) {
  let passed = 0;
  return {
    pass: () => {
      passed += 1;
      if (point > 0 && passed >= point) throw new Killed();
    },
    passed: () => passed,
  };
}

async function startAndDie(folder: string, service: LicenceService, kind: ChangeKind, point: number) {
  const console = await openLicenceConsole(folder, callService(service));
  const { deps, database } = console;
  const request = { connectionId, kind, licenceNumber: '20418', machine: here };
  const wish = kind === 'move' ? { ...request, fromMachine: there } : request;
  const plan = unwrap(await planChange(wish, deps.calls, deps.store, deps.ctx));
  const life = dieAt(point);
  await runChange(plan.id, { name: here }, withKillPoints(console, life.pass));
  database.close();
  return { plan, points: life.passed() };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'licences-'));
  try {
    await work(folder);
  } finally {
    removeFolder(folder);
  }
}

const manners: Manner[] = ['honest', 'silent-does-it', 'says-no-does-it'];

describe.each(['register', 'unregister', 'move'] as const)('a %s killed between any two steps', (kind) => {
  it.each(resumeActions)(
    'is found at the next start, says only what is so, and can be resumed by “%s”',
    async (action) => {
      let points = Number.POSITIVE_INFINITY;
      for (let point = 1; point <= points; point++) {
        for (const manner of action === 'finish' ? manners : manners.slice(0, 1)) {
          await inFolder(async (folder) => {
            const service = expectStart(kind);
            service.manner.register = manner;
            service.manner.unregister = manner;
            const { plan } = await startAndDie(folder, service, kind, point);
            const console = await openLicenceConsole(folder, callService(service));
            const change = expectAgreement(console, service, plan.id, `${kind}, point ${point}, ${manner}`);
            if (change)
              await resumeAs(action, console, service, change, `${kind}, ${action}, point ${point}, ${manner}`);
            console.database.close();
          });
        }
        if (points === Number.POSITIVE_INFINITY) points = await countPoints(kind);
      }
      expect(points).toBeGreaterThan(8);
    },
  );
});

describe('an undo killed between any two steps', () => {
  it('closes what it undid, once, as soon as its own effect was seen', async () => {
    let point = 0;
    for (let isKilled = true; isKilled; ) {
      point += 1;
      await inFolder(async (folder) => {
        const service = expectStart('unregister');
        const { plan } = await startAndDie(folder, service, 'unregister', 0);
        const before = await openLicenceConsole(folder, callService(service));
        passTime(10 * 60_000);
        const undo = unwrap(await planUndo(plan.id, before.deps));
        const life = dieAt(point);
        await runChange(undo.id, { name: here }, withKillPoints(before, life.pass));
        before.database.close();
        isKilled = life.passed() >= point;

        const { deps, database } = await openLicenceConsole(folder, callService(service));
        const [open] = findUnfinishedChanges(deps);
        if (open) {
          expect(open.id).toBe(undo.id);
          passTime(10 * 60_000);
          const read = unwrap(await checkChange(undo.id, deps));
          if (read.state === 'interrupted') unwrap(await finishChange(undo.id, read.reads.at(-1)?.at ?? null, deps));
        }
        const what = `point ${point}`;
        const isUndone = deps.store.change(undo.id)?.verdict === 'seen';
        expect(isUndone || service.writes.length === 1, what).toBe(true);
        const undone = deps.ctx.journal.ofChange(plan.id).filter(({ event }) => event === 'undone');
        expect(undone, what).toHaveLength(isUndone ? 1 : 0);
        expect(deps.store.change(plan.id)?.offers, what).toEqual(isUndone ? [] : ['undo']);
        expect(verifyJournal(database.sql, before.anchorFile).intact, what).toBe(true);
        database.close();
      });
    }
    expect(point).toBeGreaterThan(8);
  });
});

describe('a resumption', () => {
  it('long after a kill during a write waits for its time from the start that found it', async () => {
    await inFolder(async (folder) => {
      const service = expectStart('register');
      service.manner.register = 'silent-does-nothing';
      const before = await openLicenceConsole(folder, callService(service));
      const request = { connectionId, kind: 'register' as const, licenceNumber: '20418', machine: here };
      const plan = unwrap(await planChange(request, before.deps.calls, before.deps.store, before.deps.ctx));
      const dieOnceSent = () => {
        if (service.writes.length > 0) throw new Killed();
      };
      await runChange(plan.id, { name: here }, withKillPoints(before, dieOnceSent));
      before.database.close();
      passTime(60 * 60_000);
      const { deps, database } = await openLicenceConsole(folder, callService(service));
      expect(findUnfinishedChanges(deps)).toMatchObject([{ writeAfter: expect.any(String) }]);
      const read = unwrap(await checkChange(plan.id, deps));
      const finish = () => finishChange(plan.id, read.reads.at(-1)?.at ?? null, deps);
      expect(await finish()).toMatchObject({ error: { code: 'unfinished-change' } });
      passTime(10 * 60_000);
      expect(await finish()).toMatchObject({ ok: true });
      expect(service.writes).toHaveLength(2);
      database.close();
    });
  });

  it('that is killed is found again, however often', async () => {
    await inFolder(async (folder) => {
      const service = expectStart('move');
      let { plan }: { plan: LicenceChange } = await startAndDie(folder, service, 'move', 5);
      expect(service.writes).toEqual([]);
      let starts = 0;
      for (let point = 1; point < 60; point++) {
        const console = await openLicenceConsole(folder, callService(service));
        const open = expectAgreement(console, service, plan.id, `resumption, point ${point}`);
        starts += 1;
        if (!open) {
          console.database.close();
          break;
        }
        plan = open;
        // The person reads twice, half a minute apart, and finishes once the time of the last write has passed. The program is killed at any point of this.
        const killed = withKillPoints(console, dieAt(point).pass);
        await checkChange(open.id, killed);
        passTime(31_000);
        await checkChange(open.id, killed);
        passTime(10 * 60_000);
        await finishChange(open.id, console.deps.store.change(open.id)?.reads.at(-1)?.at ?? null, killed);
        console.database.close();
      }
      expect(starts).toBeGreaterThan(5);
      expect([service.holds(there), service.holds(here)]).toEqual([false, true]);
      // The first run was killed before its first write was sent, so each of the two writes was sent once.
      expect(service.writes.map(({ write }) => write)).toEqual(['unregister', 'register']);
    });
  });
});

async function countPoints(kind: ChangeKind): Promise<number> {
  let points = 0;
  await inFolder(async (folder) => {
    points = (await startAndDie(folder, expectStart(kind), kind, 0)).points;
  });
  return points;
}
