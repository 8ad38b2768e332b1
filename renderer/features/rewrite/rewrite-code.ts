import { geoDataRewriting, type Rewriting } from '../../../shared/domain/lookup/rewrite-request.ts';
import { maskSecretsIn } from './mask-text.ts';

// Requests whose parameters are not in the address: an object of parameters in code, and a command's data. What is rewritten is the part
// with the parameters; a value other than a plain true or false is left alone, since it is not known at run time.

/** A part of the text that is a request, and its rewriting or why there is none. */
export interface Edit {
  from: number;
  to: number;
  /** A text: why it is left alone. */
  rewriting: Rewriting | string;
}

/** Characters between the endpoint's name and its parameters: one statement of code. */
const nearby = 600;

const endpoint = /\b(GetPremiseGeoData|GetPremise|GetCredits|Search)(?=["'`\s,);?]|$)/gi;

/** The endpoint that parameters belong to: the last one named before them. undefined: none is near. */
function endpointBefore(text: string, at: number): string | undefined {
  return [...text.slice(Math.max(0, at - nearby), at).matchAll(endpoint)].at(-1)?.[1];
}

const object = /\bparams\s*[=:]\s*\{([^{}]*)\}/g;
/** A name and its value; the name may be in quotes. */
const geoEntry = /(["'`]?)includeGeoData\1\s*:\s*("[^"]*"|'[^']*'|`[^`]*`|[^\s,}]+)(?=([^,]*))/i;
/** Also without a value: the variable of its name. */
const uprnEntry = /(?:^|[,\s])(["'`]?)uprn\1\s*(?::|,|$)/i;

/** Of a plain value; null: it is no plain one, and not known before the code runs. */
export const isTrue = (value: string): boolean | null =>
  /^["'`]?(?:true|1|yes|on)["'`]?$/i.test(value)
    ? true
    : /^["'`]?(?:false|0|no|off)["'`]?$/i.test(value)
      ? false
      : null;

/** Removes an entry from a comma-separated list, with the blanks and lines around it. */
const without = (list: string, entry: string): string => {
  const at = list.indexOf(entry);
  const before = list.slice(0, at);
  const after = list.slice(at + entry.length);
  return /^\s*,/.test(after) ? before + after.replace(/^\s*,[ \t]*/, '') : before.replace(/,\s*$/, '') + after;
};

export const countGeoParameters = (text: string): number => [...text.matchAll(/includeGeoData/gi)].length;

/** `params={"id": …, "includeGeoData": "true"}` of a call that names GetPremise before it. */
export function rewriteParams(text: string): Edit[] {
  return [...text.matchAll(object)].flatMap((match): Edit[] => {
    const [whole, inner = ''] = match;
    const found = geoEntry.exec(inner);
    if (!found) return [];
    const [entry, quote = '', value = '', more = ''] = found;
    const at = match.index;
    const name = endpointBefore(text, at);
    const edit = (rewriting: Rewriting | string): Edit[] => [{ from: at, to: at + whole.length, rewriting }];
    if (name?.toLowerCase() !== 'getpremise')
      return edit(
        name ? `${name} does not take includeGeoData` : 'no GetPremise request comes before these parameters',
      );
    const geo = isTrue(value);
    // “"true" if wanted else "false"” is not plain either.
    if (geo === null || more.trim() !== '') return edit('its value is not a plain true or false');
    if (countGeoParameters(whole) > 1) return edit('it names the parameter twice');
    const bare = whole.replace(inner, () => without(inner, entry));
    if (uprnEntry.test(inner)) return edit('it has a parameter uprn already; take includeGeoData out by hand');
    // Python's True would be sent as "True"; JavaScript's true is sent as it is written.
    const written = value === 'True' ? `${quote}true${quote}` : value.replace(/[a-z0-9]+/i, 'true');
    const withUprn = whole.replace(entry, () => `${quote}uprn${quote}: ${written}`);
    return edit(geoDataRewriting(maskSecretsIn(whole), geo, withUprn, bare));
  });
}

const command = /(?:[^\n\\]|\\\r?\n|\\.)*/g;
const dataOption = /(\s+)(?:-d|--data|--data-urlencode|--data-raw)(?:\s+|=)(["']?)([^"'\s]*)\2/g;

/** A command line with `-G` and its parameters behind `-d` or `--data-urlencode`, over continued lines too. */
export function rewriteCurlData(text: string): Edit[] {
  return [...text.matchAll(command)].flatMap((match): Edit[] => {
    const [whole] = match;
    if (!/\bcurl\b/.test(whole) || !/includeGeoData/i.test(whole)) return [];
    const options = [...whole.matchAll(dataOption)];
    const option = options.find(([, , , data]) => /(?:^|&)includeGeoData=/i.test(data ?? ''));
    if (!option) return [];
    if (countGeoParameters(whole) > 1)
      return [{ from: match.index, to: match.index + whole.length, rewriting: 'it names the parameter twice' }];
    const edit = (rewriting: Rewriting | string): Edit[] => [
      { from: match.index, to: match.index + whole.length, rewriting },
    ];
    const name = /\b(GetPremiseGeoData|GetPremise|GetCredits|Search)(?=["'\s?]|$)/i.exec(whole)?.[1];
    if (name?.toLowerCase() !== 'getpremise')
      return edit(name ? `${name} does not take includeGeoData` : 'there is no GetPremise request in this command');
    if (!/\s(?:-G|--get)(?=\s|$)/.test(whole))
      return edit('without -G the parameters are sent as a form, which is not published');
    const [entire, blank = '', , data = ''] = option;
    const parts = data.split('&');
    const geo = isTrue(
      /^includeGeoData=(.*)$/i.exec(parts.find((part) => /^includeGeoData=/i.test(part)) ?? '')?.[1] ?? '',
    );
    if (geo === null) return edit('its value is not a plain true or false');
    if (/(?:[\s"'?&=])uprn=/i.test(whole))
      return edit('it has a parameter uprn already; take includeGeoData out by hand');
    const withData = (next: string): string =>
      whole.replace(entire, () => (next === '' ? '' : entire.replace(data, () => next)));
    const withUprn = withData(parts.map((part) => (/^includeGeoData=/i.test(part) ? 'uprn=true' : part)).join('&'));
    const bare = tidied(withData(parts.filter((part) => !/^includeGeoData=/i.test(part)).join('&')), blank);
    return edit(geoDataRewriting(maskSecretsIn(whole), geo, withUprn, bare));
  });
}

/** A continued line that is left with nothing but its backslash is removed too. */
const tidied = (whole: string, blank: string): string =>
  blank.includes('\n')
    ? whole.replace(/\\\r?\n\s*(?=\\\r?\n|$)/g, '').replace(/\s*\\\s*$/, '')
    : whole.replace(/\s*\\\s*$/, '');
