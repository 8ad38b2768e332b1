import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
  checkChange,
  dismissChange,
  findUnfinishedChanges,
  finishChange as finishBy,
  runChange,
} from '../../../electron/core/licences/change/change-states.ts';
import { planChange } from '../../../electron/core/licences/change/plan.ts';
import { writeReceipt } from '../../../electron/core/licences/change/receipt.ts';
import { planUndo } from '../../../electron/core/licences/change/undo.ts';
import { beginUnverifiedWrite } from '../../../electron/core/licences/change/unverified-write.ts';
import { verifyJournal } from '../../../electron/core/licences/journal/journal-verify.ts';
import { changeHeadline, countCalls } from '../../../renderer/features/licences/change/change-messages.ts';
import { momentPattern } from '../../../shared/claims/moment.ts';
import { settingsSchema } from '../../../shared/contract/app.ts';
import type { ChangeKind, LicenceChange } from '../../../shared/domain/licences/licence-change.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import {
  connectionId,
  here,
  type LicenceConsole,
  openLicenceConsole,
  openTempLicences,
  passTime,
  there,
} from '../../helpers/licence-console.ts';
import {
  callService,
  type LicenceService,
  type Manner,
  makeLicence,
  type Write,
} from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

let folder: string;
let service: LicenceService;
let console: LicenceConsole;
let remove: () => void;

beforeEach(async () => {
  ({ folder, service, console, remove } = await openTempLicences());
});
afterEach(() => {
  expect(verifyJournal(console.database.sql, console.anchorFile).intact).toBe(true);
  remove();
});

const plan = async (kind: ChangeKind, licenceNumber = '20418'): Promise<LicenceChange> =>
  unwrap(
    await planChange(
      { connectionId, kind, licenceNumber, machine: here, ...(kind === 'move' ? { fromMachine: there } : {}) },
      console.deps.calls,
      console.deps.store,
      console.deps.ctx,
    ),
  );
const run = async (change: LicenceChange): Promise<LicenceChange> =>
  unwrap(await runChange(change.id, { name: change.machine }, console.deps));
/** Finishes a change as a person who has seen the last read. */
const finishChange = (id: string, deps: LicenceConsole['deps']) =>
  finishBy(id, deps.store.change(id)?.reads.at(-1)?.at ?? null, deps);
/** Reads twice, half a minute apart, which is what the program needs to call a licence absent. */
const readTwice = async (id: string): Promise<LicenceChange> => {
  const first = unwrap(await checkChange(id, console.deps));
  if (first.state === 'finished') return first;
  passTime(31_000);
  return unwrap(await checkChange(id, console.deps));
};
const later = () => passTime(10 * 60_000);
const eventsOf = (change: LicenceChange) => console.deps.ctx.journal.ofChange(change.id).map((entry) => entry.event);

describe('an honest service', () => {
  it('registers, proved by reading back, with the service’s words beside it', async () => {
    const change = await run(await plan('register'));
    expect(change).toMatchObject({
      state: 'finished',
      verdict: 'seen',
      serviceText: ['OK 20418'],
      offers: ['undo'],
      journal: { first: 1, last: 5 },
    });
    expect(change.steps.map((step) => [step.state, step.result])).toEqual([
      ['done', 'Named for HFD-LT-0219: none'],
      ['done', 'the service returned “OK 20418”'],
      ['done', expect.stringMatching(/^WY-20418 was seen on HFD-LT-0219, read .*\.$/)],
    ]);
    expect(change.conclusion).toMatch(
      new RegExp(`^WY-20418 was seen on HFD-LT-0219, read (?=\\d+ \\w+ \\d{4}, )${momentPattern}\\.$`),
    );
    expect(eventsOf(change)).toEqual(['intent', 'sending', 'answered', 'read-back', 'finished']);
    expect(service.writes).toHaveLength(1);
    expect(console.deps.store.change(change.id)).toEqual(change);
  });

  it('moves by unregister, proof, register, proof', async () => {
    service.bind('20418', there);
    const change = await run(await plan('move'));
    expect(change).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(service.writes.map(({ write, machine }) => [write, machine])).toEqual([
      ['unregister', there],
      ['register', here],
    ]);
    expect(change.after.map((holding) => [holding.machine, holding.licenceNumbers])).toEqual([
      [there, []],
      [here, ['20418']],
    ]);
    const entries = console.deps.ctx.journal.ofChange(change.id);
    expect(entries.at(-1)).toMatchObject({ verdict: 'seen', state: 'finished', by: `admin on ${here}` });
    expect(entries.at(-1)?.before.map((holding) => holding.licenceNumbers)).toEqual([['20418'], []]);
    expect(entries.at(-1)?.after.map((holding) => holding.licenceNumbers)).toEqual([[], ['20418']]);
  });

  it('has the intent and each sending on disk before the write leaves', async () => {
    service.bind('20418', there);
    const change = await plan('move');
    const seen: string[][] = [];
    const said: (string | undefined)[] = [];
    service.onWrite = () => {
      seen.push(eventsOf(change));
      said.push(console.deps.store.change(change.id)?.conclusion);
    };
    await run(change);
    const first = ['intent', 'sending'];
    expect(seen).toEqual([first, [...first, 'answered', 'read-back', 'read-back', 'sending']]);
    expect(said).toEqual(['Under way: UnregisterLicense was begun.', 'Under way: RegisterLicense was begun.']);
  });

  it('reports each transition once, in order', async () => {
    const change = await run(await plan('register'));
    expect(console.told.map((told) => `${told.state} ${told.steps.map((step) => step.state).join(' ')}`)).toEqual([
      'running done planned planned',
      'running done running planned',
      'running done done planned',
      'running done done running',
      'running done done done',
      'finished done done done',
    ]);
    expect(console.told.at(-1)).toEqual(change);
  });

  it('continues if a listener throws', async () => {
    console.deps.onStep = () => {
      throw new Error('window gone');
    };
    expect((await run(await plan('register'))).verdict).toBe('seen');
  });

  it.each(['register', 'unregister', 'move'] as const)(
    'undoes a %s by its inverse, planned and proved',
    async (kind) => {
      if (kind !== 'register') service.bind('20418', kind === 'move' ? there : here);
      const before = [service.holds(here), service.holds(there)];
      const change = await run(await plan(kind));
      const undo = unwrap(await planUndo(change.id, console.deps));
      expect(undo).toMatchObject({ state: 'planned', undoOf: change.id });
      const undone = await run(undo);
      expect(undone.verdict).toBe('seen');
      expect([service.holds(here), service.holds(there)]).toEqual(before);
      expect(console.deps.store.change(change.id)).toMatchObject({
        state: 'finished',
        verdict: 'seen',
        offers: [],
      });
      expect(eventsOf(change).at(-1)).toBe('undone');
      expect(await planUndo(change.id, console.deps)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    },
  );
});

describe('a confirmation', () => {
  it.each(['hfd-lt-0219', 'HFD-LT-0219 ', '', 'HFD-LT-0147'])('of %j sends nothing', async (name) => {
    const change = await plan('register');
    expect(await runChange(change.id, { name }, console.deps)).toMatchObject({
      ok: false,
      error: { code: 'not-confirmed' },
    });
    expect(service.writes).toEqual([]);
    expect(eventsOf(change)).toEqual([]);
  });

  it('of an outdated plan sends nothing', async () => {
    const change = await plan('register');
    service.bind('7', here);
    const result = await runChange(change.id, { name: here }, console.deps);
    expect(result).toMatchObject({ ok: false, error: { code: 'plan-outdated' } });
    expect(service.writes).toEqual([]);
    expect(eventsOf(change)).toEqual([]);
  });

  it('works once for a plan, and not for an unknown plan', async () => {
    const change = await run(await plan('register'));
    expect(await runChange(change.id, { name: here }, console.deps)).toMatchObject({
      ok: false,
      error: { code: 'plan-outdated' },
    });
    expect(await runChange('nothing', { name: here }, console.deps)).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });
    expect(service.writes).toHaveLength(1);
  });

  it('given twice at once runs once', async () => {
    const change = await plan('register');
    const results = await Promise.all([1, 2, 3].map(() => runChange(change.id, { name: here }, console.deps)));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(service.writes).toHaveLength(1);
  });

  it('of two plans for one licence at once runs one', async () => {
    const plans = [await plan('register'), await plan('register')];
    const results = await Promise.all(plans.map((change) => runChange(change.id, { name: here }, console.deps)));
    expect(results.map((result) => (result.ok ? result.value.verdict : result.error.code)).sort()).toEqual([
      'seen',
      'unfinished-change',
    ]);
    expect(service.writes).toHaveLength(1);
  });
});

