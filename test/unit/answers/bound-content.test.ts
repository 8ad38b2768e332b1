import { describe, expect, it } from 'vitest';
import { boundContent } from '../../../electron/core/answers/bound-content.ts';
import type { AnswerContent, FoundPremise } from '../../../electron/core/answers/stored-answer.ts';
import type { Address, AddressOrigin } from '../../../shared/domain/address/address.ts';

// The tests count the characters that are stored, merged and copied to the window.

const source: AddressOrigin = { interface: 'rest', operation: 'GetPremise', shape: 'A' };
const premise = (more: Partial<Address>): AnswerContent => ({
  kind: 'premise',
  address: { premiseId: '1', fields: {}, emptyFields: [], lines: null, other: [], origin: source, ...more },
});
const addressOf = (content: AnswerContent): Address | undefined =>
  content.kind === 'premise' ? content.address : undefined;
const search = (results: FoundPremise[], total: number | null = null): AnswerContent => ({
  kind: 'search',
  results,
  total,
  maxResults: null,
  text: 'AB1 2DF',
});
const row = (premiseId: string, line = '1 High Street'): FoundPremise => ({ premiseId, line, kind: 'premise' });

describe('what is stored of an answer beside its raw text', () => {
  it('is everything if the service sends what is published', () => {
    const content = premise({
      fields: { street: { value: 'High Street', source } },
      lines: { values: ['1 High Street', 'x'.repeat(20_000)], source },
      other: [{ name: 'colour', value: 'y'.repeat(20_000), source }],
    });
    expect(boundContent(content)).toEqual(content);
    const found = search([row('1'), row('2', 'z'.repeat(2000))]);
    expect(boundContent(found)).toBe(found);
  });

  it('is the beginning of a value of megabytes, with its length', () => {
    const long = 'A long text with <marks>, a, b. '.repeat(245_000);
    const fields = { street: { value: long, source }, postcode: { value: 'AB1 2DF', source } };
    const address = addressOf(boundContent(premise({ fields, other: [{ name: long, value: long, source }] })));
    expect(address?.fields.street?.value.slice(0, 20_000)).toBe(long.slice(0, 20_000));
    expect(address?.fields.street?.value.slice(20_000)).toBe(' … (7,840,000 characters; the raw answer has them all)');
    expect(address?.fields.postcode?.value).toBe('AB1 2DF');
    expect(JSON.stringify(address).length).toBeLessThan(45_000);
  });

  it('is bounded over many long values together, and each cut value says so', () => {
    const other = Array.from({ length: 1000 }, (_, n) => ({ name: `n${n}`, value: 'v'.repeat(20_000), source }));
    const address = addressOf(boundContent(premise({ other })));
    expect(JSON.stringify(address).length).toBeLessThan(1_000_000);
    expect(address?.other).toHaveLength(1000);
    for (const { value } of address?.other ?? [])
      expect(value.length === 20_000 || value.endsWith('(20,000 characters; the raw answer has them all)')).toBe(true);
  });

  it('leaves out a row whose identifier could not be requested, but counts it in the total', () => {
    const bounded = boundContent(search([row('1'), row('9'.repeat(101)), row('2', 'x'.repeat(9000))]));
    expect(bounded).toMatchObject({ results: [{ premiseId: '1' }, { premiseId: '2' }], total: 3, leftOut: 1 });
    const line = bounded.kind === 'search' ? (bounded.results[1]?.line ?? '') : '';
    expect(line).toHaveLength(2000 + ' … (9,000 characters; the raw answer has them all)'.length);
    expect(boundContent(search([row('9'.repeat(101))], 40))).toMatchObject({ results: [], total: 40 });
  });
});
