import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkChange,
  findUnfinishedChanges,
  finishChange,
  runChange,
} from '../../../electron/core/licences/change/change-states.ts';
import { planChange } from '../../../electron/core/licences/change/plan.ts';
import { planUndo } from '../../../electron/core/licences/change/undo.ts';
import { verifyJournal } from '../../../electron/core/licences/journal/journal-verify.ts';
import type { LicenceChange } from '../../../shared/domain/licences/licence-change.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { removeFolder } from '../../helpers/folders.ts';
import {
  connectionId,
  here,
  type LicenceConsole,
  openLicenceConsole,
  passTime,
  there,
} from '../../helpers/licence-console.ts';
import { callService, LicenceService } from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// Two people who work on one change at the same time, and a licence that is found again between two reads.

let folder: string;
let service: LicenceService;
let one: LicenceConsole;
let other: LicenceConsole;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'licences-together-'));
  service = new LicenceService();
  one = await openLicenceConsole(folder, callService(service));
  other = await openLicenceConsole(folder, callService(service));
});
afterEach(() => {
  expect(verifyJournal(one.database.sql, one.anchorFile).intact).toBe(true);
  one.database.close();
  other.database.close();
  removeFolder(folder);
});

const plan = async (kind: 'register' | 'unregister' | 'move'): Promise<LicenceChange> =>
  unwrap(
    await planChange(
      {
        connectionId,
        kind,
        licenceNumber: '20418',
        machine: kind === 'unregister' ? there : here,
        ...(kind === 'move' ? { fromMachine: there } : {}),
      },
      one.deps.calls,
      one.deps.store,
      one.deps.ctx,
    ),
  );
const lastRead = (id: string) => one.deps.store.change(id)?.reads.at(-1)?.at ?? null;

describe('two processes at once', () => {
  /** A move whose licence is seen on neither machine, so only its second write is left. */
  async function halfDone(): Promise<LicenceChange> {
    service.bind('20418', there);
    service.manner.register = 'silent-does-nothing';
    const change = unwrap(await runChange((await plan('move')).id, { name: here }, one.deps));
    service.manner.register = 'honest';
    expect(change.verdict).toBe('half-done');
    passTime(11 * 60_000);
    return change;
  }

  it('that finish one change write once: the other learns that it was continued', async () => {
    const change = await halfDone();
    const seen = lastRead(change.id);
    const before = service.writes.length;
    const ends = await Promise.all([one, other].map(({ deps }) => finishChange(change.id, seen, deps)));
    expect(service.writes.slice(before).map(({ write }) => write)).toEqual(['register']);
    expect(ends.filter((end) => end.ok)).toHaveLength(1);
    expect(ends.find((end) => !end.ok)).toMatchObject({ error: { code: 'unfinished-change' } });
    expect(one.deps.store.change(change.id)).toMatchObject({ state: 'finished', verdict: 'seen' });
  });

  it('one finishing and one only reading write once, and both end by what was read', async () => {
    const change = await halfDone();
    const seen = lastRead(change.id);
    const before = service.writes.length;
    await Promise.all([checkChange(change.id, other.deps), finishChange(change.id, seen, one.deps)]);
    expect(service.writes.length - before).toBeLessThanOrEqual(1);
    const stored = one.deps.store.change(change.id);
    // If the read came first, finishing is refused until that read has been seen. The stored state is complete in either case.
    expect(['finished', 'interrupted']).toContain(stored?.state);
    expect(stored?.state === 'finished').toBe(service.holds(here));
  });

  // Reads before it decides, its own look at the database, and its write: the other comes at each of them.
  describe.each(['finishes it', 'undoes it'] as const)(
    'of whom the first %s and the second does the other',
    (first) => {
      it.each([1, 2, 3, 4, 5, 6])('at its call %i of the service: one writes', async (nth) => {
        const change = await halfDone();
        const seen = lastRead(change.id);
        const back = unwrap(await planUndo(change.id, one.deps));
        const before = service.writes.length;
        const finish = ({ deps }: LicenceConsole) => finishChange(change.id, seen, deps);
        const undo = ({ deps }: LicenceConsole) => runChange(back.id, { name: there }, deps);
        let second: Promise<unknown> | undefined;
        let calls = 0;
        const whenCalled =
          <A extends unknown[], T>(call: (...given: A) => Promise<T>) =>
          async (...given: A): Promise<T> => {
            calls += 1;
            if (calls === nth) second = first === 'finishes it' ? undo(other) : finish(other);
            // The other goes on while this call is answered.
            for (let turn = 0; turn < nth * 3; turn += 1) await Promise.resolve();
            return call(...given);
          };
        const { list, details, register, unregister } = one.deps.calls;
        const deps = {
          ...one.deps,
          calls: {
            list: whenCalled(list),
            details: whenCalled(details),
            register: whenCalled(register),
            unregister: whenCalled(unregister),
          },
        };
        const ended = await (first === 'finishes it' ? finish({ ...one, deps }) : undo({ ...one, deps }));
        await second;
        expect(service.writes.slice(before)).toHaveLength(1);
        expect([here, there].filter((machine) => service.holds(machine))).toHaveLength(1);
        expect(ended.ok).toBe(service.holds(first === 'finishes it' ? here : there));
        expect(one.deps.store.change(change.id)).toMatchObject({ state: 'finished' });
        expect(findUnfinishedChanges(one.deps)).toEqual([]);
      });
    },
  );

  it('that start one plan write once', async () => {
    const { id } = await plan('register');
    const ends = await Promise.all([one, other].map(({ deps }) => runChange(id, { name: here }, deps)));
    expect(service.writes).toHaveLength(1);
    expect(ends.filter((end) => end.ok)).toHaveLength(1);
  });
});

