import { describe, expect, test } from 'vitest';
import { maskSecretsIn } from '../../../renderer/features/rewrite/mask-text.ts';
import { rewriteText } from '../../../renderer/features/rewrite/rewrite-text.ts';

const secret = '0123456789abcdef';
const base = 'https://service.example/v1';

describe('masking what is pasted', () => {
  test.each([
    `${base}/GetPremise?key=${secret}&id=00284147`,
    `fetch('${base}/Search?query=HR10&key=${secret}')`,
    `curl "${base}/GetPremise?id=1&key=${secret}" -H 'X-Api-Key: ${secret}'`,
    `const API_KEY = '${secret}';`,
    `"apiKey": "${secret}"`,
    `lookupKey := "${secret}"`,
    `<LicenceID>${secret}</LicenceID>`,
    `<ns:sGUID xsi:type="string"> ${secret} </ns:sGUID>`,
    `${base}/GetPremise?%6bey=${secret}`,
    `LICENCE_KEY=${secret}`,
  ])('%s', (text) => {
    const masked = maskSecretsIn(text);
    expect(masked).not.toContain(secret);
    expect(masked).toContain('••••cdef');
    expect(maskSecretsIn(masked)).toBe(masked);
  });

  test('leaves what is no secret as it is', () => {
    const text = `for id in 00284147 00284148; do curl '${base}/GetPremise?id=00284147&uprn=true'; done`;
    expect(maskSecretsIn(text)).toBe(text);
  });
});

describe('rewriting a whole text', () => {
  const text = [
    `curl '${base}/GetPremise?key=${secret}&id=1&includeGeoData=true'`,
    `curl '${base}/GetPremise?key=${secret}&id=2&includeGeoData=false'`,
    `curl '${base}/GetPremiseGeoData?key=${secret}&id=2'`,
    `curl '${base}/GetPremise?key=${secret}&id=3'`,
  ].join('\n');

  test('every request to GetPremise, each with its line and its cost, and nothing else', () => {
    const result = rewriteText(maskSecretsIn(text), false);
    expect(result.requests.map(({ line }) => line)).toEqual([1, 2, 4]);
    expect([result.before, result.after]).toEqual([4, 4]);
    expect(result.text.split('\n')).toEqual([
      `curl '${base}/GetPremise?key=••••cdef&id=1&uprn=true'`,
      `curl '${base}/GetPremise?key=••••cdef&id=2'`,
      `curl '${base}/GetPremiseGeoData?key=••••cdef&id=2'`,
      `curl '${base}/GetPremise?key=••••cdef&id=3'`,
    ]);
  });

  test('the cheaper way leaves the UPRN out', () => {
    const result = rewriteText(maskSecretsIn(text), true);
    expect([result.before, result.after]).toEqual([4, 3]);
    expect(result.text).not.toContain('uprn');
  });
});