describe('a service that lies', () => {
  const cases: [Write, Manner, 'seen' | 'on-its-way', string][] = (['register', 'unregister'] as const).flatMap(
    (write): [Write, Manner, 'seen' | 'on-its-way', string][] => [
      [write, 'says-yes-does-nothing', 'on-its-way', 'done'],
      [write, 'says-no-does-it', 'seen', 'done'],
      [write, 'fault-does-it', 'seen', 'unknown'],
      [write, 'silent-does-it', 'seen', 'unknown'],
      [write, 'silent-does-nothing', 'on-its-way', 'unknown'],
    ],
  );
  test.each(cases)('%s, %s: %s by reading', async (write, manner, verdict, answered) => {
    if (write === 'unregister') service.bind('20418', here);
    service.manner[write] = manner;
    const change = await run(await plan(write));
    expect(change).toMatchObject({ state: verdict === 'seen' ? 'finished' : 'interrupted', verdict });
    expect(service.holds(here)).toBe((write === 'register') === (verdict === 'seen'));
    expect(change.steps[1]?.state).toBe(answered);
    expect(change.steps[2]?.state).toBe(verdict === 'seen' ? 'done' : 'failed');
    expect(service.writes).toHaveLength(1);
  });

  it('stops a move whose unregister did nothing, before its second write', async () => {
    service.bind('20418', there);
    service.manner.unregister = 'says-yes-does-nothing';
    const change = await run(await plan('move'));
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    expect(change.steps.map((step) => step.state)).toEqual(['done', 'done', 'failed', 'planned', 'planned']);
    expect(change.conclusion).toMatch(
      /^WY-20418 was seen on HFD-LT-0147, .* On its way: read 2 times, .* Step 4 was not sent\.$/,
    );
    expect(service.writes).toHaveLength(1);
  });

  it('stops a move whose register did nothing, says that it is half done, and undoes the first write', async () => {
    service.bind('20418', there);
    service.manner.register = 'says-yes-does-nothing';
    const change = await run(await plan('move'));
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'half-done' });
    expect(change.offers).toEqual(['check', 'finish', 'undo', 'dismiss']);
    expect(change.conclusion).toMatch(
      /^Half done: seen on neither\. WY-20418 was not seen on HFD-LT-0147 in 2 reads, /,
    );
    service.manner.register = 'honest';
    // The register call may still take effect until its time has passed.
    expect(await planUndo(change.id, console.deps)).toMatchObject({ ok: false, error: { code: 'unfinished-change' } });
    later();
    const back = unwrap(await planUndo(change.id, console.deps));
    expect(back).toMatchObject({ kind: 'register', machine: there, undoOf: change.id });
    expect((await run(back)).verdict).toBe('seen');
    expect(service.holds(there)).toBe(true);
    const undone = console.deps.store.change(change.id) as LicenceChange;
    expect(undone).toMatchObject({ state: 'finished', verdict: 'half-done', undoneBy: back.id, claims: [] });
    expect(changeHeadline(undone, false)).toBe('Undone: move WY-20418 from HFD-LT-0147 to HFD-LT-0219');
    expect(undone.conclusion).toMatch(/^Undone: WY-20418 was seen on HFD-LT-0147, read /);
    expect(writeReceipt(undone)).toMatch(/^Verdict +half done, undone later$/m);
    expect(findUnfinishedChanges(console.deps)).toEqual([]);
  });

  it('is not finished while what undoes it is on its way, nor undone while it is being finished', async () => {
    service.bind('20418', there);
    service.manner.register = 'silent-does-nothing';
    const change = await run(await plan('move'));
    later();
    const back = unwrap(await planUndo(change.id, console.deps));
    const again = unwrap(await planUndo(change.id, console.deps));
    // The undo is planned before the change is finished, and confirmed while the finishing write is being sent.
    let undone: Promise<unknown> = Promise.resolve();
    service.onWrite = () => {
      service.onWrite = () => {};
      undone = runChange(back.id, { name: there }, console.deps);
    };
    expect(await finishChange(change.id, console.deps)).toMatchObject({ ok: true });
    expect(await undone).toMatchObject({ error: { code: 'unfinished-change' } });
    expect(await runChange(again.id, { name: there }, console.deps)).toMatchObject({
      error: { code: 'unfinished-change' },
    });
    expect(service.writes.map(({ machine }) => machine)).toEqual([there, here, here]);
    later();
    expect(await run(again)).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    expect(service.writes).toHaveLength(4);
    expect(await finishChange(change.id, console.deps)).toMatchObject({ error: { code: 'unfinished-change' } });
    expect(service.writes).toHaveLength(4);
  });

  it('finishes a move that stopped half way without unregistering again, and only by a person who saw the last read', async () => {
    service.bind('20418', there);
    service.manner.register = 'silent-does-nothing';
    const change = await run(await plan('move'));
    service.manner.register = 'honest';
    expect(await finishChange(change.id, console.deps)).toMatchObject({ error: { code: 'unfinished-change' } });
    later();
    for (const unseen of [null, '2026-01-01T00:00:00.000Z'])
      expect(await finishBy(change.id, unseen, console.deps)).toMatchObject({ error: { code: 'plan-outdated' } });
    expect(service.writes).toHaveLength(2);
    const finished = unwrap(await finishChange(change.id, console.deps));
    expect(finished).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(service.writes.map(({ write }) => write)).toEqual(['unregister', 'register', 'register']);
  });

  it('writes nothing again where the read of its finish differs from what the person saw', async () => {
    service.bind('20418', here);
    service.manner.unregister = 'silent-does-nothing';
    const change = await run(await plan('unregister'));
    later();
    service.bound.clear();
    unwrap(await checkChange(change.id, console.deps));
    service.bind('20418', here);
    expect(await finishChange(change.id, console.deps)).toMatchObject({ error: { code: 'plan-outdated' } });
    expect(service.writes).toHaveLength(1);
  });

  /** Stores `count` later changes of the licence that have ended, as the rows of a bulk change. */
  const endLater = (change: LicenceChange, count: number): void => {
    for (let row = 1; row <= count; row += 1)
      console.deps.store.saveChange({
        ...change,
        id: `row-${row}`,
        machine: `PC-${row}`,
        state: 'finished',
        verdict: 'seen',
        plannedAt: new Date(Date.parse(change.plannedAt) + row).toISOString(),
      });
  };

  it('is found however many later changes its licence has', async () => {
    service.manner.register = 'silent-does-nothing';
    const change = await run(await plan('register'));
    expect(change.state).toBe('interrupted');
    endLater(change, 60);
    expect(console.deps.store.unfinishedOf('20418').map(({ id }) => id)).toEqual([change.id]);
  });

  it('keeps its ten minutes once it is ended, however many other changes of its licence ended after it', async () => {
    service.manner.register = 'silent-does-nothing';
    const change = await run(await plan('register'));
    expect(unwrap(await dismissChange(change.id, console.deps))).toMatchObject({ state: 'dismissed' });
    endLater(change, 60);
    service.manner.register = 'honest';
    const next = await plan('register');
    expect(await runChange(next.id, { name: here }, console.deps)).toMatchObject({
      error: {
        code: 'unfinished-change',
        message: expect.stringContaining('has a change that was sent and has not been seen yet'),
      },
    });
    expect(service.writes).toHaveLength(1);
    // The same after a restart of the program, but no longer once the time has passed.
    console.database.close();
    console = await openLicenceConsole(folder, callService(service));
    expect(await runChange(next.id, { name: here }, console.deps)).toMatchObject({
      error: { code: 'unfinished-change' },
    });
    later();
    expect(unwrap(await runChange(next.id, { name: here }, console.deps))).toMatchObject({ verdict: 'seen' });
    expect(service.writes).toHaveLength(2);
  });

  it('finishes without sending if the write took effect late', async () => {
    service.bind('20418', there);
    service.manner.register = 'silent-does-nothing';
    const change = await run(await plan('move'));
    service.bind('20418', here);
    later();
    const finished = unwrap(await finishChange(change.id, console.deps));
    expect(finished).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(service.writes).toHaveLength(2);
  });

  it('is read to the end of its schedule, then closed as not seen, and updated if it takes effect even later', async () => {
    service.manner.register = 'silent-does-nothing';
    let change = await run(await plan('register'));
    const ended = Date.parse(change.writes[0]?.endedAt ?? '');
    const after: number[] = [];
    while (change.nextRead !== null && change.nextRead !== 'next-start') {
      passTime(Math.max(0, Date.parse(change.nextRead) - console.deps.ctx.now()));
      after.push(Math.round((Date.parse(change.nextRead) - ended) / 1000));
      change = unwrap(await checkChange(change.id, console.deps, 'schedule'));
    }
    expect(after).toEqual([65, 605]);
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way', nextRead: 'next-start' });
    change = unwrap(await checkChange(change.id, console.deps, 'start'));
    expect(change).toMatchObject({ state: 'finished', verdict: 'not-seen', nextRead: null });
    expect(change.conclusion).toMatch(/Not seen as planned after 5 reads until /);
    service.bind('20418', here);
    expect(unwrap(await checkChange(change.id, console.deps))).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(service.writes).toHaveLength(1);
  });

  it('is read by its schedule alone where the machine answered once and not again', async () => {
    service.bind('20418', here);
    const { calls } = console.deps;
    let answers = 0;
    console.deps.calls = {
      ...calls,
      // The reads of the plan and before the write, and the first one after it.
      details: async (machine) => {
        answers += 1;
        if (answers > 3) service.unreadable.add(machine);
        return calls.details(machine);
      },
    };
    let change = await run(await plan('unregister'));
    const ended = Date.parse(change.writes[0]?.endedAt ?? '');
    const after: number[] = [];
    while (change.nextRead !== null && change.nextRead !== 'next-start' && after.length < 20) {
      passTime(Math.max(0, Date.parse(change.nextRead) - console.deps.ctx.now()));
      after.push(Math.round((Date.parse(change.nextRead) - ended) / 1000));
      change = unwrap(await checkChange(change.id, console.deps, 'schedule'));
    }
    expect(after).toEqual([65, 605]);
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way', nextRead: 'next-start' });
  });

  it('is read twice more, and not every minute, after the computer was started again or slept', async () => {
    service.manner.register = 'silent-does-nothing';
    let change = await run(await plan('register'));
    passTime(20 * 60_000);
    const { ctx } = console.deps;
    const { uptime } = ctx;
    const start = uptime() - 20_000;
    ctx.uptime = () => uptime() - start;
    change = unwrap(await checkChange(change.id, console.deps, 'start'));
    const at: number[] = [];
    while (change.nextRead !== null && change.nextRead !== 'next-start' && at.length < 20) {
      passTime(Math.max(0, Date.parse(change.nextRead) - ctx.now()));
      at.push(Math.round(ctx.uptime() / 1000));
      change = unwrap(await checkChange(change.id, console.deps, 'schedule'));
    }
    expect(at).toEqual([65, 605]);
    expect(change.nextRead).toBe('next-start');
  });

  it('is read again at once where the second read was asked too early and answered late', async () => {
    service.bind('20418', here);
    const { calls } = console.deps;
    let answers = 0;
    let lastsMs = 0;
    console.deps.calls = {
      ...calls,
      details: async (machine) => {
        const answer = await calls.details(machine);
        answers += 1;
        // The read after the write that ends the run shows an absence of less than half a minute.
        if (answers === 3) console.deps.underWay.stopAfterThisStep(planned.id);
        passTime(lastsMs);
        return answer;
      },
    };
    const planned = await plan('unregister');
    let change = await run(planned);
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    passTime(25_000);
    lastsMs = 10_000;
    change = unwrap(await checkChange(change.id, console.deps));
    lastsMs = 0;
    expect(change.state).toBe('interrupted');
    expect(Date.parse(change.nextRead ?? '')).toBeLessThanOrEqual(console.deps.ctx.now());
    expect(unwrap(await checkChange(change.id, console.deps, 'schedule'))).toMatchObject({ verdict: 'seen' });
  });

  it('stays absent by two reads after the computer was started again, whatever its clock since then says', async () => {
    service.bind('20418', there);
    service.manner.register = 'silent-does-it';
    service.onWrite = (write) => {
      if (write === 'register') service.unreadable.add(here);
    };
    const change = await run(await plan('move'));
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    service.unreadable.clear();
    console.deps.ctx.uptime = () => 12_000;
    expect(unwrap(await checkChange(change.id, console.deps, 'start'))).toMatchObject({
      state: 'finished',
      verdict: 'seen',
    });
  });

  it('of a move is read again where the old machine was named once more after it was not: half done no longer', async () => {
    service.bind('20418', there);
    service.manner.register = 'silent-does-it';
    service.onWrite = (write) => {
      if (write === 'register') service.unreadable.add(here);
    };
    const { id } = await run(await plan('move'));
    service.unreadable.clear();
    // A stale copy answers.
    service.bind('20418', there);
    expect(unwrap(await checkChange(id, console.deps))).toMatchObject({ verdict: 'half-done' });
    expect(await planUndo(id, console.deps)).toMatchObject({ error: { code: 'unfinished-change' } });
    service.bound.get(there)?.clear();
    const change = unwrap(await checkChange(id, console.deps));
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    // The read a minute after the unregister is due at about the same time; on a busy machine a second before this one, which decides.
    expect(Date.parse(change.nextRead ?? '') - console.deps.ctx.now()).toBeLessThanOrEqual(30_000);
    passTime(31_000);
    expect(unwrap(await checkChange(id, console.deps, 'schedule'))).toMatchObject({
      state: 'finished',
      verdict: 'seen',
    });
  });

  it('of a move says that it is half done where the new machine, to which nothing was sent, cannot be read', async () => {
    service.bind('20418', there);
    service.onWrite = () => service.unreadable.add(there).add(here);
    const { id } = await run(await plan('move'));
    service.unreadable.delete(there);
    unwrap(await checkChange(id, console.deps, 'schedule'));
    passTime(31_000);
    const change = unwrap(await checkChange(id, console.deps, 'schedule'));
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'half-done', nextRead: null });
    expect(change.conclusion).toContain('Half done: seen on neither.');
    service.unreadable.clear();
    service.onWrite = () => {};
    later();
    expect(unwrap(await finishChange(id, console.deps))).toMatchObject({ state: 'finished', verdict: 'seen' });
  });

  it('takes two of its own reads for an absence, beside one whose time an earlier version did not note', async () => {
    service.bind('20418', here);
    service.onWrite = () => service.unreadable.add(here);
    let change = await run(await plan('unregister'));
    service.unreadable.clear();
    change = unwrap(await checkChange(change.id, console.deps));
    const [read] = change.reads.slice(-1);
    if (!read) throw new Error('The machine was not read.');
    const early = { ...read, uptime: null, asked: undefined };
    console.deps.store.saveChange({ ...change, reads: [...change.reads.slice(0, -1), early] });
    for (const passed of [60_000, 31_000]) {
      expect(change.state).toBe('interrupted');
      passTime(passed);
      change = unwrap(await checkChange(change.id, console.deps, 'schedule'));
    }
    expect(change).toMatchObject({ state: 'finished', verdict: 'seen' });
  });

  it('is read again in time where a window is open, else at the next start of one', async () => {
    service.manner.register = 'silent-does-nothing';
    const { ctx } = console.deps;
    const change = await run(await plan('register'));
    expect(Date.parse(change.nextRead ?? '')).toBeGreaterThan(ctx.now());
    ctx.readsAgain = () => 'at-start';
    expect(unwrap(await checkChange(change.id, console.deps)).nextRead).toBe('next-start');
    later();
    ctx.readsAgain = () => 'in-time';
    expect(unwrap(await checkChange(change.id, console.deps, 'start'))).toMatchObject({ verdict: 'not-seen' });
  });

  it('refuses to finish a licence that is on both machines', async () => {
    service.bind('20418', there);
    service.manner.register = 'silent-does-nothing';
    const change = await run(await plan('move'));
    service.bind('20418', there);
    service.bind('20418', here);
    later();
    const read = unwrap(await checkChange(change.id, console.deps));
    expect(read.conclusion).toMatch(/^Half done: seen on both\./);
    expect(await finishChange(change.id, console.deps)).toMatchObject({ ok: false, error: { code: 'plan-outdated' } });
    expect(service.writes).toHaveLength(2);
  });

  it('that sometimes answers from a stale copy is not believed after one read', async () => {
    service.bind('20418', here);
    service.manner.unregister = 'says-yes-does-nothing';
    const { details } = console.deps.calls;
    let reads = 0;
    console.deps.calls.details = (machine) => {
      reads += 1;
      // Every second read after those of the plan comes from a stale copy in which the machine has nothing.
      if (reads > 2 && reads % 2 === 1)
        return Promise.resolve({ ok: true, value: { value: [], callId: 'stale', durationMs: 1 } });
      return details(machine);
    };
    const change = await run(await plan('unregister'));
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    expect(change.conclusion).toContain('WY-20418 was seen on HFD-LT-0219');
  });
});

