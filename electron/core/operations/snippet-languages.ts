/** A request with named placeholders in place of secrets. */
export type Part = { text: string } | { hole: string };

export interface Template {
  method: string;
  /** Without a query. */
  address: string;
  parameters: readonly (readonly [name: string, value: readonly Part[]])[];
  headers: readonly (readonly [name: string, value: string])[];
  /** null: none. Holes stand in XML text. */
  body: readonly Part[] | null;
}

/** `LICENCE_ID` as each language writes a variable: licenceId, LicenceId. */
const camel = (hole: string): string =>
  hole.toLowerCase().replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
const pascal = (hole: string): string => camel(hole).replace(/^./, (letter) => letter.toUpperCase());

const holesOf = ({ parameters, body }: Template): string[] => [
  ...new Set(
    [...parameters.flatMap(([, value]) => value), ...(body ?? [])].flatMap((part) =>
      'hole' in part ? [part.hole] : [],
    ),
  ),
];

/** A string literal valid in C#, Python and JSON: all three know these escapes. In C# the marks that are escaped end a line. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u0085\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const joined = (
  parts: readonly Part[],
  plus: string,
  quote: (text: string) => string,
  hole: (name: string) => string,
): string => parts.map((part) => ('hole' in part ? hole(part.hole) : quote(part.text))).join(plus);

const plain = (value: readonly Part[]): string => value.map((part) => ('text' in part ? part.text : '')).join('');
const hasHole = (parts: readonly Part[]): boolean => parts.some((part) => 'hole' in part);

/** For a POSIX shell with curl. */
export function writeCurl(template: Template): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = holesOf(template).map((hole) => `${hole}='<${hole}>'`);
  if (template.body && hasHole(template.body))
    lines.push(`xml() { printf '%s' "$1" | sed -e 's/&/\\&amp;/g' -e 's/</\\&lt;/g' -e 's/>/\\&gt;/g'; }`);
  const options = [
    `curl --silent --show-error${template.parameters.length > 0 ? ' --get' : ''} ${quote(template.address)}`,
  ];
  for (const [name, value] of template.parameters)
    options.push(
      hasHole(value)
        ? `--data-urlencode "${name}=${value.map((part) => ('hole' in part ? `$${part.hole}` : part.text)).join('')}"`
        : `--data-urlencode ${quote(`${name}=${plain(value)}`)}`,
    );
  for (const [name, value] of template.headers) options.push(`--header ${quote(`${name}: ${value}`)}`);
  if (template.body) options.push(`--data-binary ${joined(template.body, '', quote, (hole) => `"$(xml "$${hole}")"`)}`);
  return `${[...lines, options.join(' \\\n  ')].join('\n')}\n`;
}

/** For Windows PowerShell 5.1 and later. */
export function writePowerShell(template: Template): string {
  // Its quotes may be typographic ones as well.
  const quote = (text: string) => `'${text.replace(/['‘’‚‛]/g, (mark) => mark + mark)}'`;
  const lines = holesOf(template).map((hole) => `$${pascal(hole)} = '<${hole}>'`);
  const query = queryParts(template);
  const url = joined(query, ' + ', quote, (hole) => `[uri]::EscapeDataString($${pascal(hole)})`);
  lines.push(`$url = ${url}`);
  const headers = template.headers.filter(([name]) => name !== 'content-type');
  const type = template.headers.find(([name]) => name === 'content-type')?.[1];
  lines.push(`$headers = @{ ${headers.map(([name, value]) => `${quote(name)} = ${quote(value)}`).join('; ')} }`);
  const call = [
    // A redirect would take the body, with its keys, to another address; the console follows none either.
    '$answer = Invoke-WebRequest -UseBasicParsing -MaximumRedirection 0 -Uri $url',
    `-Method ${template.method}`,
    '-Headers $headers',
  ];
  if (template.body) {
    const body = joined(
      template.body,
      ' + ',
      quote,
      (hole) => `[System.Security.SecurityElement]::Escape($${pascal(hole)})`,
    );
    lines.push(`$body = ${body}`);
    call.push(
      `-ContentType ${quote(type ?? 'text/xml; charset=utf-8')}`,
      '-Body ([System.Text.Encoding]::UTF8.GetBytes($body))',
    );
  }
  return `${[...lines, call.join(' '), '$answer.Content'].join('\n')}\n`;
}

