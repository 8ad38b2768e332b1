import { describe, expect, test } from 'vitest';
import { isLoopbackHost, proveDestination } from '../../../electron/core/transport/connect/origin.ts';

const base = 'https://service.example/api/v1';

describe('proveDestination', () => {
  test.each([
    ['https://service.example/api/v1/Search?query=a', base],
    ['https://SERVICE.example:443/x', base],
    ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/v1'],
    ['http://localhost:8080/x', 'http://localhost:8080/v1'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/v1'],
    ['https://10.0.0.1/x', 'https://10.0.0.1/'],
  ])('%s under %s', (target, from) => {
    const result = proveDestination(target, from);
    expect(result.ok && result.value.href).toBe(new URL(target).href);
  });

  test.each([
    ['another host', 'https://evil.example/api'],
    ['the host as a prefix', 'https://service.example.evil.com/'],
    ['the host as a suffix', 'https://evilservice.example/'],
    ['a user name', 'https://service.example@evil.com/'],
    ['a user name at the right host', 'https://user:pw@service.example/'],
    ['an empty user name', 'https://@service.example/'],
    ['a backslash', 'https://service.example\\@evil.com/'],
    ['a backslash for a slash', 'https:\\\\service.example/'],
    ['an address without a scheme', '//evil.com/'],
    ['an absolute path', '/Search'],
    ['too few slashes', 'https:/service.example/'],
    ['too many slashes', 'https:///service.example/'],
    ['a tab in the host', 'https://service.exam\tple/'],
    ['a line break', 'https://service.example/\r\nX: y'],
    ['a full-width dot', 'https://service．example/'],
    ['a soft hyphen', 'https://serv\u00adice.example/'],
    ['a Cyrillic letter', 'https://servicе.example/'],
    ['an escape in the host', 'https://service%2eexample/'],
    ['an escaped slash in the host', 'https://service.example%2f.evil.com/'],
    ['a trailing dot', 'https://service.example./'],
    ['another port', 'https://service.example:8443/'],
    ['a port out of range', 'https://service.example:99999/'],
    ['an odd port', 'https://service.example:0443/'],
    ['nothing', ''],
  ])('%s is refused', (_name, target) => {
    expect(proveDestination(target, base)).toMatchObject({ ok: false, error: { code: 'wrong-origin' } });
  });

  test.each([
    ['http', 'http://service.example/'],
    ['another scheme', 'ftp://service.example/'],
    ['a script', 'javascript://service.example/%0aalert(1)'],
    ['loopback in a name', 'http://localhost.evil.com/'],
    ['loopback in a longer name', 'http://127.0.0.1.evil.com/'],
    ['an unspecified address', 'http://0.0.0.0/'],
    ['a private address', 'http://192.168.0.1/'],
    ['a name under localhost', 'http://a.localhost/'],
    ['localhost with a dot', 'http://localhost./'],
  ])('%s is insecure', (_name, target) => {
    expect(proveDestination(target, target)).toMatchObject({ ok: false, error: { code: 'insecure-address' } });
  });

  test.each([
    'http://2130706433:8080/',
    'http://0x7f.1:8080/',
    'http://0177.0.0.1:8080/',
    'http://127.1:8080/',
    'http://127.0.0.1.:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://[0:0:0:0:0:0:0:1]:8080/',
  ])('loopback in disguise: %s', (target) => {
    expect(proveDestination(target, target).ok).toBe(false);
    expect(proveDestination(target, 'http://127.0.0.1:8080/').ok).toBe(false);
  });

  test('the configured address is judged as strictly', () => {
    expect(proveDestination('http://service.example/', 'http://service.example/').ok).toBe(false);
    expect(proveDestination(base, 'https://user@service.example/').ok).toBe(false);
    expect(proveDestination(base, '').ok).toBe(false);
  });
});

test('loopback hosts', () => {
  expect(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '[::1]'].every(isLoopbackHost)).toBe(true);
  expect(['127.0.0.1.evil.com', 'localhost.', '127.1', '[::ffff:7f00:1]', '128.0.0.1', ''].some(isLoopbackHost)).toBe(
    false,
  );
});