describe('a write that is slow', () => {
  /** The service shows a write only after this many more reads. */
  const lag = (reads: number) => {
    const { details } = console.deps.calls;
    const before = new Map([here, there].map((machine) => [machine, details(machine)]));
    let left = reads;
    console.deps.calls.details = (machine) => {
      left -= 1;
      return left >= 0 ? (before.get(machine) ?? details(machine)) : details(machine);
    };
  };

  it('is read again by schedule after its answer, and nothing is written again meanwhile', async () => {
    service.bind('20418', there);
    const change = await plan('move');
    service.onWrite = () => lag(3);
    const run1 = await run(change);
    expect(run1).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    expect(service.writes.map(({ write }) => write)).toEqual(['unregister']);
    expect(Date.parse(run1.nextRead ?? '')).toBeGreaterThan(console.deps.ctx.now());
    // Neither finishing it nor another plan after it was dismissed may write again.
    expect(await finishChange(change.id, console.deps)).toMatchObject({ error: { code: 'unfinished-change' } });
    unwrap(await dismissChange(change.id, console.deps, 'tried otherwise'));
    const again = await plan('unregister').catch(() => null);
    expect(again).not.toBeNull();
    service.onWrite = () => {};
    const put = unwrap(
      await planChange(
        { connectionId, kind: 'register', licenceNumber: '20418', machine: here },
        console.deps.calls,
        console.deps.store,
        console.deps.ctx,
      ),
    );
    expect(await runChange(put.id, { name: here }, console.deps)).toMatchObject({
      error: { code: 'unfinished-change' },
    });
    expect(service.writes).toHaveLength(1);
    later();
    expect((await run(put)).verdict).toBe('seen');
  });

  it('is seen when it takes effect, by a scheduled read', async () => {
    const change = await plan('register');
    service.onWrite = () => lag(3);
    const first = await run(change);
    expect(first).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    expect(unwrap(await checkChange(change.id, console.deps, 'schedule'))).toMatchObject({ state: 'interrupted' });
    expect(unwrap(await checkChange(change.id, console.deps, 'schedule'))).toMatchObject({
      state: 'finished',
      verdict: 'seen',
    });
  });

  it('keeps its waiting time when the clock is set forward', async () => {
    service.manner.register = 'silent-does-nothing';
    const change = await run(await plan('register'));
    const longest = settingsSchema.shape.timeoutSeconds.maxValue ?? Number.POSITIVE_INFINITY;
    expect(change.writes[0]?.holdMs).toBeGreaterThanOrEqual(2 * longest * 1000);
    const { ctx } = console.deps;
    const set = { ...console.deps, ctx: { ...ctx, now: () => ctx.now() + 24 * 60 * 60_000 } };
    expect(await finishChange(change.id, set)).toMatchObject({ error: { code: 'unfinished-change' } });
    expect(service.writes).toHaveLength(1);
  });
});

