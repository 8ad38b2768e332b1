import { type Rewriting, rewriteRequest } from '../../../shared/domain/lookup/rewrite-request.ts';
import { countGeoParameters, type Edit, isTrue, rewriteCurlData, rewriteParams } from './rewrite-code.ts';

/** One request of the text, with its line number. */
export interface FoundRequest {
  /** From 1. */
  line: number;
  rewriting: Rewriting;
}

/** A line with includeGeoData that stays as it is, and why. */
export interface LeftLine {
  line: number;
  why: string;
}

interface RewrittenText {
  requests: FoundRequest[];
  left: LeftLine[];
  /** The whole text with every request in today's form. */
  text: string;
  /** Credits of one run of all requests, before and after. */
  before: number;
  after: number;
}

/** Only from the beginning of a word or behind a `#`: a long one without a request is then read once, not once from each character. */
const request = /(?<![^\s"'`#])[^\s"'`#]*GetPremise\?[^\s"'`#]*/gi;
const opening: Readonly<Record<string, string>> = { ')': '(', ']': '[', '>': '<' };

/** An address without what follows it in prose, Markdown or a page; a bracket that its parameters open is theirs, as in `id=$(next)`. */
function withoutEnd(found: string): string {
  const query = found.indexOf('?');
  const tag = found.indexOf('</', query);
  const counts = new Map<string, number>();
  let end = tag < 0 ? found.length : tag;
  for (const sign of found.slice(query, end)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  for (; end > query + 1; end -= 1) {
    const sign = found[end - 1] ?? '';
    const count = counts.get(sign) ?? 0;
    if (!')]>,.;:!'.includes(sign) || count <= (counts.get(opening[sign] ?? '') ?? 0)) break;
    counts.set(sign, count - 1);
  }
  return found.slice(0, end);
}
const geoParameter = /[?&;]includeGeoData(?:=([^&]*))?/gi;

function rewriteAddresses(text: string): Edit[] {
  return [...text.matchAll(request)].flatMap((match): Edit[] => {
    const address = withoutEnd(match[0]);
    const edit = (rewriting: Edit['rewriting']): Edit[] => [
      { from: match.index, to: match.index + address.length, rewriting },
    ];
    if ([...address.matchAll(geoParameter)].some(([, value = '']) => isTrue(value) === null))
      return edit('its value is not a plain true or false');
    if (countGeoParameters(address) > 1) return edit('it names the parameter twice');
    const result = rewriteRequest(address);
    if (result.ok) return edit(result.value);
    return countGeoParameters(address) > 0 ? edit('includeGeoData is in it in a way that is not read here') : [];
  });
}

/**
 * Rewrites every /GetPremise request in a text: addresses, parameters in code (`params={…}`), a command’s `-d`; all else stays as it is,
 * and each line of it that has includeGeoData is named. `withoutUprn`: the cheaper way if there is one.
 */
export function rewriteText(text: string, withoutUprn: boolean): RewrittenText {
  let [lineNumber, lineEnd] = [1, text.indexOf('\n')];
  /** Asked from the beginning of the text to its end: it is counted through once. */
  const lineOf = (at: number): number => {
    for (; lineEnd >= 0 && lineEnd < at; lineEnd = text.indexOf('\n', lineEnd + 1)) lineNumber += 1;
    return lineNumber;
  };
  const edits = [...rewriteAddresses(text), ...rewriteParams(text), ...rewriteCurlData(text)].sort(
    (a, b) => a.from - b.from,
  );
  const requests: FoundRequest[] = [];
  const left: LeftLine[] = [];
  const handled: Pick<Edit, 'from' | 'to'>[] = [];
  let [before, after] = [0, 0];
  let rewritten = '';
  let [at, seen] = [0, 0];
  for (const { from, to, rewriting } of edits) {
    // A request inside another one was rewritten, or left alone, with it.
    if (from < seen) continue;
    seen = to;
    const line = lineOf(from);
    handled.push({ from, to });
    if (typeof rewriting === 'string') {
      left.push({ line: lineOf(from + text.slice(from, to).search(/includeGeoData/i)), why: rewriting });
      continue;
    }
    const chosen = chooseWay(rewriting, withoutUprn);
    requests.push({ line, rewriting });
    before += rewriting.creditsBefore;
    after += chosen.credits;
    rewritten += text.slice(at, from) + chosen.text;
    at = to;
  }
  // An address put together from pieces has its parameter outside the request that was found.
  let next = 0;
  const isHandled = (at: number): boolean => {
    while (at >= (handled[next]?.to ?? at + 1)) next += 1;
    return at >= (handled[next]?.from ?? at + 1);
  };
  let start = 0;
  for (const [index, words] of text.split('\n').entries()) {
    if ([...words.matchAll(/includeGeoData/gi)].some((found) => !isHandled(start + found.index)))
      left.push({ line: index + 1, why: whyLeft(words) });
    start += words.length + 1;
  }
  left.sort((a, b) => a.line - b.line);
  return { requests, left, text: rewritten + text.slice(at), before, after };
}

/** Why a line outside every request is left alone. */
function whyLeft(words: string): string {
  const other = /\b(Search|GetPremiseGeoData|GetCredits)\b/i.exec(words)?.[1];
  if (other) return `${other} does not take includeGeoData`;
  return 'no GetPremise request with this parameter was found here';
}

export const chooseWay = ({ after }: Rewriting, withoutUprn: boolean) =>
  (withoutUprn ? after.at(-1) : undefined) ?? after[0];
