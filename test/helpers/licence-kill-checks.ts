import { expect } from 'vitest';
import {
  checkChange,
  dismissChange,
  findUnfinishedChanges,
  finishChange,
  runChange,
} from '../../electron/core/licences/change/change-states.ts';
import { positionOf } from '../../electron/core/licences/change/evidence.ts';
import { planUndo } from '../../electron/core/licences/change/undo.ts';
import { verifyJournal } from '../../electron/core/licences/journal/journal-verify.ts';
import type { ChangeKind, ChangeOffer, LicenceChange } from '../../shared/domain/licences/licence-change.ts';
import { here, type LicenceConsole, passTime, there } from './licence-console.ts';
import { LicenceService } from './licence-service.ts';
import { unwrap } from './temp-database.ts';

export const resumeActions = ['check', 'finish', 'undo', 'dismiss'] as const satisfies ChangeOffer[];

/** A service in the state before a change of that kind. */
export function expectStart(kind: ChangeKind): LicenceService {
  const service = new LicenceService();
  if (kind === 'unregister') service.bind('20418', here);
  if (kind === 'move') service.bind('20418', there);
  return service;
}

const startOf = (kind: ChangeKind) => ({ here: kind === 'unregister', there: kind === 'move' });
const goalOf = (kind: ChangeKind) => ({ here: kind !== 'unregister', there: false });
const stateOf = (service: LicenceService) => ({ here: service.holds(here), there: service.holds(there) });

/**
 * Checks after a restart that the journal, the service and the window's sentence agree. Returns the change if it is unfinished,
 * undefined if there is nothing left to do.
 */
export function expectAgreement(
  console: LicenceConsole,
  service: LicenceService,
  changeId: string,
  what: string,
): LicenceChange | undefined {
  const { deps, database, anchorFile } = console;
  const open = findUnfinishedChanges(deps);
  expect(findUnfinishedChanges(deps), `${what}: found once`).toEqual(open);
  expect(verifyJournal(database.sql, anchorFile), what).toMatchObject({ intact: true });
  const entries = deps.ctx.journal.ofChange(changeId);
  const sendings = entries.filter((entry) => entry.event === 'sending').length;
  expect(service.writes.length, `${what}: each write that arrived is in the journal`).toBeLessThanOrEqual(sendings);
  const change = open.find(({ id }) => id === changeId);
  if (!change) {
    const closed = deps.store.change(changeId);
    if (entries.length === 0) {
      expect(service.writes, `${what}: nothing journalled, nothing sent`).toEqual([]);
      expect(closed?.state, what).toBe('planned');
    } else {
      expect(closed, what).toMatchObject({ state: 'finished', verdict: 'seen' });
      expect(stateOf(service), what).toEqual(goalOf(closed?.kind ?? 'move'));
    }
    return undefined;
  }
  expect(change.state, what).toBe('interrupted');
  expect(entries.at(-1), what).toMatchObject({ state: 'interrupted', hash: change.journal?.hash });
  expectWordsToBeTrue(change, service, what);
  return change;
}

function expectWordsToBeTrue(change: LicenceChange, service: LicenceService, what: string): void {
  const { conclusion } = change;
  const sayings: [string, boolean][] = [
    ['before a change was sent', service.writes.length === 0],
    ['may have been sent', true],
    ['before it had been read to its end', true],
    ['On its way', true],
    ['Half done: seen on neither', !service.holds(here) && !service.holds(there)],
  ];
  const said = sayings.filter(([words]) => conclusion.includes(words));
  expect(
    said.map(([words]) => words),
    `${what}: ${conclusion}`,
  ).not.toHaveLength(0);
  expect(conclusion).not.toMatch(/confirmed|proved|certain|no longer/);
  for (const [words, isTrue] of said) expect(isTrue, `${what}: ${words}: ${conclusion}`).toBe(true);
  if (change.verdict === 'half-done') {
    expect(change.kind, what).toBe('move');
    expect(service.holds(here), what).toBe(service.holds(there));
  }
  expect(positionOf(change), `${what}: what was seen as planned is not unfinished`).not.toBe('goal');
  const nothingSent = conclusion.includes('before a change was sent');
  expect(change.offers.includes('undo'), `${what}: ${conclusion}`).toBe(!nothingSent);
}

