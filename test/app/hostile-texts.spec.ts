import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, expectClean, screenOf, searchFor, test } from './fixtures.ts';
import { connectBoth } from './own-service.ts';

// Texts of a service are shown literally: nothing in them changes the direction of a line, and a very long word is cut before layout.

const word = 'W'.repeat(10_000);

test('characters that override text direction are shown by name, and a word of 10,000 letters is cut for drawing', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    response.writeHead(200, { 'content-type': 'application/json' });
    if (path.endsWith('/Search'))
      response.end(
        JSON.stringify({
          results: [
            { id: '1', address: `12 \u202eteertS hgiH, AB1 2DF`, type: 'premise' },
            { id: '2', address: `${word}, AB1 2DF`, type: 'premise' },
          ],
        }),
      );
    else if (path.endsWith('/GetPremise'))
      response.end(
        JSON.stringify({
          item: {
            id: '1',
            line1: `${word}\u202e`,
            company: `Acme\u200b\u2066 Ltd`,
            city: word,
            postalCode: 'AB1 2DF',
            odd: word,
          },
        }),
      );
    else response.end('{"credits":"100"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await connectBoth(page, service, {
      restBaseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    await searchFor(page, 'AB1 2DF');
    const screen = screenOf(page, 'lookup');
    await expect(screen.getByText('⟨U+202E⟩teertS hgiH')).toBeVisible();
    await page.getByRole('listbox').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(screen.getByText('Acme⟨U+200B⟩⟨U+2066⟩ Ltd').first()).toBeVisible();
    await expect(screen.getByText(/more characters\)/).first()).toBeVisible();
    // Letters laid out in the longest text, which takes most of the work.
    const long = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (walker.nextNode()) {
        const { textContent, parentElement } = walker.currentNode;
        const drawn = parentElement !== null && !['STYLE', 'SCRIPT'].includes(parentElement.tagName);
        if (drawn && (textContent?.length ?? 0) > 3000) found.push(`${parentElement.outerHTML.slice(0, 80)}`);
      }
      return found;
    });
    expect(long).toEqual([]);
    await expectClean(page);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
