import { cloneElement, Fragment, isValidElement, type ReactNode } from 'react';
import { drawable } from '../../../shared/domain/text/visible-text.ts';

interface Parts {
  children?: ReactNode;
  title?: string;
}

/**
 * Elements that may hold a text of the service, as it is drawn: no hidden characters, no endless word. Goes into plain elements (spans,
 * emphasis), not into components, which do it for what they draw.
 */
export function legible(node: ReactNode): ReactNode {
  if (typeof node === 'string') return drawable(node);
  if (Array.isArray(node)) return node.some((one) => legible(one) !== one) ? node.map(legible) : node;
  if (!isValidElement<Parts>(node) || (typeof node.type !== 'string' && node.type !== Fragment)) return node;
  const { children, title } = node.props;
  const shown = legible(children);
  const named = typeof title === 'string' ? drawable(title) : title;
  if (shown === children && named === title) return node;
  return cloneElement(node, { ...(named === title ? {} : { title: named }) }, shown);
}