describe('a read-back that fails', () => {
  it.each([
    ['honest', 'seen'],
    ['says-yes-does-nothing', 'on-its-way'],
  ] as const)('leaves it unknown, to be checked again (%s)', async (manner, verdict) => {
    service.manner.register = manner;
    service.onWrite = () => service.unreadable.add(here);
    const change = await run(await plan('register'));
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    expect(change.conclusion).toContain('HFD-LT-0219 could not be read');
    // No connection was made, so nothing was asked.
    expect(change.conclusion).toMatch(/ On its way: not read yet\. /);
    expect(countCalls(change)).toBe('1 write, 1 read');
    expect(await checkChange(change.id, console.deps)).toMatchObject({
      ok: false,
      error: { code: 'connect-timeout', message: expect.stringContaining('HFD-LT-0219 could not be read: ') },
    });
    service.unreadable.clear();
    expect(unwrap(await checkChange(change.id, console.deps))).toMatchObject({ verdict });
    expect(service.writes).toHaveLength(1);
  });

  it.each(['register', 'move'] as const)(
    'of a %s is followed by no second write before a person saw a read that answered',
    async (kind) => {
      if (kind === 'move') service.bind('20418', there);
      service.manner.register = 'silent-does-it';
      service.onWrite = (write) => {
        if (write === 'register') service.unreadable.add(here);
      };
      const { id, reads } = await run(await plan(kind));
      expect(reads.filter(({ machine }) => machine === here).map(({ found }) => found)).toEqual(['unread', 'unread']);
      service.unreadable.clear();
      // A stale copy answers.
      service.bound.get(here)?.clear();
      const sent = service.writes.length;
      later();
      expect(await finishChange(id, console.deps)).toMatchObject({
        error: { code: 'plan-outdated', message: expect.stringContaining('Read it first.') },
      });
      expect(service.writes).toHaveLength(sent);
      unwrap(await checkChange(id, console.deps));
      unwrap(await finishChange(id, console.deps));
      expect(service.writes).toHaveLength(sent + 1);
    },
  );

  it.each(['check', 'finish'] as const)(
    'of one machine leaves standing what the other one answered to a person (%s)',
    async (action) => {
      service.bind('20418', there);
      service.manner.register = 'says-yes-does-nothing';
      const { id } = await run(await plan('move'));
      later();
      const read = () => (action === 'check' ? checkChange : finishChange)(id, console.deps);
      const failed = (machine: string) => ({
        error: { code: 'connect-timeout', message: expect.stringContaining(`${machine} could not be read: `) },
      });
      service.bind('20418', there);
      service.unreadable.add(here);
      expect(await read()).toMatchObject(failed(here));
      const change = console.deps.store.change(id);
      expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
      expect(change?.conclusion).toContain(`WY-20418 was seen on ${there}`);
      expect(console.told.at(-1)).toEqual(change);
      // Where none answers nothing is entered.
      service.unreadable.add(there);
      expect(await read()).toMatchObject(failed(there));
      expect(console.deps.store.change(id)).toEqual(change);
      // The answer may be all that was left to see.
      service.bound.get(there)?.clear();
      service.unreadable.delete(there);
      await read();
      passTime(31_000);
      await read();
      service.bind('20418', here);
      service.unreadable.delete(here);
      service.unreadable.add(there);
      expect(unwrap(await read())).toMatchObject({ state: 'finished', verdict: 'seen' });
    },
  );

  it('prevents the second write of a move', async () => {
    service.bind('20418', there);
    service.onWrite = () => service.unreadable.add(there);
    const change = await run(await plan('move'));
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    expect(change.conclusion).toContain('Step 4 was not sent.');
    expect(service.writes).toHaveLength(1);
    service.unreadable.clear();
    service.onWrite = () => {};
    // Two reads half a minute apart show that it was removed, so the second write may be sent at once.
    expect(await readTwice(change.id)).toMatchObject({ state: 'interrupted', verdict: 'half-done', writeAfter: null });
    expect(unwrap(await finishChange(change.id, console.deps)).verdict).toBe('seen');
    expect(service.writes).toHaveLength(2);
  });
});

