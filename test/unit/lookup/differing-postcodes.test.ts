import { expect, test } from 'vitest';
import { differingPostcodes } from '../../../renderer/features/lookup/premise/differing-postcodes.ts';

const answer = (postcode: string) => ({
  fields: [{ name: 'postcode', label: 'Postcode', value: postcode, source: 'REST' }],
});

test('an answer about another postcode than the row that was opened is recognised', () => {
  expect(differingPostcodes('4 Tannery Row, Hereford, HR10 2DT', answer('HR10 2DX'))).toEqual({
    listed: 'HR10 2DT',
    answered: 'HR10 2DX',
  });
});

test.each([
  ['4 Tannery Row, Hereford, HR10 2DT', 'hr102dt'],
  ['4 Tannery Row', 'HR10 2DX'],
  ['Premise 00284147', 'HR10 2DX'],
  ['4 Tannery Row, HR10 2DT', ''],
  ['', ''],
])('%j and %j prove no difference', (line, postcode) => {
  expect(differingPostcodes(line, answer(postcode))).toBeNull();
});
