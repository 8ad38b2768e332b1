import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { boxActions } from '../../../renderer/features/lookup/search/box-actions.ts';
import { BoxPanel } from '../../../renderer/features/lookup/search/box-panel.tsx';
import type { SearchWay, Suggestion } from '../../../shared/domain/lookup/lookup.ts';
import { readLookupText } from '../../../shared/domain/lookup/lookup-text.ts';

const way = (protocol: 'rest' | 'soap', credits: number): SearchWay => ({
  interface: protocol,
  operation: protocol === 'rest' ? 'Search' : 'SearchPremise_ByPostcode',
  price: { kind: 'credits', credits },
  expiresAt: null,
});
const both = [way('soap', 0), way('rest', 1)];
const rest = [way('rest', 1)];
const premise: Suggestion = {
  kind: 'premise',
  premiseId: '00284147',
  label: '14 Tannery Row',
  at: '',
  found: 'UPRN or UDPRN',
};
const of = (typed: string, ways: readonly SearchWay[] = both, saved: readonly Suggestion[] = []) =>
  boxActions(readLookupText(typed), ways, saved);

test('Enter takes the first way, the other is beside it', () => {
  expect(of('HR10 2DT')).toMatchObject({
    main: { kind: 'search', label: 'Search', way: { interface: 'soap' } },
    other: { kind: 'search', label: 'Over REST', way: { interface: 'rest' } },
  });
  expect(of('HR10 2DT', rest)).toMatchObject({ main: { way: { interface: 'rest' } }, other: null });
  expect(of('HR10 2DT', [])).toMatchObject({ main: null, other: null });
});

test.each([
  'HR10',
  'M2O 1AA',
  'HR10 2DO',
  '///kettle.orbit.plum',
  '75008 Paris',
  'SO 50803 40125',
  'HR10 2DT, HR10 2DX',
  '100012345678',
  ' ',
])('Enter sends nothing for %j', (typed) => {
  for (const ways of [both, rest]) expect(of(typed, ways).main).toBeNull();
});

test('whatever costs or has no price is a separate choice, after saved answers', () => {
  const { rows, corrections } = of('HR1O 2DT', both, [
    { kind: 'search', answerId: '1', label: 'HR10 2DT', at: '', interface: 'soap' },
  ]);
  expect(corrections).toEqual(['HR10 2DT']);
  expect(rows.map(({ label }) => label)).toEqual([
    'HR10 2DT',
    'Search for it as typed over SOAP',
    'Search for it as typed over REST',
  ]);
  expect(of('HR10').rows[0]).toEqual({ kind: 'streets', label: 'Streets in HR10', price: { kind: 'not-published' } });
  // Only SOAP has a search for streets.
  expect(of('HR10', rest).rows.map(({ kind }) => kind)).toEqual(['search']);
});

test('a number opens a saved answer; eight digits may be requested as a premise, at its price', () => {
  expect(of('08114067', both, [premise]).main).toMatchObject({ kind: 'saved-premise', premiseId: '00284147' });
  expect(of('08114067')).toMatchObject({
    main: { kind: 'open', premiseId: '08114067', protocol: 'rest', price: { kind: 'credits', credits: 1 } },
  });
  expect(of('08114067').rows).toHaveLength(2);
  expect(of('123456', both, [premise]).main).toMatchObject({ kind: 'saved-premise' });
});

test('several postcodes are one choice each, or a batch, which says its own price first', () => {
  const { corrections, rows } = of('HR10 2DT\nHR10 2DX\nHR10 2DT');
  expect(corrections).toEqual(['HR10 2DT', 'HR10 2DX']);
  expect(rows).toEqual([{ kind: 'batch', label: 'Look all of them up as a batch', table: 'HR10 2DT\nHR10 2DX' }]);
});

test('while the search that is shown is under way, only rows that ask nothing of the service can be pressed', () => {
  const disabled = (typed: string, busy: boolean) => {
    const read = readLookupText(typed);
    const markup = renderToStaticMarkup(
      createElement(BoxPanel, {
        ...{ id: 'panel', noteId: 'note', read, actions: boxActions(read, both, [premise]), busy },
        ...{ hasPaused: true, isSavedKnown: true, pasteNote: null, onDo: () => {}, onUse: () => {}, onBack: () => {} },
      }),
    );
    return markup.match(/<button[^>]*>/g)?.map((button) => button.includes('disabled'));
  };
  const postcodes = Array.from({ length: 9 }, (_, n) => `HR10 ${n}DT`).join(', ');
  // Saved, then streets and a search over each interface; premise by its number over each; corrections and a batch.
  expect(disabled('HR10', true)).toEqual([false, true, true, true]);
  expect(disabled('00284147', true)).toEqual([false, true, true]);
  expect(disabled(postcodes, true)).not.toContain(true);
  expect(disabled('HR10', false)).not.toContain(true);
});
