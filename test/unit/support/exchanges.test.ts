import { expect, test } from 'vitest';
import { createExchanges } from '../../../electron/core/support/exchanges.ts';

test('what is too long for a support file is named by its size: an answer by the bytes that came, a request by its characters', () => {
  const exchanges = createExchanges();
  const text = 'é'.repeat(300_000);
  exchanges.note('one', {
    request: { method: 'POST', url: 'https://service.example', headers: {}, body: text },
    raw: { status: 200, headers: {}, text, bytes: 600_000 },
  });
  expect(exchanges.find('one')).toMatchObject({
    request: { body: '(300000 characters, too long to be kept for a support file)' },
    raw: { text: '(600000 bytes, too long to be kept for a support file)' },
  });
});
