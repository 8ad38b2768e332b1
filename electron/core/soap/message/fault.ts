import { type AppError, appError } from '../../../../shared/errors.ts';
import { childOf, type XmlElement } from '../xml/element.ts';

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
export function readFault(fault: XmlElement, status: number): AppError {
  const code = textAt(fault, 'faultcode') || textAt(fault, 'Code', 'Value');
  const subcode = textAt(fault, 'Code', 'Subcode', 'Value');
  const reason = textAt(fault, 'faultstring') || allText(childOf(fault, 'Reason'));
  const detail = allText(childOf(fault, 'detail') ?? childOf(fault, 'Detail'));
  const words = [[code, subcode].filter(Boolean).join('/'), reason, detail].filter(Boolean).join(': ');
  return appError('soap-fault', { detail: words || `HTTP ${status}, a fault with no text.` });
}