/** Reads twice, half a minute apart, which is what the program needs to call a licence absent. */
async function readTwice({ deps }: LicenceConsole, { id }: LicenceChange): Promise<LicenceChange> {
  const first = unwrap(await checkChange(id, deps));
  if (first.state === 'finished') return first;
  passTime(31_000);
  return unwrap(await checkChange(id, deps));
}

const differs = (a: object, b: object): boolean => JSON.stringify(a) !== JSON.stringify(b);

/** Resumes an unfinished change by one of its offers and checks the result at the service. */
export async function resumeAs(
  action: (typeof resumeActions)[number],
  console: LicenceConsole,
  service: LicenceService,
  change: LicenceChange,
  what: string,
): Promise<void> {
  const { deps } = console;
  const sent = service.writes.length;
  const before = stateOf(service);
  const expectNoneSent = () => expect(service.writes.length, `${what}: nothing sent`).toBe(sent);
  if (action === 'check') {
    const checked = await readTwice(console, change);
    expectNoneSent();
    if (!differs(before, goalOf(change.kind)))
      expect(checked, what).toMatchObject({ state: 'finished', verdict: 'seen' });
    else if (!change.offers.includes('undo'))
      expect(checked, what).toMatchObject({ state: 'finished', verdict: 'not-seen' });
    else if (!differs(before, startOf(change.kind)))
      expect(checked, what).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
    else expect(checked, what).toMatchObject({ state: 'interrupted', verdict: 'half-done' });
  } else if (action === 'finish') {
    const read = change.offers.includes('undo') ? await readTwice(console, change) : change;
    if (read.state === 'interrupted') {
      const early = await finishChange(change.id, read.reads.at(-1)?.at ?? null, deps);
      if (!early.ok) {
        expect(early.error.code, what).toBe('unfinished-change');
        expectNoneSent();
        passTime(10 * 60_000);
        // Finishing needs the time of the last read, so a person who did not see that read cannot finish.
        expect(await finishChange(change.id, '2020-01-01T00:00:00.000Z', deps), what).toMatchObject({ ok: false });
        expectNoneSent();
        unwrap(await finishChange(change.id, read.reads.at(-1)?.at ?? null, deps));
      }
    }
    expect(deps.store.change(change.id), what).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(stateOf(service), what).toEqual(goalOf(change.kind));
    const expected = change.kind === 'move' ? ['unregister', 'register'] : [change.kind];
    expect(
      service.writes.map(({ write }) => write),
      `${what}: each write arrived once`,
    ).toEqual(expected);
  } else if (action === 'undo') {
    passTime(10 * 60_000);
    const undo = await planUndo(change.id, deps);
    expectNoneSent();
    if (!undo.ok) {
      // Nothing took effect, or nothing was sent.
      expect(before, what).toEqual(startOf(change.kind));
      return;
    }
    const undone = unwrap(await runChange(undo.value.id, { name: undo.value.machine }, deps));
    expect(undone, what).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(stateOf(service), what).toEqual(startOf(change.kind));
    expect(deps.store.change(change.id), what).toMatchObject({ state: 'finished' });
  } else {
    expect(unwrap(await dismissChange(change.id, deps)), what).toMatchObject({ state: 'dismissed' });
    expectNoneSent();
  }
  const left = findUnfinishedChanges(deps).map(({ id }) => id);
  const stillOpen = deps.store.change(change.id)?.state === 'interrupted';
  expect(left, what).toEqual(stillOpen ? [change.id] : []);
  expect(verifyJournal(console.database.sql, console.anchorFile).intact, what).toBe(true);
}