/** Top-level statements for .NET 6 and later. */
export function writeCSharp(template: Template): string {
  const lines = [
    'using System;',
    'using System.Net.Http;',
    ...(template.body ? ['using System.Net.Http.Headers;', 'using System.Security;', 'using System.Text;'] : []),
    '',
    ...holesOf(template).map((hole) => `var ${camel(hole)} = "<${hole}>";`),
  ];
  const url = joined(queryParts(template), ' + ', quoted, (hole) => `Uri.EscapeDataString(${camel(hole)})`);
  const verb = template.method === 'POST' ? 'Post' : 'Get';
  lines.push(
    `var url = ${url};`,
    'using var client = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false });',
    `using var request = new HttpRequestMessage(HttpMethod.${verb}, url);`,
  );
  for (const [name, value] of template.headers)
    if (name !== 'content-type')
      lines.push(`request.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(value)});`);
  if (template.body) {
    const type = template.headers.find(([name]) => name === 'content-type')?.[1] ?? 'text/xml; charset=utf-8';
    lines.push(
      `var body = ${joined(template.body, ' + ', quoted, (hole) => `SecurityElement.Escape(${camel(hole)})`)};`,
      'request.Content = new StringContent(body, Encoding.UTF8);',
      `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${quoted(type)});`,
    );
  }
  lines.push(
    'using var answer = await client.SendAsync(request);',
    'Console.WriteLine((int)answer.StatusCode);',
    'Console.WriteLine(await answer.Content.ReadAsStringAsync());',
  );
  return `${lines.join('\n')}\n`;
}

/** For Python 3 with its own library alone. */
export function writePython(template: Template): string {
  const lines = [
    'import sys',
    'import urllib.error',
    ...(template.parameters.length > 0 ? ['import urllib.parse'] : []),
    'import urllib.request',
    ...(template.body ? ['from xml.sax.saxutils import escape'] : []),
    '',
    ...holesOf(template).map((hole) => `${hole} = "<${hole}>"`),
  ];
  const value = (parts: readonly Part[]) => joined(parts, ' + ', quoted, (hole) => hole);
  if (template.parameters.length > 0) {
    const entries = template.parameters.map(([name, parts]) => `${quoted(name)}: ${value(parts)}`).join(', ');
    lines.push(
      `parameters = {${entries}}`,
      `url = ${quoted(`${template.address}?`)} + urllib.parse.urlencode(parameters, quote_via=urllib.parse.quote)`,
    );
  } else lines.push(`url = ${quoted(template.address)}`);
  const headers = template.headers.map(([name, text]) => `${quoted(name)}: ${quoted(text)}`).join(', ');
  if (template.body) lines.push(`body = ${joined(template.body, ' + ', quoted, (hole) => `escape(${hole})`)}`);
  lines.push(
    `request = urllib.request.Request(url${template.body ? ', data=body.encode("utf-8")' : ''}, headers={${headers}}, method=${quoted(template.method)})`,
    'class NoRedirect(urllib.request.HTTPRedirectHandler):',
    '    def redirect_request(self, *_):',
    '        return None',
    'try:',
    '    with urllib.request.build_opener(NoRedirect).open(request, timeout=30) as answer:',
    '        print(answer.read().decode(answer.headers.get_content_charset("utf-8")))',
    'except urllib.error.HTTPError as error:',
    '    sys.exit(f"{error.code} {error.read().decode(errors=\'replace\')}")',
  );
  return `${lines.join('\n')}\n`;
}

/** Address and query as one text, values encoded, placeholders left as they are. */
function queryParts({ address, parameters }: Template): Part[] {
  const parts: Part[] = [{ text: address }];
  parameters.forEach(([name, value], index) => {
    parts.push({ text: `${index === 0 ? '?' : '&'}${encodeURIComponent(name)}=` });
    for (const part of value) parts.push('hole' in part ? part : { text: encodeURIComponent(part.text) });
  });
  // Neighbouring texts are one.
  return parts.reduce<Part[]>((merged, part) => {
    const last = merged.at(-1);
    if (last && 'text' in last && 'text' in part) merged[merged.length - 1] = { text: last.text + part.text };
    else merged.push(part);
    return merged;
  }, []);
}
