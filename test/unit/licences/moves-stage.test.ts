import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MovesBoxes } from '../../../renderer/features/bulk/moves/moves-boxes.tsx';
import { describeStage, headlineOf, stageOf } from '../../../renderer/features/bulk/moves/moves-stage.ts';
import { requestDrafts } from '../../../renderer/features/licences/flow.ts';
import type { Bulk } from '../../../shared/domain/licences/licence-bulk.ts';

const moves = (more: Partial<Bulk>, states: readonly string[]): Bulk =>
  ({
    state: 'paused',
    moveTo: 'NEW',
    pause: null,
    confirmed: states.map((_, index) => index + 1),
    rows: states.map((state, index) => ({ row: index + 1, state, licenceReference: `WY-${index + 1}`, advised: true })),
    ...more,
  }) as unknown as Bulk;
const say = (bulk: Bulk): string => describeStage(stageOf(bulk, new Map()));

test('a move that something stopped says what it was, where no row of it says so', () => {
  expect(say(moves({ pause: 'The keychain is locked.' }, ['planned', 'planned']))).toBe(
    'The keychain is locked. None of the moves was sent. Nothing is written automatically.',
  );
  expect(say(moves({}, ['seen', 'planned']))).toBe('The rest was not sent. Nothing is written automatically.');
});

test('a move that waits for a row names it', () => {
  const pause = 'WY-1 was read and was not as planned.';
  expect(say(moves({ pause }, ['on-its-way', 'planned']))).toBe(
    'WY-1 was read and was not as planned. The rest was not sent. Nothing is written automatically.',
  );
  // A person stopped it, or the program ended.
  expect(say(moves({}, ['on-its-way', 'planned']))).toBe(
    'WY-1 was not seen as planned. The rest was not sent. Nothing is written automatically.',
  );
});

test('a row that a person went past is not the reason why the rest waits now', () => {
  expect(say(moves({ pause: 'The keychain is locked.' }, ['on-its-way', 'seen', 'planned']))).toBe(
    'The keychain is locked. The rest was not sent. Nothing is written automatically.',
  );
});

test('a move of which every row was left out says so, and not that each was seen', () => {
  const bulk = moves({ leftOut: [1, 2] }, ['planned', 'planned']);
  expect(say(bulk)).toBe('Each was left out.');
  expect(headlineOf(stageOf(bulk, new Map()), bulk)).toBe('None of the moves was sent');
});

test('that something is read again is said only of what is on its way', () => {
  const end = 'Nothing more is written automatically.';
  expect(say(moves({}, ['seen', 'on-its-way']))).toBe(`${end} What is on its way is read again.`);
  for (const state of ['not-seen', 'failed', 'half-done', 'unknown'])
    expect(say(moves({}, ['seen', state])), state).toBe(end);
  const left = moves({}, ['seen', 'on-its-way']);
  left.rows = left.rows.map((row) => (row.state === 'on-its-way' ? { ...row, closed: true } : row));
  expect(say(left)).toBe(end);
});

test('a move all of whose rows were seen says what was seen', () => {
  const bulk = moves({ state: 'done', leftOut: [3] }, ['seen', 'seen', 'planned']);
  expect(say(bulk)).toBe('Each was seen there, and not seen where it came from.');
  expect(headlineOf(stageOf(bulk, new Map()), bulk)).toBe('2 of 2 seen on NEW');
});

test('a licence is named by its reference, also where the machine’s answer has its id with leading zeros', () => {
  const bulk = moves({}, ['seen']);
  const rows = bulk.rows.map((row) => ({ ...row, licenceNumber: '20418', from: 'OLD' }));
  const before = [
    { machine: 'OLD', licenceNumbers: ['0020418'], askedAt: '2026-11-21T09:00:00.000Z', thisMachine: false },
  ];
  const shown = { ...bulk, rows, before };
  const markup = renderToStaticMarkup(
    createElement(MovesBoxes, { bulk: shown, stage: stageOf(shown, new Map()), machines: [] }),
  );
  expect(markup.replace(/<[^>]*>/g, ' ')).toMatch(/ Before +WY-1, /);
});

test('what was typed for a change is one draft for its licence in either form of its id', () => {
  expect(requestDrafts('c', 'move', '0020418')).toEqual(requestDrafts('c', 'move', '20418'));
});
