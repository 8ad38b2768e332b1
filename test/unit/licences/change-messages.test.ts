import { expect, test } from 'vitest';
import { checkChange } from '../../../electron/core/licences/change/change-states.ts';
import { beginUnverifiedWrite } from '../../../electron/core/licences/change/unverified-write.ts';
import {
  changeHeadline,
  countCalls,
  describeProgress,
  describeWrite,
} from '../../../renderer/features/licences/change/change-messages.ts';
import type { LicenceChange } from '../../../shared/domain/licences/licence-change.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import { connectionId, here, openTempLicences, passTime } from '../../helpers/licence-console.ts';
import { unwrap } from '../../helpers/temp-database.ts';

const operations = [
  ['GetLicenseDetails, twice', 'reads'],
  ['UnregisterLicense', 'writes'],
  ['GetLicenseDetails, twice', 'reads'],
  ['RegisterLicense', 'writes'],
  ['GetLicenseDetails', 'reads'],
] as const;
const move = (taken: number, more: object): LicenceChange =>
  ({
    kind: 'move',
    state: 'running',
    steps: operations.map(([operation, effect], index) => ({
      number: index + 1,
      operation,
      effect,
      state: index < taken ? 'done' : 'planned',
    })),
    writes: [],
    reads: [],
    before: [{}, {}],
    ...more,
  }) as unknown as LicenceChange;

test('a plan counts every call that it would send, a finished change those that were sent', () => {
  expect(countCalls(move(0, { state: 'planned' }))).toBe('2 writes, 5 reads');
  expect(countCalls(move(2, { writes: [{ left: true }], reads: [{}] }))).toBe('2 writes, 5 reads');
  const stopped = { state: 'interrupted', writes: [{ left: true }], reads: [{}, {}, {}, {}] };
  expect(countCalls(move(2, stopped))).toBe('1 write, 6 reads');
  const whole = { state: 'finished', writes: [{ left: true }, { left: true }], reads: [{}, {}, {}] };
  expect(countCalls(move(5, whole))).toBe('2 writes, 5 reads');
});

test('a machine is shown as being read until its answer has come', () => {
  const said = [1, 2, 3, 4].map((taken) => describeProgress(move(taken, {}), true));
  expect(said.map((text) => /(is being asked|was asked)/.exec(text)?.[1])).toEqual([
    'is being asked',
    'was asked',
    'is being asked',
    'was asked',
  ]);
});

test('a machine that is read after a write without a usable answer is not shown as being asked any more', () => {
  for (const state of ['unknown', 'failed']) {
    const { steps } = move(1, {});
    const cut = steps.map((step) => ({
      ...step,
      ...(step.number === 2 && { state }),
      ...(step.number === 3 && { state: 'running' }),
    }));
    expect(describeProgress(move(1, { steps: cut }), true)).toMatch(/^No usable answer came to the write/);
  }
});

test('a write is called sent by nothing but its answer', () => {
  const [read, write, ...rest] = move(1, {}).steps;
  const cut = {
    state: 'interrupted',
    writes: [{ left: true }],
    steps: [read, { ...write, state: 'unknown' }, ...rest],
  };
  expect(countCalls(move(1, cut))).toBe('1 write begun, 2 reads');
  expect(describeWrite({ write: 'register', left: true })).toBe('RegisterLicense begun');
  expect(describeWrite({ write: 'unregister', left: false })).toBe('UnregisterLicense not sent');
});

test.each([
  [true, 'licence 20418 was still seen on HFD-LT-0219'],
  [false, 'Not seen as planned: unregister licence 20418 from HFD-LT-0219'],
])(
  'a licence that was to be taken off is called still seen only where a read named it: %s',
  async (isNamed, headline) => {
    const { service, console, remove } = await openTempLicences();
    if (isNamed) service.bind('20418', here);
    const { deps } = console;
    const request = { connectionId, kind: 'unregister', licenceNumber: '20418', machine: here } as const;
    unwrap(unwrap(beginUnverifiedWrite(request, deps))(fail(appError('sent-no-answer'))));
    const [open] = deps.store.unfinishedChanges();
    passTime(11 * 60_000);
    // Without another answer that names a licence, one that names none decides nothing.
    const ended = unwrap(await checkChange(open?.id ?? '', deps, 'start'));
    expect(ended).toMatchObject({ state: 'finished', verdict: 'not-seen' });
    expect(changeHeadline(ended, false)).toBe(headline);
    remove();
  },
);
