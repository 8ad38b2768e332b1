import { writeCsv } from '../../../shared/domain/csv.ts';

/** A table of made-up addresses, to see how a batch goes: what is in it shows every kind of row. */
export function sampleTable(): { text: string; rows: number } {
  const rows = [
    ['C-1001', '', '2 Tannery Row', 'Hereford', 'HR10 2DT'],
    ['C-1002', 'Weir End Upholstery', '6 Tannery Row', 'Hereford', 'HR10 2DT'],
    ['C-1003', '', 'Flat 3, 12 Kiln Brow', 'Kendal', 'LA24 9RX'],
    ['C-1004', '', '7a Mill Lade', 'Galashiels', 'TD16 3WN'],
    ['C-1005', '', '2 Tannery Row', 'Hereford', 'hr102dt'],
    ['C-1006', '', '14 Tannery Row', 'Hereford', 'HR10 2D'],
    ['C-1007', '', '', '', ''],
  ];
  return {
    text: writeCsv(
      ['Customer', 'Organisation', 'Address', 'Town', 'Postcode'].map((head) => ({ head })),
      rows,
    ),
    rows: rows.length,
  };
}
