import { expect, test } from 'vitest';
import { matchAddress } from '../../../electron/core/batch/match/match-address.ts';

test('an answer without a premise has none that fits', () => {
  const given = { organisation: '', premise: '2 Tannery Row', town: 'Hereford', postcode: 'HR10 2DT' };
  expect(matchAddress(given, [])).toEqual({ result: 'none', reason: 'none', notUsed: [], fitting: [] });
});
