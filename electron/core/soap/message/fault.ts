import { type AppError, appError } from '../../../../shared/errors.ts';
import { childOf, type XmlElement } from '../xml/element.ts';
import { errorOfStatus } from './outcome.ts';

function textAt(element: XmlElement | undefined, ...path: string[]): string {
  let current = element;
  for (const name of path) current = current && childOf(current, name);
  return current?.text.trim() ?? '';
}

function allText(element: XmlElement | undefined): string {
  if (!element) return '';
  return [element.text.trim(), ...element.children.map(allText)].filter(Boolean).join(' ');
}

/** The service's own words in a fault, of either version: code, reason, detail. Detail text is not cut: it is the only clue. */
function wordsOf(fault: XmlElement): string {
  const code = textAt(fault, 'faultcode') || textAt(fault, 'Code', 'Value');
  const subcode = textAt(fault, 'Code', 'Subcode', 'Value');
  const reason = textAt(fault, 'faultstring') || allText(childOf(fault, 'Reason'));
  const detail = allText(childOf(fault, 'detail') ?? childOf(fault, 'Detail'));
  return [[code, subcode].filter(Boolean).join('/'), reason, detail].filter(Boolean).join(': ');
}

/** Statuses that say more than a fault does: who refused, or that a server in between may have answered in the service's place. */
const saysMore = (status: number): boolean => [401, 403, 407, 429].includes(status) || status > 500;

/** The error of a fault: of its status where that says more, in the words of the fault. A service sends its own under 500, 400 or 200. */
export function errorOfFault(
  fault: XmlElement,
  { status, contentType, retryAfter }: { status: number; contentType: string; retryAfter?: string | undefined },
): AppError {
  const words = wordsOf(fault);
  if (saysMore(status)) return errorOfStatus(status, contentType, retryAfter, words);
  return appError('soap-fault', { detail: words || `HTTP ${status}, a fault with no text.` });
}
