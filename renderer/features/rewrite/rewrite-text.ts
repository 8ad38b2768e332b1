import { type Rewriting, rewriteRequest } from '../../../shared/domain/lookup/rewrite-request.ts';
import { type Edit, rewriteCurlData, rewriteParams } from './rewrite-code.ts';

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

function rewriteAddresses(text: string): Edit[] {
  return [...text.matchAll(request)].flatMap((match) => {
    const result = rewriteRequest(match[0]);
    return result.ok ? [{ from: match.index, to: match.index + match[0].length, rewriting: result.value }] : [];
  });
}

/**
 * Rewrites every /GetPremise request in a text: addresses, parameters in code (`params={…}`), a command’s `-d`; all else stays as it is,
 * and each line of it that has includeGeoData is named. `withoutUprn`: the cheaper way if there is one.
 */
export function rewriteText(text: string, withoutUprn: boolean): RewrittenText {
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
  const edits = [...rewriteAddresses(text), ...rewriteParams(text), ...rewriteCurlData(text)].sort(
    (a, b) => a.from - b.from,
  );
  const requests: FoundRequest[] = [];
  const left: LeftLine[] = [];
  const handled = new Set<number>();
  let [before, after] = [0, 0];
  let rewritten = '';
  let at = 0;
  for (const { from, to, rewriting } of edits) {
    // A request inside another one was rewritten with it.
    if (from < at) continue;
    const line = lineOf(from);
    for (let one = line; one <= lineOf(to); one += 1) handled.add(one);
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
  for (const [index, words] of text.split('\n').entries())
    if (/includeGeoData/i.test(words) && !handled.has(index + 1)) left.push({ line: index + 1, why: whyLeft(words) });
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
