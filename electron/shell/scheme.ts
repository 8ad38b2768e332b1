import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { protocol, type Session } from 'electron';

const scheme = 'app';
/** The one origin that the window has, and the only one that may call a channel. */
export const windowOrigin = 'app://console';
export const windowUrl = `${windowOrigin}/index.html`;

/** `secure` for crypto and storage, `standard` for an origin of its own. No bypassCSP, no CORS, no service workers (promise 19). */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true, codeCache: true } }]);
}

/**
 * Everything is denied and what the window needs is named. Mantine sets styles through one nonce per launch; the page's one policy of
 * trusted types lets text without an element through (renderer/app/theme/trusted-types.ts). `webrtc 'block'` is a proposal that
 * Chromium does not know: window.ts and the session block such connections instead.
 */
export function contentSecurityPolicy(styleNonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

/** Names that a built file can have: no dots at the start, no parent folder, no drive, no encoded slash. */
const plainPath = /^\/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

/** Answers `app://console/…` from the built renderer; anything else is 404. */
export function serveWindow(session: Session, rendererFolder: string, styleNonce: string): void {
  const headers = {
    'content-security-policy': contentSecurityPolicy(styleNonce),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
  session.protocol.handle(scheme, async (request) => {
    const { host, pathname } = new URL(request.url);
    const type = types[extname(pathname)];
    if (request.method !== 'GET' || host !== 'console' || !type || !plainPath.test(pathname))
      return new Response(null, { status: 404, headers });
    try {
      const file = await readFile(join(rendererFolder, ...pathname.split('/')));
      const body = pathname === '/index.html' ? file.toString('utf8').replaceAll('__STYLE_NONCE__', styleNonce) : file;
      return new Response(body, { headers: { ...headers, 'content-type': type } });
    } catch {
      return new Response(null, { status: 404, headers });
    }
  });
}
