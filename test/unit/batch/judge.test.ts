import { describe, expect, test } from 'vitest';
import { judgePremise, judgeSearch } from '../../../electron/core/batch/run/judge.ts';
import type { Address } from '../../../shared/domain/address/address.ts';
import { fromRestPremiseA, fromRestPremiseB } from '../../../shared/domain/address/address-from-rest.ts';
import { fromSoapAddressPremise } from '../../../shared/domain/address/address-from-soap.ts';

const id = '00284147';
const given = { ok: true, kind: 'udprns', id, text: id } as const;
const judge = (address: Address) =>
  judgePremise(given, judgeSearch(given, { kind: 'nothing' }, ['exists']), [{ address }], null);
const street = 'Tannery Row';
const addressRow = (premise: string) =>
  ({
    ok: true,
    kind: 'addresses',
    given: { organisation: '', premise, town: 'Hereford', postcode: 'HR10 2DT' },
    text: '',
  }) as const;

test.each([id, '284147', ` ${id}`])('the UDPRN of a row is that of the answer, written there as “%s”', (udprn) => {
  expect(judge(fromRestPremiseA({ id, street, udprn }))).toMatchObject({
    result: 'exact',
    reason: 'exact',
    notUsed: '[]',
  });
});

test('the answer names another UDPRN', () => {
  expect(judge(fromRestPremiseA({ id, street, udprn: '00284148' }))).toMatchObject({
    result: 'differs',
    reason: 'differs-udprn',
    notUsed: JSON.stringify([id]),
  });
});

test.each([
  ['shape A, where it came empty', fromRestPremiseA({ id, street, udprn: '' })],
  ['shape B', fromRestPremiseB({ id, street })],
  ['SOAP', fromSoapAddressPremise({ Unique_Delivery_Point: id, Street: street }, 'GetPremiseAddress')],
])('the answer names no UDPRN, as in %s: nothing of the row is said to be other than it is', (_where, address) => {
  expect(judge(address)).toMatchObject({
    result: 'differs',
    reason: 'udprn-not-in-answer',
    text: `${street}; the answer names no UDPRN`,
    notUsed: '[]',
  });
});

test('the address of a flat in shape A has the localities of its lines, so that they are no words too many', () => {
  const row = addressRow('Flat 2, 5 Tannery Row, Rotherwas');
  const results = [{ premiseId: id, line: '5 Tannery Row, Rotherwas, Bartonsham, Hereford, HR10 2DT' }];
  const judged = judgeSearch(row, { kind: 'search', results, cut: false, namesFlats: false }, ['full']);
  expect(judged.needsAddress).toBe(true);
  const address = fromRestPremiseA({
    id,
    subBuilding: 'Flat 2',
    buildingNumber: '5',
    street,
    district: 'Bartonsham',
    city: 'Hereford',
    postalCode: 'HR10 2DT',
    line1: 'Flat 2',
    line2: '5 Tannery Row',
    line3: 'Rotherwas',
    line4: 'Bartonsham',
  });
  expect(judgePremise(row, judged, [{ address }], null)).toMatchObject({
    result: 'exact',
    text: 'Flat 2, 5 Tannery Row, Rotherwas, Bartonsham, HEREFORD, HR10 2DT',
    notUsed: '[]',
  });
});

describe('a list all of whose premises are in another postcode does not show that the one asked exists', () => {
  const search = (...lines: string[]) =>
    ({
      kind: 'search',
      results: lines.map((line, index) => ({ premiseId: `${index}`, line })),
      cut: false,
      namesFlats: true,
    }) as const;
  const given = { organisation: '', premise: '1 Quay', town: '', postcode: 'HR10 2DT' };
  const row = (kind: 'postcodes' | 'addresses') => ({ ok: true, kind, given, text: '' }) as const;
  const [one, two] = ['1 Quay, Lerwick, ZE1 0AA', '2 Quay, Lerwick, ze10ab'];

  test.each(['postcodes', 'addresses'] as const)('%s', (kind) => {
    const { change, premiseId } = judgeSearch(row(kind), search(one, two), ['exists']);
    expect(premiseId).toBeNull();
    expect(change).toMatchObject({
      result: 'premise-not-found',
      reason: 'other-postcode',
      text: 'HR10 2DT: the premises looked at are in ZE1 0AA, ZE1 0AB',
    });
  });

  test('one that may be in it is enough', () => {
    for (const line of ['3 Quay, Hereford, hr102dt', '3 Quay, Hereford'])
      expect(judgeSearch(row('postcodes'), search(one, line), ['exists']).change.result).toBe('exact');
  });
});

test('a row without a flat is not exact where the address of its premise is a flat’s, which the search did not name', () => {
  const row = addressRow('12 High Street');
  const results = [
    { premiseId: '00284148', line: 'Acme Ltd, 12 High Street, Hereford, HR10 2DT' },
    { premiseId: id, line: '12 High Street, Hereford, HR10 2DT' },
  ];
  const judged = judgeSearch(row, { kind: 'search', results, cut: false, namesFlats: false }, ['full']);
  expect(judged.change).toMatchObject({ result: 'exact', premiseId: id });
  const parts = { id, buildingNumber: '12', street: 'High Street', city: 'Hereford', postalCode: 'HR10 2DT' };
  const of = (more: object) => judgePremise(row, judged, [{ address: fromRestPremiseA({ ...parts, ...more }) }], null);
  expect(of({ subBuilding: 'Flat 1' })).toMatchObject({ result: 'differs', reason: 'flat-not-given', premiseId: id });
  expect(of({})).toMatchObject({ result: 'exact' });
  // Less than the line says: nothing speaks against it.
  expect(of({ city: '' })).toMatchObject({ result: 'exact' });
});