describe('a licence that is there again between two reads', () => {
  /** Unregisters a licence; `named` says for each read after the write whether the machine has it. */
  async function unregisterSeeing(named: readonly boolean[]) {
    service.bind('20418', there);
    const change = await plan('unregister');
    const reads = [...named];
    let written = false;
    service.onWrite = () => {
      written = true;
    };
    const { details } = one.deps.calls;
    const calls = {
      ...one.deps.calls,
      details: async (machine: string): ReturnType<typeof details> => {
        const isNamed = written ? reads.shift() : undefined;
        if (isNamed === undefined) return details(machine);
        const answer = unwrap((await details(machine)) as Result<{ value: never[] }>);
        const licence = service.licences[0] as never;
        return ok({ ...answer, value: isNamed ? [licence] : [] }) as never;
      },
    };
    return { change: unwrap(await runChange(change.id, { name: there }, { ...one.deps, calls })), calls };
  }

  it('is not taken as removed by the reads before and after', async () => {
    const { change } = await unregisterSeeing([false, true]);
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    expect(change.claims[0]).toMatchObject({ kind: 'seen', machine: there });
    // After it was named again, one read without it counts as one, whatever was read before.
    passTime(60_000);
    const after = unwrap(await checkChange(change.id, one.deps));
    expect(after).toMatchObject({ state: 'interrupted' });
    expect(after.claims.map(({ kind }) => kind)).toContain('named-none');
    passTime(31_000);
    const last = unwrap(await checkChange(change.id, one.deps));
    expect(last).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(last.claims[0]).toMatchObject({ kind: 'not-seen', reads: 2 });
  });

  it('is seen by any later read after it was taken as removed: nothing claimed that it stays away', async () => {
    const { change } = await unregisterSeeing([false, false]);
    expect(change).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(change.conclusion).toMatch(/^WY-20418 was not seen on HFD-LT-0147 in 2 reads, the last /);
    service.bind('20418', there);
    const again = await planChange(
      { connectionId, kind: 'unregister', licenceNumber: '20418', machine: there },
      one.deps.calls,
      one.deps.store,
      one.deps.ctx,
    );
    expect(again).toMatchObject({ ok: true, value: { warnings: expect.not.arrayContaining([{ code: 'not-bound' }]) } });
  });
});
