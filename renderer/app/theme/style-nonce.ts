import { setNonce } from 'get-nonce';

/** The nonce of this launch, which the main process wrote into the document. Empty if none is asked for. */
export function readStyleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
}

/**
 * Gives the nonce to the scroll lock of dialogs and menus, which writes a style element of its own. Without it, the page's policy
 * (`style-src 'self' 'nonce-…'`) refuses that element and the layout jumps. Call before the first render.
 */
export function prepareStyleNonce(): void {
  setNonce(readStyleNonce());
}