describe('an unfinished change', () => {
  const leaveUnfinished = async () => {
    service.onWrite = () => service.unreadable.add(here);
    const change = await run(await plan('register'));
    service.unreadable.clear();
    service.onWrite = () => {};
    return change;
  };

  it('is not absent by two reads of which the second was asked at once and answered late', async () => {
    service.bind('20418', here);
    console.deps.ctx.wait = async () => {};
    const { calls } = console.deps;
    const change = await run(await plan('unregister'));
    console.deps.calls = {
      ...calls,
      details: async (machine) => {
        const answer = await calls.details(machine);
        passTime(31_000);
        return answer;
      },
    };
    expect(unwrap(await checkChange(change.id, console.deps)).state).toBe('interrupted');
    expect(unwrap(await checkChange(change.id, console.deps))).toMatchObject({ state: 'finished', verdict: 'seen' });
  });

  it('blocks only other changes of the same licence', async () => {
    service.licences.push(makeLicence('7'));
    const waiting = await plan('unregister', '7');
    const older = await plan('register');
    await leaveUnfinished();
    const request = { connectionId, kind: 'unregister', licenceNumber: '020418', machine: here } as const;
    const { calls, store, ctx } = console.deps;
    expect(await planChange(request, calls, store, ctx)).toMatchObject({ error: { code: 'unfinished-change' } });
    expect(await runChange(older.id, { name: here }, console.deps)).toMatchObject({
      error: { code: 'unfinished-change' },
    });
    expect((await plan('register', '7')).state).toBe('planned');
    expect(waiting.state).toBe('planned');
    const elsewhere = { ...ctx, server: 'https://other.example' };
    expect((await planChange({ ...request, connectionId: 'other' }, calls, store, elsewhere)).ok).toBe(true);
  });

  it('blocks a write that is called by its name alone, of which nothing is journalled', async () => {
    const change = await leaveUnfinished();
    const request = { connectionId, kind: 'register' as const, licenceNumber: '20418', machine: there };
    expect(beginUnverifiedWrite(request, console.deps)).toMatchObject({ error: { code: 'unfinished-change' } });
    expect(console.deps.ctx.journal.unfinished().map(({ changeId }) => changeId)).toEqual([change.id]);
  });

  it('can be dismissed, and is then no longer offered', async () => {
    service.manner.register = 'says-yes-does-nothing';
    const change = await run(await plan('register'));
    expect(findUnfinishedChanges(console.deps).map(({ id }) => id)).toEqual([change.id]);
    const dismissed = unwrap(await dismissChange(change.id, console.deps));
    expect(dismissed).toMatchObject({ state: 'dismissed', verdict: 'on-its-way', offers: [] });
    // The next read that it named is not made any more.
    expect(dismissed.conclusion).toMatch(/, and not read again\. Until then: .*On its way: read .*, next /);
    expect(eventsOf(change).at(-1)).toBe('dismissed');
    expect(findUnfinishedChanges(console.deps)).toEqual([]);
    expect(await finishChange(change.id, console.deps)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    expect((await plan('unregister')).state).toBe('planned');
  });
});

describe('stopping after a step', () => {
  it('reads the write back first and sends no second one', async () => {
    service.bind('20418', there);
    const change = await plan('move');
    service.onWrite = () => expect(console.deps.underWay.stopAfterThisStep(change.id)).toBe(true);
    const stopped = await run(change);
    expect(stopped.state).toBe('interrupted');
    expect(stopped.conclusion).toMatch(
      /^The service named no licence for HFD-LT-0147, read .* On its way: .* Step 4 was not sent\.$/,
    );
    expect(stopped.steps.map((step) => step.state)).toEqual(['done', 'done', 'failed', 'planned', 'planned']);
    expect(eventsOf(change)).toEqual(['intent', 'sending', 'answered', 'read-back', 'stopped']);
    service.onWrite = () => {};
    await readTwice(change.id);
    expect(unwrap(await finishChange(change.id, console.deps)).verdict).toBe('seen');
    expect(console.deps.underWay.stopAfterThisStep(change.id)).toBe(false);
  });

  it('before anything was sent leaves nothing behind', async () => {
    const change = await plan('register');
    const { details } = console.deps.calls;
    console.deps.calls.details = (machine) => {
      console.deps.underWay.stopAfterThisStep(change.id);
      return details(machine);
    };
    expect(await runChange(change.id, { name: here }, console.deps)).toMatchObject({
      ok: false,
      error: { code: 'cancelled' },
    });
    expect(service.writes).toEqual([]);
    expect(eventsOf(change)).toEqual([]);
  });
});

describe('a change that is gone on with and stopped before it writes again', () => {
  it('says of no write that was sent before that it was not sent, nor that no answer came', async () => {
    service.manner.register = 'says-yes-does-nothing';
    const change = await run(await plan('register'));
    expect(change).toMatchObject({ verdict: 'on-its-way', serviceText: ['OK 20418'] });
    later();
    const { details } = console.deps.calls;
    console.deps.calls.details = (machine, signal) => {
      console.deps.underWay.stopAfterThisStep(change.id);
      return details(machine, signal);
    };
    const stopped = unwrap(await finishChange(change.id, console.deps));
    console.deps.calls.details = details;
    expect(service.writes).toHaveLength(1);
    expect(stopped.conclusion).toContain('Stopped before step 2.');
    expect(stopped.conclusion).not.toContain('was not sent');
    expect(stopped.steps[1]?.result).toContain('“OK 20418”');
    const closed = unwrap(await checkChange(change.id, console.deps, 'start'));
    expect(closed).toMatchObject({ state: 'finished', verdict: 'not-seen' });
    const step = writeReceipt(closed)
      ?.split('\n')
      .find((line) => line.startsWith('2. '));
    expect(step).toContain('the service returned “OK 20418”');
    expect(step).not.toContain('skipped');
  });
});

describe('a write that never left', () => {
  it.each([
    'keychain-locked',
    'keychain-absent',
    'keychain-unreadable',
    'no-connection',
    'not-configured',
    'unknown-operation',
    'wrong-origin',
    'policy-forbids',
    'connection-refused',
  ] as const)('for %s is recorded as not sent, and holds up nothing', async (code) => {
    const { calls } = console.deps;
    console.deps.calls = { ...calls, register: async () => fail(appError(code)) };
    const change = await run(await plan('register'));
    expect(change).toMatchObject({
      state: 'finished',
      verdict: 'not-seen',
      writes: [{ left: false }],
      writeAfter: null,
    });
    expect(change.claims.map(({ kind }) => kind)).toEqual(['nothing-left']);
    // Its machine was read, twice: those requests left.
    expect(change.conclusion).toBe('No request to change it left this computer.');
    expect(service.writes).toEqual([]);
    console.deps.calls = calls;
    expect((await run(await plan('register'))).verdict).toBe('seen');
  });
});

it('of a move whose second write never left, that is said beside the licence being on neither machine', async () => {
  service.bind('20418', there);
  const { calls } = console.deps;
  console.deps.calls = { ...calls, register: async () => fail(appError('connection-refused')) };
  const change = await run(await plan('move'));
  expect(change).toMatchObject({ state: 'interrupted', verdict: 'half-done', writeAfter: null });
  expect(change.writes.map(({ step, left }) => [step, left])).toEqual([
    [2, true],
    [4, false],
  ]);
  expect(change.conclusion).toMatch(/^Half done: seen on neither\. .* Step 4 was not sent\.$/);
  expect(unwrap(await checkChange(change.id, console.deps)).conclusion).toMatch(/ Step 4 was not sent\.$/);
  // Gone on with, and stopped before that step is sent again.
  console.deps.calls = {
    ...calls,
    details: (machine, signal) => {
      console.deps.underWay.stopAfterThisStep(change.id);
      return calls.details(machine, signal);
    },
  };
  const stopped = unwrap(await finishChange(change.id, console.deps));
  expect(stopped.conclusion).toMatch(/^Stopped before step 4\. .* Step 4 was not sent\.$/);
  console.deps.calls = calls;
  expect(unwrap(await finishChange(change.id, console.deps))).toMatchObject({ state: 'finished', verdict: 'seen' });
  expect(service.writes).toHaveLength(2);
});

it('a step whose second sending did not leave is not said to be unsent', async () => {
  service.manner.register = 'says-yes-does-nothing';
  const { id } = await run(await plan('register'));
  passTime(20 * 60_000);
  unwrap(await checkChange(id, console.deps));
  console.deps.calls = { ...console.deps.calls, register: async () => fail(appError('connection-refused')) };
  const change = unwrap(await finishChange(id, console.deps));
  expect(change.writes.map(({ step, left }) => [step, left])).toEqual([
    [2, true],
    [2, false],
  ]);
  expect(change.conclusion).not.toContain('was not sent');
});

it('a machine that cannot be asked says so of its own read: the list before it left', async () => {
  console.deps.calls = { ...console.deps.calls, details: async () => fail(appError('connection-refused')) };
  const request = { connectionId, kind: 'register', licenceNumber: '20418', machine: here } as const;
  expect(await planChange(request, console.deps.calls, console.deps.store, console.deps.ctx)).toMatchObject({
    error: { charge: 'not-charged', money: 'This read did not leave this computer.' },
  });
});

it('a change that was killed once its write had not left ends as one that nothing left of', async () => {
  const { ctx } = console.deps;
  const planned = await plan('register');
  console.deps.calls = { ...console.deps.calls, register: async () => fail(appError('no-connection')) };
  const { journal } = ctx;
  ctx.journal = {
    ...journal,
    append(draft, ...rest) {
      if (draft.event === 'finished') throw new Error('killed');
      return journal.append(draft, ...rest);
    },
  };
  await runChange(planned.id, { name: here }, console.deps);
  ctx.journal = journal;
  expect(eventsOf(planned).at(-1)).toBe('answered');
  expect(findUnfinishedChanges(console.deps)).toEqual([]);
  expect(console.deps.store.change(planned.id)).toMatchObject({
    state: 'finished',
    verdict: 'not-seen',
    conclusion: 'No request to change it left this computer.',
  });
});

describe('secrets', () => {
  it('in the service’s words reach neither the journal, the database file, nor the receipt', async () => {
    const guid = '6f9619ff-8b86-d011-b42d-00c04fc9a93c';
    const { register } = console.deps.calls;
    console.deps.calls.register = async (licenceNumber, machine) => {
      const answer = unwrap(await register(licenceNumber, machine));
      return { ok: true, value: { ...answer, value: `OK hunter2-hunter2 {${guid}}` } };
    };
    const change = await run(await plan('register'));
    expect(change.serviceText).toEqual(['OK ••••ter2 ••••a93c']);
    expect(writeReceipt(change)).toContain('“OK ••••ter2 ••••a93c”');
    console.database.sql.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    expect(bytes.length).toBeGreaterThan(1);
    for (const text of bytes) {
      expect(text).not.toContain('hunter2-hunter2');
      expect(text).not.toContain('6f9619ff');
    }
  });
});

describe('the receipt', () => {
  it('says what was proved, by whom, and at which journal entry', async () => {
    service.bind('20418', there);
    const change = await run(await plan('move'));
    const text = writeReceipt(change) ?? '';
    for (const line of [
      /^Verdict +seen as planned$/m,
      /^Licence +WY-20418, id 20418$/m,
      /^From +HFD-LT-0147$/m,
      /^To +HFD-LT-0219$/m,
      /^Closed +\d{1,2} \w+ \d{4}.* (GMT|BST)$/m,
      /^By +admin on HFD-LT-0219$/m,
      /^Journal +entries 1 to 9$/m,
      /^4\. Put licence 20418 on HFD-LT-0219 \[RegisterLicense, writes\]: done, the service returned “OK 20418”/m,
    ]) {
      expect(text).toMatch(line);
    }
    expect(text.replaceAll(' ', '')).toContain(change.journal?.hash ?? 'no hash');
  });

  it('is quoted by later claims, with when it left and until when it was so', async () => {
    service.manner.register = 'silent-does-nothing';
    let change = await run(await plan('register'));
    while (change.state === 'interrupted') {
      passTime(11 * 60_000);
      change = unwrap(await checkChange(change.id, console.deps, 'start'));
    }
    expect(change).toMatchObject({ state: 'finished', verdict: 'not-seen' });
    const { store, ctx } = console.deps;
    const left = new Date(ctx.now()).toISOString();
    for (let copies = 0; copies < 3; copies += 1) store.say('receipt', change.id, connectionId, left);
    expect(console.database.sql.prepare('SELECT count(*) AS n FROM said').get()).toEqual({ n: 1 });
    const words = change.conclusion;
    service.bind('20418', here);
    passTime(60_000);
    change = unwrap(await checkChange(change.id, console.deps));
    expect(change.verdict).toBe('seen');
    const said = change.claims.find(({ kind }) => kind === 'said-then');
    expect(said).toMatchObject({ outlet: 'receipt', at: `${left.slice(0, 19)}Z`, words });
    expect(writeReceipt(change)).toMatch(/^Said before +Until .* this read “Not seen as planned|^Said before +Until /m);
    expect(change.conclusion).not.toContain('Until');
    // The list of another bulk change, in which it was not a row, says nothing about it.
    store.say('list', 'some bulk', connectionId, left);
    expect(store.saidOf(change)).toHaveLength(1);
  });

  it('is not written for an unfinished change', async () => {
    expect(writeReceipt(await plan('register'))).toBeNull();
  });
});

describe('a second program on the same database', () => {
  it('that takes a running change for interrupted stops the first from continuing it', async () => {
    service.bind('20418', there);
    const change = await plan('move');
    const second = await openLicenceConsole(folder, callService(service));
    service.onWrite = () => {
      expect(findUnfinishedChanges(second.deps).map(({ id }) => id)).toEqual([change.id]);
    };
    const result = await runChange(change.id, { name: here }, console.deps);
    expect(result).toMatchObject({ ok: false, error: { code: 'unfinished-change' } });
    expect(service.writes).toHaveLength(1);
    service.onWrite = () => {};
    unwrap(await checkChange(change.id, second.deps));
    passTime(31_000);
    unwrap(await checkChange(change.id, second.deps));
    expect(unwrap(await finishChange(change.id, second.deps)).verdict).toBe('seen');
    expect(service.writes).toHaveLength(2);
    second.database.close();
  });
});

describe('a database that cannot be written', () => {
  it('before sending: nothing is sent', async () => {
    const change = await plan('register');
    console.database.sql.exec('PRAGMA query_only = ON');
    const result = await runChange(change.id, { name: here }, console.deps);
    console.database.sql.exec('PRAGMA query_only = OFF');
    expect(result).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
    expect(service.writes).toEqual([]);
  });

  it('after sending: the intent on disk is offered for checking', async () => {
    const change = await plan('register');
    service.onWrite = () => console.database.sql.exec('PRAGMA query_only = ON');
    const result = await runChange(change.id, { name: here }, console.deps);
    console.database.sql.exec('PRAGMA query_only = OFF');
    expect(result).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
    const [open] = findUnfinishedChanges(console.deps);
    expect(open).toMatchObject({ id: change.id, state: 'interrupted', verdict: 'on-its-way' });
    expect(unwrap(await checkChange(change.id, console.deps))).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(service.writes).toHaveLength(1);
  });
});
