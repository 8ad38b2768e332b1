import { cloneElement, createElement, Fragment, isValidElement, type ReactNode } from 'react';
import { drawable } from '../../../shared/domain/text/visible-text.ts';

interface Parts {
  children?: ReactNode;
  title?: string;
}

const fromRight = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefe\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';
const writtenFromRight = new RegExp(`[${fromRight}]`, 'u');
const writtenFromLeft = new RegExp(`(?![${fromRight}])\\p{L}`, 'u');
/** Words written from the right, and what is joined to the last of them, such as the number of a machine. */
const wordsFromRight = new RegExp(`([${fromRight}](?:[^\\p{L}]*[${fromRight}])*(?:\\S*[\\p{L}\\p{N}])?)`, 'u');

/**
 * A sentence with a name in Hebrew or Arabic, each set apart from what follows it: a number there would be drawn before the name, as if
 * it were a part of it. By elements, since a character that does it would be copied with the name.
 */
function setApart(text: string): ReactNode {
  if (!writtenFromRight.test(text)) return text;
  const parts = writtenFromLeft.test(text) ? text.split(wordsFromRight) : ['', text];
  return createElement(
    'span',
    null,
    ...parts.map((part, index) => (index % 2 === 1 ? createElement('bdi', { dir: 'ltr' }, part) : part)),
  );
}

/**
 * Elements that may hold a text of the service, as it is drawn: no hidden characters, no endless word, no name that moves what is
 * beside it. Goes into plain elements (spans, emphasis), not into components, which do it for what they draw.
 */
export function legible(node: ReactNode): ReactNode {
  if (typeof node === 'string') return setApart(drawable(node));
  if (Array.isArray(node)) return node.some((one) => legible(one) !== one) ? node.map(legible) : node;
  if (!isValidElement<Parts>(node) || (typeof node.type !== 'string' && node.type !== Fragment)) return node;
  const { children, title } = node.props;
  const shown = legible(children);
  const named = typeof title === 'string' ? drawable(title) : title;
  if (shown === children && named === title) return node;
  return cloneElement(node, { ...(named === title ? {} : { title: named }) }, shown);
}
