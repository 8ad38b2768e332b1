import { expect, test } from 'vitest';
import { appHandlers } from '../../../electron/ipc/app.ts';
import type { Shell } from '../../../electron/ipc/shell.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';

// The system's clipboard answers later and may refuse, so “copied” may be said only once it has the text.

type Handlers = ReturnType<typeof appHandlers>;
const copyWith = (copyText: Shell['copyText']) => {
  const settings = { read: () => fail(appError('storage-failed')) };
  const handlers = appHandlers({ settings } as unknown as Parameters<typeof appHandlers>[0], { copyText } as Shell);
  return handlers['app.copy-text']({ text: 'HR10 2DT' }, {} as Parameters<Handlers['app.copy-text']>[1]);
};

test('a text counts as copied once the system has taken it', async () => {
  const order: string[] = [];
  const answer = await copyWith(async (text) => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push(text);
  });
  expect(answer).toEqual({ ok: true, value: {} });
  expect(order).toEqual(['HR10 2DT']);
});

test('a refusing clipboard is an error that does not quote the system’s message, which may contain the text', async () => {
  expect(await copyWith(() => Promise.reject(new Error('held by another')))).toMatchObject({
    ok: false,
    error: { message: 'The system did not take the text into its clipboard.', detail: 'Error' },
  });
});
