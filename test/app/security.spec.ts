import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenOnLoopback } from '../helpers/loopback.ts';
import { expect, expectClean, reloadClean, test } from './fixtures.ts';
import { connectBoth } from './own-service.ts';

// Tries to break the window's promises 17, 19 and 20 from inside the page.

test.describe('one window', () => {
  // What the browser says to these attempts would be the next test's complaints.
  test.afterEach(({ sharedPage }) => reloadClean(sharedPage));

  test('neither inline script nor eval, nor text read as HTML, nor a style without the nonce works', async ({
    sharedPage: page,
  }) => {
    const ran = await page.evaluate(async () => {
      const attempt = (work: () => void): string => {
        try {
          work();
          return 'done';
        } catch (error) {
          return (error as Error).name;
        }
      };
      const script = document.createElement('script');
      document.body.append(script);
      const box = document.body.appendChild(document.createElement('div'));
      // Trusted types refuse these before the script policy applies.
      const untrusted = [
        attempt(() => {
          script.textContent = 'window.ranInline = true';
        }),
        attempt(() => {
          script.src = './index.html';
        }),
        attempt(() => {
          box.innerHTML = '<img src="x" onerror="window.ranInline = true">';
        }),
        attempt(() => box.insertAdjacentHTML('beforeend', '<b>bold</b>')),
        attempt(() => box.setAttribute('onclick', 'window.ranInline = true')),
        attempt(() => document.write('<p>written</p>')),
      ];
      // Built from nodes, to which trusted types do not apply.
      script.append(document.createTextNode('window.ranInline = true'));
      const style = document.createElement('style');
      style.textContent = 'body { outline: 7px solid red }';
      document.body.append(style);
      // In a task of the page, because the browser does not apply the policy to code that the test injects directly.
      const evaluated = await new Promise<string>((done) => {
        setTimeout(() => {
          try {
            // biome-ignore lint/security/noGlobalEval: the test checks that it is refused.
            done(String(eval('1 + 1')));
          } catch {
            done('refused');
          }
        });
      });
      return {
        untrusted,
        made: box.childElementCount,
        inline: 'ranInline' in window,
        outline: getComputedStyle(document.body).outlineWidth,
        evaluated,
      };
    });
    expect(ran).toEqual({
      untrusted: Array.from({ length: 6 }, () => 'TypeError'),
      made: 0,
      inline: false,
      outline: expect.not.stringContaining('7px'),
      evaluated: 'refused',
    });
  });

  test('nothing of Node is in the page, and the bridge cannot be changed', async ({ sharedPage: page }) => {
    const found = await page.evaluate(() => {
      const names = ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
        (name) => name in window,
      );
      const before = window.api.call['app.info'];
      const attempt = (change: () => void) => {
        try {
          change();
        } catch {
          // It may throw; the test checks that nothing changed.
        }
      };
      attempt(() => {
        (window as { api: unknown }).api = {};
      });
      attempt(() => {
        (window.api.call as Record<string, unknown>)['app.info'] = () => 'mine';
      });
      attempt(() => {
        (window.api.call as Record<string, unknown>)['no.such'] = () => 'mine';
      });
      const changed = window.api.call['app.info'] === before && !('no.such' in window.api.call) ? 'kept' : 'changed';
      return { names, changed, calls: Object.keys(window.api).sort() };
    });
    expect(found).toEqual({ names: [], changed: 'kept', calls: ['call', 'cancel', 'on'] });
  });

  test('a request id that is in use, empty or not a string is refused', async ({ sharedPage: page }) => {
    const codes = await page.evaluate(async () => {
      const call = window.api.call['app.info'] as unknown as (id: unknown, input: unknown) => Promise<{ ok: boolean }>;
      return Promise.all(
        [call('', {}), call(7, {}), call('x'.repeat(65), {}), call(null, {})].map(async (one) => (await one).ok),
      );
    });
    expect(codes).toEqual([false, false, false, false]);
  });

  test('no permission is granted to the page', async ({ sharedPage: page }) => {
    const found = await page.evaluate(async () => {
      const names = [
        'geolocation',
        'notifications',
        'camera',
        'microphone',
        'midi',
        'clipboard-read',
      ] as PermissionName[];
      const states = await Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
      const media = await navigator.mediaDevices.getUserMedia({ audio: true, video: true }).then(
        () => 'given',
        (error: Error) => error.name,
      );
      return { states: [...new Set(states)], notices: Notification.permission, media };
    });
    expect(found).toEqual({
      states: ['denied'],
      notices: 'denied',
      media: expect.stringMatching(/NotAllowed|NotFound/),
    });
  });

  test('the page cannot go elsewhere, open a window, or fetch anything', async ({ sharedPage: page }) => {
    let asked = 0;
    const elsewhere = createServer((_request, response) => {
      asked += 1;
      response.end('<title>elsewhere</title>');
    });
    const port = await listenOnLoopback(elsewhere);
    const address = `http://127.0.0.1:${port}/`;
    const home = page.url();
    const pages = page.context().pages().length;
    // The program answers in order: after it has answered a call, it has refused what came before.
    const answered = () =>
      page.evaluate(async () => (await window.api.call['app.info'](`after-${Math.random()}`, {})).ok);
    await page.evaluate((to) => {
      location.href = to;
    }, address);
    await page.evaluate((to) => location.assign(`${to}assigned`), address);
    expect(await answered()).toBe(true);
    expect(page.url()).toBe(home);
    expect(await page.evaluate((to) => window.open(to), address)).toBeNull();
    // Also by a person's click, which a pop-up blocker would allow.
    await page.evaluate((to) => {
      const link = Object.assign(document.createElement('a'), { href: to, target: '_blank', textContent: 'elsewhere' });
      link.style.cssText = 'position: fixed; inset: 0; z-index: 9999';
      document.body.append(link);
    }, address);
    await page.getByRole('link', { name: 'elsewhere' }).click();
    expect(await answered()).toBe(true);
    await expect.poll(() => page.context().pages().length).toBe(pages);
    expect([page.url(), asked]).toEqual([home, 0]);
    elsewhere.close();
    const fetched = await page.evaluate(() =>
      fetch('https://example.com/').then(
        () => 'fetched',
        () => 'refused',
      ),
    );
    expect(fetched).toBe('refused');
    const own = await page.evaluate(() =>
      fetch('./index.html').then(
        () => 'fetched',
        () => 'refused',
      ),
    );
    expect(own).toBe('refused');
  });
});

