import { resolve } from 'node:path';
import { Script } from 'node:vm';
import { build } from 'vite';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { channels, events } from '../../shared/contract.ts';
import { isSecretField, secretAnswerFields, secretRequestFields } from '../../shared/secret-fields.ts';

const root = resolve(import.meta.dirname, '..', '..');
const channelNames = Object.keys(channels);

interface Exposed {
  call: Record<string, unknown>;
  on: Record<string, unknown>;
  cancel: unknown;
}

/** Builds the preload in memory, runs it with a replacement for Electron's module, and returns what it exposes. */
async function exposedByPreload(): Promise<Exposed> {
  const configFile = resolve(root, 'build', 'vite.preload.ts');
  const built = await build({ configFile, build: { write: false }, logLevel: 'silent' });
  const chunks = 'output' in built ? built.output.filter((file) => file.type === 'chunk') : [];
  expect(chunks.map(({ fileName }) => fileName)).toEqual(['preload.cjs']);
  const code = chunks[0]?.code;
  let exposed: unknown;
  const electron = {
    contextBridge: {
      exposeInMainWorld: (_name: string, value: unknown) => {
        exposed = value;
      },
    },
    ipcRenderer: { on: () => {}, invoke: () => Promise.resolve() },
  };
  const required: string[] = [];
  const require = (name: string) => {
    required.push(name);
    return electron;
  };
  new Script(`(function (exports, require, module) {${code}\n})`).runInThisContext()({}, require, {});
  expect(new Set(required)).toEqual(new Set(['electron']));
  return exposed as Exposed;
}

test('the preload exposes exactly the contract’s channels and events', async () => {
  const api = await exposedByPreload();
  expect(Object.keys(api).sort()).toEqual(['call', 'cancel', 'on']);
  expect(Object.keys(api.call).sort()).toEqual([...channelNames].sort());
  expect(Object.keys(api.on).sort()).toEqual(Object.keys(events).sort());
});

/** The path of every property in a schema, with dots. */
function propertyPaths(schema: z.ZodType): string[] {
  const paths: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties, items, anyOf, oneOf, allOf, additionalProperties, $defs } = node as Record<string, unknown>;
    for (const [name, child] of Object.entries((properties ?? {}) as Record<string, unknown>)) {
      paths.push(path === '' ? name : `${path}.${name}`);
      visit(child, path === '' ? name : `${path}.${name}`);
    }
    visit(items, `${path}[]`);
    visit(additionalProperties, `${path}{}`);
    for (const list of [anyOf, oneOf, allOf]) for (const child of (list ?? []) as unknown[]) visit(child, path);
    for (const child of Object.values(($defs ?? {}) as Record<string, unknown>)) visit(child, path);
  };
  visit(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }), '');
  return paths;
}

const looksSecret = (path: string): boolean => {
  const name =
    path
      .split(/[.[\]{}]+/)
      .filter(Boolean)
      .at(-1) ?? '';
  return isSecretField(name) || /(?:password|passwd|secret|token|credential|apikey|api_key)$/i.test(name);
};

describe('no output can carry a secret', () => {
  // The fields of an address have a `value`; there must be no field for a secret's value.
  const allowed: readonly string[] = [];
  test.each([
    ...Object.entries(channels).map(([name, { output }]) => [name, output] as const),
    ...Object.entries(events),
  ])('%s', (_name, schema) => {
    const paths = propertyPaths(schema);
    expect(paths.filter((path) => looksSecret(path) && !allowed.includes(path))).toEqual([]);
  });

  test('the check recognises a secret', () => {
    for (const name of [...secretRequestFields, ...secretAnswerFields])
      expect(
        propertyPaths(z.object({ list: z.array(z.object({ [name]: z.string() })) })).filter(looksSecret),
      ).toHaveLength(1);
  });
});

test('every input is a strict object with bounded text', () => {
  for (const [name, { input }] of Object.entries(channels)) {
    const unbounded: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const {
        type,
        properties,
        items,
        maxLength,
        additionalProperties,
        anyOf,
        enum: values,
        const: constant,
        pattern,
        maxItems,
      } = node as Record<string, unknown>;
      if (type === 'object' && additionalProperties !== false) unbounded.push(`${path}: takes unknown fields`);
      if (
        type === 'string' &&
        maxLength === undefined &&
        values === undefined &&
        constant === undefined &&
        pattern === undefined
      )
        unbounded.push(`${path}: text without a cap`);
      if (type === 'array' && maxItems === undefined) unbounded.push(`${path}: list without a cap`);
      for (const [key, child] of Object.entries((properties ?? {}) as Record<string, unknown>))
        visit(child, `${path}.${key}`);
      visit(items, `${path}[]`);
      for (const child of (anyOf ?? []) as unknown[]) visit(child, path);
    };
    visit(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), name);
    expect(unbounded).toEqual([]);
  }
});
