import { writeCsv } from '../../../shared/domain/text/csv.ts';

export const sampleName = 'sample-addresses.csv';

/** Twelve rows, one of each kind, of a postcode that the demo service always has. The help page says what becomes of each. */
export function sampleTable(): { text: string; rows: number } {
  const at = (address: string, organisation = '', postcode = 'HR10 2DT') => [
    organisation,
    address,
    'Hereford',
    postcode,
  ];
  const rows = [
    at('2 Tannery Row'),
    at('6 Tannery Row', 'Weir End Upholstery'),
    at('Apt 3, 20 Tannery Row', '', 'hr102dt'),
    at('30a Tannery Row'),
    at('Unit 10, Tannery Yard', 'Cafe Noemie'),
    at('The Old Bark Huose'),
    at('26 Tannery Row', 'Lugg Valley Cycles'),
    at('20 Tannery Row'),
    at('Flat 12, 20 Tannery Row'),
    at('14 Tannery Row', '', 'HR10 2D'),
    at('2 Tannery Row'),
    ['', '', '', ''],
  ];
  return {
    text: writeCsv(
      ['Customer', 'Organisation', 'Address', 'Town', 'Postcode'].map((head) => ({ head })),
      rows.map((cells, index) => [`C-${1001 + index}`, ...cells]),
    ),
    rows: rows.length,
  };
}
