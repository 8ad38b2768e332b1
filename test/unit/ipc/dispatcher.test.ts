import { describe, expect, test, vi } from 'vitest';
import { createDispatcher, type Handlers } from '../../../electron/ipc/dispatcher.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok } from '../../../shared/result.ts';

/** A dispatcher with only the test's handlers; calling any other one fails the test. */
const dispatcherWith = (handlers: Partial<Handlers>, report: (error: unknown) => void = () => {}) =>
  createDispatcher(handlers as Handlers, () => null, report);

const settings = { colourScheme: 'dark', cachedAnswers: { mode: 'days', amount: 30 }, timeoutSeconds: 30 } as const;

test('parses the input, runs the handler, and drops what the output does not name', async () => {
  const handler = vi.fn(() => ok({ text: 'receipt', secret: 'a3f1c0de' }));
  const dispatcher = dispatcherWith({ 'licences.receipt': handler as never });
  expect(await dispatcher.dispatch('licences.receipt', 'w1', { changeId: 'c1' })).toEqual(ok({ text: 'receipt' }));
  expect(handler).toHaveBeenCalledOnce();
});

describe('refuses, and runs nothing', () => {
  const handler = vi.fn(() => ok({ text: '' }));
  const dispatcher = dispatcherWith({ 'licences.receipt': handler });
  test.each([
    ['a channel that is not there', 'licences.none', 'w1', {}],
    ['a name of the prototype', 'constructor', 'w1', {}],
    ['__proto__', '__proto__', 'w1', {}],
    ['a field too many', 'licences.receipt', 'w1', { changeId: 'c1', more: 1 }],
    ['a wrong type', 'licences.receipt', 'w1', { changeId: 7 }],
    ['no input', 'licences.receipt', 'w1', undefined],
    ['an id that is too long', 'licences.receipt', 'x'.repeat(65), { changeId: 'c1' }],
    ['no id', 'licences.receipt', '', { changeId: 'c1' }],
  ])('%s', async (_name, channel, requestId, input) => {
    expect(await dispatcher.dispatch(channel, requestId, input)).toMatchObject({
      ok: false,
      error: { code: 'bad-channel-input' },
    });
    expect(handler).not.toHaveBeenCalled();
  });
});

test('names the wrong field, never its value', async () => {
  const dispatcher = dispatcherWith({ 'secrets.put': vi.fn() });
  const result = await dispatcher.dispatch('secrets.put', 'w1', {
    connectionId: 'c',
    role: 'lookup-key',
    label: '',
    value: 'a3f1c0de99887766',
  });
  expect(result).toMatchObject({ ok: false, error: { field: 'label' } });
  expect(JSON.stringify(result)).not.toContain('a3f1c0de');
});

test('a throwing handler gives an error value; what it threw goes to the report and not to the window', async () => {
  const report = vi.fn();
  const dispatcher = dispatcherWith(
    {
      'journal.check': () => {
        throw new Error('key a3f1c0de');
      },
    },
    report,
  );
  const result = await dispatcher.dispatch('journal.check', 'w1', {});
  expect(result).toMatchObject({ ok: false, error: { code: 'internal', charge: 'may-have-been-charged' } });
  expect(JSON.stringify(result)).not.toContain('a3f1c0de');
  expect(report).toHaveBeenCalledOnce();
});

test('an output of the wrong form does not reach the window', async () => {
  const report = vi.fn();
  const dispatcher = dispatcherWith(
    { 'settings.read': (() => ok({ ...settings, colourScheme: 'pink' })) as never },
    report,
  );
  expect(await dispatcher.dispatch('settings.read', 'w1', {})).toMatchObject({
    ok: false,
    error: { code: 'internal' },
  });
  expect(report).toHaveBeenCalledOnce();
});

test('an error of the closed list reaches the window unchanged', async () => {
  const error = appError('cap-reached');
  const dispatcher = dispatcherWith({ 'journal.check': () => fail(error) });
  expect(await dispatcher.dispatch('journal.check', 'w1', {})).toEqual(fail(error));
});

describe('cancel', () => {
  const waiting = () => {
    const signals: AbortSignal[] = [];
    const dispatcher = dispatcherWith({
      'journal.check': (_input, { signal }) =>
        new Promise((done) => {
          signals.push(signal);
          signal.addEventListener('abort', () => done(fail(appError('cancelled'))));
        }),
    });
    return { dispatcher, signals };
  };

  test('reaches the call of that id and no other', async () => {
    const { dispatcher, signals } = waiting();
    const first = dispatcher.dispatch('journal.check', 'w1', {});
    const second = dispatcher.dispatch('journal.check', 'w2', {});
    dispatcher.cancel('w1');
    expect(await first).toMatchObject({ error: { code: 'cancelled' } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    dispatcher.cancelAll();
    await second;
  });

  test('of an unknown or hostile id does nothing', () => {
    const { dispatcher } = waiting();
    for (const id of ['w9', '', '__proto__', null, {}, 7]) expect(() => dispatcher.cancel(id)).not.toThrow();
  });

  test('an id in use is refused, and free again afterwards', async () => {
    const { dispatcher } = waiting();
    const first = dispatcher.dispatch('journal.check', 'w1', {});
    expect(await dispatcher.dispatch('journal.check', 'w1', {})).toMatchObject({
      error: { code: 'bad-channel-input' },
    });
    dispatcher.cancel('w1');
    await first;
    const again = dispatcher.dispatch('journal.check', 'w1', {});
    dispatcher.cancelAll();
    expect(await again).toMatchObject({ error: { code: 'cancelled' } });
  });
});

test('a long text is looked through for keys in parts of whole lines, and main does other things between them', async () => {
  const text = Array.from({ length: 50_000 }, (_, row) => `${row},HR10 2DT\n`).join('');
  const looked: string[] = [];
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const question = (texts: readonly string[]) => {
    looked.push(...texts);
    return texts.some((one) => one.includes(last)) ? appError('looks-like-key') : null;
  };
  const handler = vi.fn();
  const dispatcher = createDispatcher({ 'batch.paste': handler } as unknown as Handlers, question, () => {});
  let others = 0;
  const work = () => {
    others += 1;
    next = setImmediate(work);
  };
  let next = setImmediate(work);
  const asked = await dispatcher.dispatch('batch.paste', 'w1', { connectionId: 'c', text });
  clearImmediate(next);
  expect(others).toBeGreaterThan(5);
  expect(asked).toMatchObject({ ok: false, error: { code: 'looks-like-key' } });
  expect(handler).not.toHaveBeenCalled();
  expect(looked.join('')).toBe(text);
  expect(looked.length).toBeGreaterThan(5);
  for (const part of looked) expect(part.endsWith('\n')).toBe(true);
});
