import { appError } from '../../errors.ts';
import { fail, ok, type Result } from '../../result.ts';
import { isSecretField, maskSecret } from '../../secret-fields.ts';

/** One way to ask now what the old request asked. */
interface RewrittenRequest {
  text: string;
  credits: number;
  /** What this one brings, in words. */
  brings: string;
}

export interface Rewriting {
  /** The old request with its key masked. */
  before: string;
  /** May 2025 to February 2026: 1 credit, 1 more with includeGeoData=true (specification, Versioning 3). */
  creditsBefore: number;
  /** The same content as before comes first; if a cheaper one leaves something out, it follows. */
  after: [RewrittenRequest, ...RewrittenRequest[]];
  /** Credits of the first of `after` minus `creditsBefore`. */
  change: number;
  notes: string[];
}

interface Parameter {
  name: string;
  raw: string;
  /** As it is written: a piece of code may end in “id=”. */
  whole: string;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};
const nameOf = (parameter: Parameter): string => decode(parameter.name).trim().toLowerCase();
const isTrue = (parameter: Parameter | undefined): boolean =>
  parameter !== undefined && /^(true|1|yes|on)$/i.test(decode(parameter.raw).trim());

/**
 * Rewrites a /GetPremise request from the time of includeGeoData for today, by the published rule: drop the parameter (coordinates always
 * come), send uprn=true for the UPRN, read the UDPRN that is always there (specification, Versioning 4). The rest of the text is kept;
 * secret parameters are masked at once. Takes a URL, a path with query, or one inside a command. Errors: 'bad-input'.
 */
export function rewriteRequest(text: string): Result<Rewriting> {
  // Matched only from the beginning of a word: trying each letter of a long word would take time by the square of its length.
  const found = /(?<![^\s"'`])([^\s"'`]*GetPremise)\?([^\s"'`#]*)/i.exec(text);
  const target = found?.[1];
  const query = found?.[2];
  if (found === null || target === undefined || query === undefined) {
    return fail(
      appError('bad-input', {
        message: 'This is not a GetPremise request with parameters.',
        next: 'Paste its whole address, from https to the last parameter.',
        field: 'text',
      }),
    );
  }
  const separator = query.includes('&amp;') ? '&amp;' : '&';
  const parameters = query
    .split(separator)
    .filter((part) => part !== '')
    .map((part): Parameter => {
      const at = part.indexOf('=');
      return { name: at < 0 ? part : part.slice(0, at), raw: at < 0 ? '' : part.slice(at + 1), whole: part };
    });
  const old = parameters.find((parameter) => nameOf(parameter) === 'includegeodata');
  const hadGeoData = isTrue(old);
  const hadUprn = parameters.some((parameter) => nameOf(parameter) === 'uprn' && isTrue(parameter));
  const kept = parameters.filter((parameter) => !['includegeodata', 'uprn'].includes(nameOf(parameter)));
  // Separated by \u0026, say, or in two ways at once: neither its price nor what it asks for is known.
  if (kept.some(({ whole }) => /includeGeoData/i.test(whole)))
    return fail(
      appError('bad-input', {
        message: 'includeGeoData is in this request in a way that is not read here.',
        next: 'Separate its parameters with &.',
        field: 'text',
      }),
    );
  const write = (list: readonly Parameter[]): string => maskAround(text, found, target, list, separator);
  const withUprn = askingForUprn(write([...kept, { name: 'uprn', raw: 'true', whole: 'uprn=true' }]));
  const withoutUprn = notAskingForUprn(write(kept));
  const creditsBefore = hadGeoData ? 2 : 1;
  const wantsUprn = hadGeoData || hadUprn;
  const first = wantsUprn ? withUprn : withoutUprn;
  return ok({
    before: write(parameters),
    creditsBefore: old === undefined && hadUprn ? 2 : creditsBefore,
    after: wantsUprn ? [withUprn, withoutUprn] : [withoutUprn],
    change: first.credits - (old === undefined && hadUprn ? 2 : creditsBefore),
    notes: describe(old !== undefined, hadGeoData),
  });
}

const askingForUprn = (text: string): RewrittenRequest => ({
  text,
  credits: 2,
  brings: 'Coordinates and UPRN, in shape A also UDPRN.',
});
const notAskingForUprn = (text: string): RewrittenRequest => ({
  text,
  credits: 1,
  brings: 'Coordinates, in shape A also UDPRN; no UPRN.',
});

/**
 * A request whose parameters are not in an address, by the same rule: `before` with its secrets masked, and both ways to ask now, which
 * keep its secrets.
 */
export function geoDataRewriting(before: string, hadGeoData: boolean, withUprn: string, bare: string): Rewriting {
  const same = askingForUprn(withUprn);
  const cheaper = notAskingForUprn(bare);
  return {
    before,
    creditsBefore: hadGeoData ? 2 : 1,
    after: hadGeoData ? [same, cheaper] : [cheaper],
    change: 0,
    notes: describe(true, hadGeoData),
  };
}

function describe(hadParameter: boolean, hadGeoData: boolean): string[] {
  if (!hadParameter) return ['This request does not use includeGeoData; it works as it is.'];
  const dropped =
    'includeGeoData was removed in February 2026; latitude and longitude now always come, in shape A the UDPRN too.';
  return hadGeoData
    ? [dropped, 'uprn=true takes its place for the UPRN. Without the UPRN the request costs 1 credit less.']
    : [dropped];
}

/** Puts the request back in its place, with secrets masked in it and in the text around it. */
function maskAround(
  text: string,
  found: RegExpExecArray,
  target: string,
  list: readonly Parameter[],
  separator: string,
): string {
  const query = list.map(({ name, raw, whole }) =>
    raw !== '' && isSecretField(decode(name).trim()) ? `${name}=${maskSecret(decode(raw))}` : whole,
  );
  const start = found.index;
  const end = start + found[0].length;
  const request = query.length === 0 ? target : `${target}?${query.join(separator)}`;
  return `${maskParameters(text.slice(0, start))}${request}${maskParameters(text.slice(end))}`;
}

/** `name=value` and `name: value` pairs of secret names in the rest of a pasted command. */
function maskParameters(text: string): string {
  return text.replace(
    /(?<![\w.-])([\w.-]+)(\s*[=:]\s*)([^\s&"'`]+)/g,
    (whole, name: string, between: string, value: string) =>
      isSecretField(name) ? `${name}${between}${maskSecret(value)}` : whole,
  );
}
