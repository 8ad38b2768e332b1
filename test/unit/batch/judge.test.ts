import { expect, test } from 'vitest';
import { judgePremise, judgeSearch } from '../../../electron/core/batch/run/judge.ts';
import type { Address } from '../../../shared/domain/address/address.ts';
import { fromRestPremiseA, fromRestPremiseB } from '../../../shared/domain/address/address-from-rest.ts';
import { fromSoapAddressPremise } from '../../../shared/domain/address/address-from-soap.ts';

const id = '00284147';
const given = { ok: true, kind: 'udprns', id, text: id } as const;
const judge = (address: Address) =>
  judgePremise(given, judgeSearch(given, { kind: 'nothing' }, ['exists']), [{ address }], null);
const street = 'Tannery Row';

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
