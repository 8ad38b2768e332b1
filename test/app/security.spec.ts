import { expect, expectClean, startDemo, test } from './fixtures.ts';

// The window's promises (safety.md 17, 19, 20), by someone trying to break them from inside the page.

test('the page cannot go elsewhere, open a window, or fetch anything', async ({ launch }) => {
  const { page } = await launch();
  const home = page.url();
  await page.evaluate(() => {
    location.href = 'https://example.com/';
  });
  await page.waitForTimeout(300);
  expect(page.url()).toBe(home);
  await page.evaluate(() => window.open('https://example.com/'));
  await page.waitForTimeout(300);
  expect(page.context().pages()).toHaveLength(1);
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

test('neither inline script nor eval nor a style without the nonce works', async ({ launch }) => {
  const { page } = await launch();
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.ranInline = true';
    document.body.append(script);
    const style = document.createElement('style');
    style.textContent = 'body { outline: 7px solid red }';
    document.body.append(style);
    // From a task of the page's own: code that the test injects directly is let through by the browser.
    const evaluated = await new Promise<string>((done) => {
      setTimeout(() => {
        try {
          // biome-ignore lint/security/noGlobalEval: that it is refused is what is tested.
          done(String(eval('1 + 1')));
        } catch {
          done('refused');
        }
      });
    });
    return { inline: 'ranInline' in window, outline: getComputedStyle(document.body).outlineWidth, evaluated };
  });
  expect(ran).toEqual({ inline: false, outline: expect.not.stringContaining('7px'), evaluated: 'refused' });
});

test('nothing of Node is in the page, and the bridge cannot be changed', async ({ launch }) => {
  const { page } = await launch();
  const found = await page.evaluate(() => {
    const names = ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
      (name) => name in window,
    );
    const before = window.api.call['app.info'];
    const attempt = (change: () => void) => {
      try {
        change();
      } catch {
        // Refused aloud; what counts is that nothing changed.
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

test('hostile payloads on every channel are refused with an error, and the program goes on', async ({ launch }) => {
  const { page } = await launch();
  await startDemo(page);
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
  // Channels without an input take {} only; nothing hostile gets past the parser, and nothing makes the program fail.
  expect(codes.codes).not.toContain('internal');
  expect(codes.codes).toEqual(['bad-channel-input']);
  await expectClean(page);
});

test('a request id that is in use, empty or no text is refused', async ({ launch }) => {
  const { page } = await launch();
  const codes = await page.evaluate(async () => {
    const call = window.api.call['app.info'] as unknown as (id: unknown, input: unknown) => Promise<{ ok: boolean }>;
    return Promise.all(
      [call('', {}), call(7, {}), call('x'.repeat(65), {}), call(null, {})].map(async (one) => (await one).ok),
    );
  });
  expect(codes).toEqual([false, false, false, false]);
});
