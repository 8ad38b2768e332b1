import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentSecurityPolicy, registerScheme, serveWindow } from '../../../electron/shell/scheme.ts';
import { isOwnPage } from '../../../electron/shell/security.ts';
import { Protocol } from '../../host/protocol.ts';
import { ownSession, Session } from '../../host/session.ts';

const secret = 'not for the window';
let answer: (url: string, method?: string) => Promise<Response>;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-window-'));
  const renderer = join(folder, 'renderer');
  mkdirSync(join(renderer, 'assets'), { recursive: true });
  writeFileSync(join(renderer, 'index.html'), '<meta name="style-nonce" content="__STYLE_NONCE__">');
  writeFileSync(join(renderer, 'assets', 'a.js'), 'export {}');
  writeFileSync(join(renderer, 'notes.txt'), secret);
  writeFileSync(join(folder, 'secret.js'), secret);
  writeFileSync(join(renderer, '.hidden.js'), secret);
  const session = new Session(new Protocol());
  serveWindow(session as unknown as Parameters<typeof serveWindow>[0], renderer, 'n0nce');
  const handler = session.protocol.handlers.get('app');
  answer = async (url, method = 'GET') => {
    if (!handler) throw new Error('the scheme has no handler');
    return handler(new Request(url, { method }));
  };
});

test('the page is served with its nonce, its policy and nosniff', async () => {
  const response = await answer('app://console/index.html');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('<meta name="style-nonce" content="n0nce">');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toBe(contentSecurityPolicy('n0nce'));
  expect((await answer('app://console/assets/a.js')).headers.get('content-type')).toBe(
    'text/javascript; charset=utf-8',
  );
});

test('the policy starts from nothing and allows neither inline code, nor eval, nor a connection', () => {
  const policy = contentSecurityPolicy('n0nce');
  expect(policy.startsWith("default-src 'none'; script-src 'self';")).toBe(true);
  expect(policy).toContain("connect-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
});

describe('only the window’s own files are answered', () => {
  test.each([
    'app://console/../secret.js',
    'app://console/%2e%2e/secret.js',
    'app://console/..%2fsecret.js',
    'app://console/assets/..%5c..%5csecret.js',
    'app://console//etc/passwd.js',
    'app://console/assets/%00.js',
    'app://console/.hidden.js',
    'app://console/notes.txt',
    'app://console/missing.js',
    'app://console/',
    'app://elsewhere/index.html',
    'app://console:99/index.html',
  ])('%s', async (url) => {
    const response = await answer(url);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('any other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD'])
      expect((await answer('app://console/index.html', method)).status).toBe(404);
  });
});

test('no path returns a file outside the folder', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (path) => {
      let url: URL;
      try {
        url = new URL(`app://console/${path}`);
      } catch {
        return;
      }
      expect(await (await answer(url.href)).text()).not.toContain(secret);
    }),
  );
});

test('the scheme is secure and standard, and cannot bypass the policy', () => {
  registerScheme();
  expect(ownSession.protocol.schemes).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } },
  ]);
});

test.each([
  ['app://console/index.html', true],
  ['app://console/', true],
  ['app://console', true],
  ['', false],
  ['about:blank', false],
  ['app://console.evil/index.html', false],
  ['app://consol/index.html', false],
  ['app://user@console/index.html', false],
  ['app://console:8080/index.html', false],
  ['https://console/index.html', false],
  ['app:console/index.html', false],
  ['file:///index.html', false],
  ['data:text/html,app://console/', false],
])('own page: %s is %s', (url, own) => {
  expect(isOwnPage(url)).toBe(own);
});
