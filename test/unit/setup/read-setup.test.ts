import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSetup } from '../../../electron/core/setup/read-setup.ts';
import type { SetupFile } from '../../../shared/domain/setup-file.ts';
import { setupFixture as file } from '../../fixtures/setup.ts';

// A set-up file comes from outside: it is either read completely or refused.

const first = ({ connections: [one] }: SetupFile) => {
  if (!one) throw new Error('no connection');
  return one;
};
const changed = (change: Partial<SetupFile['connections'][number]>): SetupFile => ({
  ...file,
  connections: [{ ...first(file), ...change }],
});

test('reads the version 1 file shown in the help', () => {
  expect(readSetup(JSON.stringify(file))).toMatchObject({ ok: true, value: { file } });
});

describe('hostile files', () => {
  const refused: [string, () => unknown][] = [
    ['no JSON', () => 'set-up'],
    ['nothing', () => ''],
    ['cut short', () => JSON.stringify(file).slice(0, -20)],
    ['a list a million deep', () => '['.repeat(1_000_000)],
    [
      'deep where a name should be',
      () => `{"format":"address-console-set-up","version":1,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    ],
    ['of another program', () => ({ ...file, format: 'other' })],
    ['of a newer version', () => ({ ...file, version: 2 })],
    ['with a field more', () => ({ ...file, policy: {} })],
    ['with a prototype', () => JSON.stringify(file).replace('{', '{"__proto__":{"a":1},')],
    [
      'with a prototype further in',
      () => JSON.stringify(file).replace('"caps":{', '"caps":{"__proto__":{"perRun":1},'),
    ],
    ['with a constructor', () => JSON.stringify(file).replace('"caps":{', '"caps":{"constructor":{},')],
    [
      'with a secret beside a key',
      () => changed({ keys: [{ role: 'lookup-key', label: 'a', lastFour: 'x', value: 'y' } as never] }),
    ],
    ['with more than the last four', () => changed({ keys: [{ role: 'lookup-key', label: 'a', lastFour: '12345' }] })],
    ['with a demo connection', () => changed({ settings: { ...first(file).settings, kind: 'demo' as never } })],
    ['with a cap below zero', () => changed({ caps: { perRun: -1, perDay: null, floor: null } })],
    ['with a cap that is no number', () => JSON.stringify(file).replace('"perDay":400', '"perDay":1e999')],
    [
      'with an address of another kind',
      () => changed({ settings: { ...first(file).settings, soapUrl: 'file:///etc/passwd' } }),
    ],
    ['naming one thing twice', () => ({ ...file, connections: [first(file), { ...first(file), name: 'WYEBANK' }] })],
    ['with a machine twice', () => changed({ machines: [...first(file).machines, ...first(file).machines] })],
  ];
  test.each(refused)('%s: refused with a message that repeats nothing of it', (_name, content) => {
    const made = content();
    const result = readSetup(typeof made === 'string' ? made : JSON.stringify(made));
    expect(result).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    if (!result.ok) expect(result.error.message.length).toBeLessThan(200);
  });

  test('any replacement of a part is refused, or read and written the same again', () => {
    const paths = [...walk(file, [])];
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
        const text = JSON.stringify(put(file, path, value));
        const read = readSetup(text);
        if (!read.ok) expect(read.error.code).toBe('bad-input');
        else expect(readSetup(JSON.stringify(read.value.file)).ok).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});

function* walk(value: unknown, path: (string | number)[]): Generator<(string | number)[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value))
    yield* walk(one, [...path, Array.isArray(value) ? Number(name) : name]);
}

function put(value: unknown, [step, ...rest]: (string | number)[], wanted: unknown): unknown {
  if (step === undefined) return wanted;
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? put(one, rest, wanted) : one));
  const object = value as Record<string, unknown>;
  return { ...object, [step]: put(object[step], rest, wanted) };
}
