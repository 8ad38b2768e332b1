import { describe, expect, test } from 'vitest';
import { maskSecretsIn } from '../../../renderer/features/rewrite/mask-text.ts';
import { rewriteText } from '../../../renderer/features/rewrite/rewrite-text.ts';
import { secretAnswerFields, secretRequestFields } from '../../../shared/secret-fields.ts';

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
    `params["key"] = "${secret}"`,
    `params("key") = "${secret}"`,
    `params[:key] = '${secret}'`,
    `params.key = '${secret}'`,
    `lookup.api.key=${secret}`,
    `serviceKey: "${secret}"`,
    `params.append("key", "${secret}")`,
    `query.Add("key","${secret}")`,
    `new Dictionary<string, string> { { "key", "${secret}" } }`,
    `[["id", "1"], ["key", "${secret}"]]`,
    `os.environ.get('API_KEY', '${secret}')`,
    `process.env.API_KEY || '${secret}'`,
    `client.setApiKey("${secret}")`,
    `{"url":"${base}/GetPremise?id=1\\u0026key=${secret}\\u0026includeGeoData=true"}`,
    `{"url":"${base}/GetPremise?key\\u003d${secret}\\u0026id\\u003d1"}`,
    `next=https%3A%2F%2Fservice.example%2FGetPremise%3Fkey%3D${secret}%26id%3D1`,
    `"{\\"key\\":\\"${secret}\\"}"`,
    `{\\u0022key\\u0022:\\u0022${secret}\\u0022}`,
    `<p data-query="{&quot;key&quot;:&quot;${secret}&quot;}">`,
    `const key: string = '${secret}'`,
    `key: str = "${secret}"`,
    `key: Optional[str] = "${secret}"`,
    `const API_KEY: &str = "${secret}";`,
    `apiKey?: string = "${secret}"`,
    `"${base}/GetPremise?key=" + "${secret}" + "&id=1"`,
    `Dim key As String = "${secret}"`,
    `if (key === '${secret}')`,
    `lookup --key ${secret} --id 1`,
    `-ApiKey "${secret}"`,
    `#define API_KEY "${secret}"`,
    `<add key="ApiKey" value="${secret}"/>`,
    `{"key": "key", "type": "text", "value": "${secret}"}`,
    `- name: LOOKUP_KEY\n  value: ${secret}`,
    `<entry key="apiKey">${secret}</entry>`,
    `<key>ApiKey</key>\n<string>${secret}</string>`,
    `key = "0123#?{&,${secret}"`,
    `--data="key=${secret}"`,
    `${base}/Proxy?to=${base}/GetPremise?key=${secret}`,
    ...[...secretRequestFields, ...secretAnswerFields].map((name) => `"${name}": "${secret}"`),
  ])('%s', (text) => {
    const masked = maskSecretsIn(text);
    expect(masked).not.toContain(secret);
    expect(masked).toContain('••••cdef');
    expect(maskSecretsIn(masked)).toBe(masked);
  });

  test('leaves other values unchanged', () => {
    const text = `for id in 00284147 00284148; do curl '${base}/GetPremise?id=00284147&uprn=true'; done`;
    expect(maskSecretsIn(text)).toBe(text);
  });

  test('a GUID has no name before it where it is given by its place', () => {
    const call = 'client.Search("Acme", "0f8fad5b-d9cb-469f-a165-70867728950e", "PC-1")';
    expect(maskSecretsIn(call)).toBe('client.Search("Acme", "••••950e", "PC-1")');
  });

  test.each([
    `"${base}/GetPremise?key="+key+"&id=1"`,
    `"${base}/GetPremise?key=" & key & "&id=1"`,
    `"${base}/GetPremise?key=".$key."&id=1"`,
    'params={"key": API_KEY, "id": "1"}',
    'interface Query { key: string; id: string }',
    'params.containsKey("includeGeoData")',
  ])('%s has no key, and stays code that runs', (text) => {
    expect(maskSecretsIn(text)).toBe(text);
  });

  test('the name of a key in a place for a name stays', () => {
    expect(maskSecretsIn('<add key="ApiKey" value="0123456789abcdef"/>')).toBe('<add key="ApiKey" value="••••cdef"/>');
    expect(maskSecretsIn("const key: string = '0123456789abcdef'")).toBe("const key: string = '••••cdef'");
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

describe('parameters outside the address', () => {
  const rewrite = (text: string, withoutUprn = false) => rewriteText(text, withoutUprn);

  test.each([
    [
      'requests.get(f"{base}/GetPremise", params={"key": KEY, "id": "1", "includeGeoData": "true"})',
      'requests.get(f"{base}/GetPremise", params={"key": KEY, "id": "1", "uprn": "true"})',
      'requests.get(f"{base}/GetPremise", params={"key": KEY, "id": "1"})',
    ],
    [
      "requests.get(url + '/GetPremise', params = {'includeGeoData': True, 'id': premise})",
      "requests.get(url + '/GetPremise', params = {'uprn': 'true', 'id': premise})",
      "requests.get(url + '/GetPremise', params = {'id': premise})",
    ],
    [
      "axios.get('/v1/GetPremise', { params: { id, includeGeoData: true } })",
      "axios.get('/v1/GetPremise', { params: { id, uprn: true } })",
      "axios.get('/v1/GetPremise', { params: { id } })",
    ],
    [
      `curl -G ${base}/GetPremise -d key=$KEY -d id=1 -d includeGeoData=true`,
      `curl -G ${base}/GetPremise -d key=$KEY -d id=1 -d uprn=true`,
      `curl -G ${base}/GetPremise -d key=$KEY -d id=1`,
    ],
    [
      `curl --get "${base}/GetPremise" --data-urlencode 'id=1&includeGeoData=true&x=2'`,
      `curl --get "${base}/GetPremise" --data-urlencode 'id=1&uprn=true&x=2'`,
      `curl --get "${base}/GetPremise" --data-urlencode 'id=1&x=2'`,
    ],
    [
      `curl -G ${base}/GetPremise \\\n  -d id=1 \\\n  -d includeGeoData=true`,
      `curl -G ${base}/GetPremise \\\n  -d id=1 \\\n  -d uprn=true`,
      `curl -G ${base}/GetPremise \\\n  -d id=1`,
    ],
  ])('%s', (old, same, cheaper) => {
    expect(rewrite(old)).toMatchObject({ text: same, before: 2, after: 2, left: [] });
    expect(rewrite(old, true)).toMatchObject({ text: cheaper, after: 1 });
    // Rewriting the result again changes nothing.
    expect(rewrite(same).text).toBe(same);
    expect(rewrite(same).left).toEqual([]);
  });

  test('a false one is dropped at the same price', () => {
    const old = `curl -G ${base}/GetPremise -d includeGeoData=false -d id=1`;
    expect(rewrite(old)).toMatchObject({ text: `curl -G ${base}/GetPremise -d id=1`, before: 1, after: 1 });
    const code = 'get("/GetPremise", params={"includeGeoData": "false", "id": 1})';
    expect(rewrite(code)).toMatchObject({ text: 'get("/GetPremise", params={"id": 1})', before: 1, after: 1 });
  });

  test('two addresses joined by a # are two requests', () => {
    const old = `${base}/GetPremise?id=1&includeGeoData=false`;
    expect(rewrite(`${old}#${old}`)).toMatchObject({
      text: `${base}/GetPremise?id=1#${base}/GetPremise?id=1`,
      before: 2,
      after: 2,
    });
    const page = `${base}/#/GetPremise?id=1&includeGeoData=false`;
    expect(rewrite(page)).toMatchObject({ text: `${base}/#/GetPremise?id=1`, before: 1, after: 1 });
  });

  test('keys are masked in what is shown', () => {
    const { requests } = rewrite(`get("/GetPremise", params={"key": "${secret}", "includeGeoData": "true"})`);
    expect(requests[0]?.rewriting.before).not.toContain(secret);
  });

  test.each([
    ['requests.get(base + "/Search", params={"query": q, "includeGeoData": "true"})', 'Search does not take'],
    ['requests.get(base + "/GetPremiseGeoData", params={"includeGeoData": "true"})', 'GetPremiseGeoData does not take'],
    ['requests.get(base + "/GetPremise", params={"id": 1, "includeGeoData": wanted})', 'not a plain true or false'],
    ['requests.get(base + "/GetPremise", params={"uprn": "true", "includeGeoData": "true"})', 'uprn already'],
    ['params={"includeGeoData": "true"}', 'no GetPremise request comes before'],
    [`curl ${base}/GetPremise -d includeGeoData=true`, 'without -G'],
    [`curl '${base}/Search?query=x&includeGeoData=true'`, 'Search does not take'],
    ['includeGeoData = true', 'no GetPremise request'],
  ])('%s is left unchanged and listed', (text, why) => {
    const padded = `first\n${text}\nlast`;
    const result = rewrite(padded);
    expect(result.text).toBe(padded);
    expect(result.left).toEqual([{ line: 2, why: expect.stringContaining(why) }]);
  });

  test.each([
    [`(${base}/GetPremise?id=1&includeGeoData=true).`, `(${base}/GetPremise?id=1&uprn=true).`],
    [`<${base}/GetPremise?includeGeoData=true&id=1>, then`, `<${base}/GetPremise?id=1&uprn=true>, then`],
    [`<loc>${base}/GetPremise?id=1&includeGeoData=true</loc>`, `<loc>${base}/GetPremise?id=1&uprn=true</loc>`],
    [`GET ${base}/GetPremise?id={id}&includeGeoData=true;`, `GET ${base}/GetPremise?id={id}&uprn=true;`],
    [`curl "${base}/GetPremise?includeGeoData=true&id=$(next)"`, `curl "${base}/GetPremise?id=$(next)&uprn=true"`],
  ])('what stands behind an address is no part of it: %s', (old, now) => {
    expect(rewrite(old)).toMatchObject({ text: now, before: 2, after: 2, left: [] });
  });

  test.each([
    [`${base}/GetPremise?id=1&includeGeoData={geo}`, 'not a plain true or false'],
    [`\`${base}/GetPremise?id=1&includeGeoData=\${geo}\``, 'not a plain true or false'],
    [`${base}/GetPremise?id=1&includeGeoData=false&includeGeoData=true`, 'twice'],
    [`"${base}/GetPremise?id=1\\u0026includeGeoData=true\\u0026key=••••cdef"`, 'not read here'],
    [`"${base}/GetPremise?key=••••cdef\\u0026id=1\\u0026includeGeoData=true"`, 'not read here'],
    [`${base}/GetPremise?id=1&amp;x=2&includeGeoData=true`, 'not read here'],
    [`${base}/GetPremise?id=1&to=/GetPremise%3FincludeGeoData%3Dtrue`, 'not read here'],
    ['get("/GetPremise", params={"id": 1, "includeGeoData": "true" if geo else "false"})', 'not a plain true or false'],
    ["get('/GetPremise', { params: { includeGeoData: false || geo, id } })", 'not a plain true or false'],
    ["get('/GetPremise', { params: { id, uprn, includeGeoData: true } })", 'uprn already'],
    ['get("/GetPremise", params={"includeGeoData": "true", "id": 1, "includeGeoData": "false"})', 'twice'],
    [`curl -G ${base}/GetPremise -d includeGeoData=true; curl -G ${base}/GetPremise -d includeGeoData=false`, 'twice'],
    [`curl -G '${base}/GetPremise?uprn=true' -d id=1 -d includeGeoData=true`, 'uprn already'],
  ])('%s would ask something else and is left unchanged', (text, why) => {
    expect(rewrite(text)).toMatchObject({ text, requests: [], left: [{ line: 1, why: expect.stringContaining(why) }] });
  });

  test('an address put together from pieces is found in part, and the line with the parameter is listed', () => {
    const text = "fetch(base + '/GetPremise?id=' + id + '&includeGeoData=true')";
    expect(rewrite(text)).toMatchObject({ text, left: [{ line: 1 }] });
  });

  test('a long text without an end is read once', () => {
    const long = `params={"a": "${'x'.repeat(50_000)}`;
    expect(rewrite(`curl ${'-d a=1 '.repeat(5000)}`).requests).toEqual([]);
    expect(rewrite(long).requests).toEqual([]);
  });
});