test('hostile payloads on every channel are refused with an error, and the program keeps working', async ({
  sharedPage: page,
  startService,
}) => {
  await connectBoth(page, await startService());
  const codes = await page.evaluate(async () => {
    const hostile: unknown[] = [
      undefined,
      null,
      7,
      'text',
      [],
      { connectionId: { $ne: null } },
      { connectionId: 'x'.repeat(100_000) },
      JSON.parse('{"__proto__":{"polluted":true}}'),
      { connectionId: "'; DROP TABLE connections; --", text: '\u0000', extra: true },
    ];
    const seen = new Set<string>();
    for (const [name, call] of Object.entries(window.api.call)) {
      const send = call as (id: string, input: unknown) => Promise<{ ok: boolean; error?: { code: string } }>;
      for (const [index, input] of hostile.entries()) {
        const result = await send(`h-${name}-${index}`, input);
        seen.add(result.error?.code ?? `answered: ${name} ${index}`);
      }
    }
    return { codes: [...seen], polluted: 'polluted' in {} };
  });
  expect(codes.polluted).toBe(false);
  // Channels without an input accept {} only. The parser refuses every hostile input, and none makes the program fail.
  expect(codes.codes).not.toContain('internal');
  expect(codes.codes).toEqual(['bad-channel-input']);
  await expectClean(page);
});

test('a message whose frame no longer exists is refused, and the window keeps working', async ({ launch, folder }) => {
  const recordFile = join(folder, 'to-the-window.jsonl');
  const { page } = await launch({ recordFile, env: { ADDRESS_CONSOLE_HOST_FRAMES_LOST: '1' } });
  await expect(page.getByRole('button', { name: 'Start the demo service' })).toBeVisible();
  expect(await page.evaluate(async () => (await window.api.call['app.info']('later', {})).ok)).toBe(true);
  expect(readFileSync(recordFile, 'utf8').match(/"not-allowed"/g)).toHaveLength(1);
});
