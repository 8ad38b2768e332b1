import { describe, expect, test } from 'vitest';
import { rewriteRequest } from '../../../shared/domain/lookup/rewrite-request.ts';

const read = (text: string) => {
  const result = rewriteRequest(text);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

describe('rewriting', () => {
  test('includeGeoData=true becomes uprn=true at the same cost, or is dropped for one credit less', () => {
    const rewriting = read(
      'https://service.example/v1/GetPremise?key=0123456789abcdef&id=00123456&includeGeoData=true',
    );
    expect(rewriting).toMatchObject({
      before: 'https://service.example/v1/GetPremise?key=••••cdef&id=00123456&includeGeoData=true',
      creditsBefore: 2,
      change: 0,
      after: [
        { text: 'https://service.example/v1/GetPremise?key=••••cdef&id=00123456&uprn=true', credits: 2 },
        { text: 'https://service.example/v1/GetPremise?key=••••cdef&id=00123456', credits: 1 },
      ],
    });
  });

  test('includeGeoData=false is dropped', () => {
    const rewriting = read('/GetPremise?includeGeoData=false&id=1&key=0123456789abcdef');
    expect(rewriting).toMatchObject({
      creditsBefore: 1,
      change: 0,
      after: [{ text: '/GetPremise?id=1&key=••••cdef', credits: 1 }],
    });
    expect(rewriting.after).toHaveLength(1);
  });

  test.each([
    'includegeodata=TRUE',
    'IncludeGeoData=1',
    'includeGeoData=true&includeGeoData=true',
    '%69ncludeGeoData=%74rue',
  ])('%s is found', (parameter) => {
    expect(read(`/GetPremise?id=1&${parameter}`).after[0].text).toBe('/GetPremise?id=1&uprn=true');
  });

  test('a request without includeGeoData needs no change', () => {
    expect(read('/GetPremise?id=1&uprn=true')).toMatchObject({
      creditsBefore: 2,
      change: 0,
      after: [{ text: '/GetPremise?id=1&uprn=true' }, {}],
    });
    expect(read('/GetPremise?id=1')).toMatchObject({ creditsBefore: 1, change: 0 });
  });

  test('the text around stays, unknown parameters too, with its secrets masked', () => {
    const rewriting = read(
      `curl -H "ApiKey: 0123456789abcdef" 'https://h/v1/GetPremise?id=0%201&includeGeoData=true&x=a+b&key=abc' --max-time 5`,
    );
    expect(rewriting.after[0].text).toBe(
      `curl -H "ApiKey: ••••cdef" 'https://h/v1/GetPremise?id=0%201&x=a+b&key=••••&uprn=true' --max-time 5`,
    );
    expect(JSON.stringify(rewriting)).not.toContain('0123456789ab');
  });

  test('an address copied out of XML keeps its separators', () => {
    expect(read('https://h/GetPremise?id=1&amp;includeGeoData=true&amp;key=0123456789abcdef').after[0].text).toBe(
      'https://h/GetPremise?id=1&amp;key=••••cdef&amp;uprn=true',
    );
  });

  test.each(['', 'https://h/Search?query=x', 'https://h/GetPremise', 'https://h/GetPremiseGeoData?id=1'])(
    '%s is refused',
    (text) => {
      expect(rewriteRequest(text)).toMatchObject({ ok: false, error: { code: 'bad-input', field: 'text' } });
    },
  );
});
