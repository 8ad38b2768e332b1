import { type Rewriting, rewriteRequest } from '../../../shared/domain/rewrite-request.ts';

/** One request of the text, with the line it stands on. */
export interface FoundRequest {
  /** From 1. */
  line: number;
  rewriting: Rewriting;
}

interface RewrittenText {
  requests: FoundRequest[];
  /** The whole text with every request as it is asked now. */
  text: string;
  /** Credits of one run of all requests, before and after. */
  before: number;
  after: number;
}

const request = /[^\s"'`]*GetPremise\?[^\s"'`#]*/gi;

/**
 * Rewrites every /GetPremise request in a text: addresses, a list, a piece of code; all else stays as it is. `withoutUprn`: the cheaper
 * way where there is one.
 */
export function rewriteText(text: string, withoutUprn: boolean): RewrittenText {
  const requests: FoundRequest[] = [];
  let [before, after] = [0, 0];
  const rewritten = text.replace(request, (old, at: number) => {
    const result = rewriteRequest(old);
    if (!result.ok) return old;
    const rewriting = result.value;
    const chosen = chooseWay(rewriting, withoutUprn);
    requests.push({ line: text.slice(0, at).split('\n').length, rewriting });
    before += rewriting.creditsBefore;
    after += chosen.credits;
    return chosen.text;
  });
  return { requests, text: rewritten, before, after };
}

export const chooseWay = ({ after }: Rewriting, withoutUprn: boolean) =>
  (withoutUprn ? after.at(-1) : undefined) ?? after[0];
