import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { policySettings } from '../../../build/policy/describe-policy.ts';
import { policyFiles } from '../../../build/policy/files.ts';
import { policyNames, policySchema } from '../../../electron/core/policy/policy-schema.ts';
import { formatLocked, policyText } from '../../../renderer/features/settings/policy-messages.ts';

const folder = resolve(import.meta.dirname, '..', '..', '..', 'build', 'policy');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('the files for deploying a policy', () => {
  it.each(Object.entries(policyFiles()))(
    '%s is as generated from the schema (else run build/policy/write.ts)',
    (name, text) => {
      // The formatter may change the layout of JSON, so only the values are compared.
      if (name.endsWith('.json')) expect(JSON.parse(read(name))).toEqual(JSON.parse(text));
      else expect(read(name)).toBe(text);
    },
  );

  it('describes every setting', () => {
    const settings = policySettings();
    expect(settings.map(({ name }) => name)).toEqual(policyNames);
    for (const { title, description } of settings) {
      expect(title.length).toBeGreaterThan(3);
      expect(description.length).toBeGreaterThan(20);
    }
  });

  it('has an example that is a valid policy', () => {
    expect(policySchema.safeParse(JSON.parse(read('policy.example.json'))).error).toBeUndefined();
  });

  it('has texts and a form for everything that the Group Policy template names', () => {
    const admx = read('address-console.admx');
    const adml = read('en-US/address-console.adml');
    expect(XMLValidator.validate(admx)).toBe(true);
    expect(XMLValidator.validate(adml)).toBe(true);
    const named = (kind: string) =>
      [...admx.matchAll(new RegExp(`\\$\\(${kind}\\.([^)]+)\\)`, 'g'))].map(([, id]) => id);
    const given = (tag: string) => [...adml.matchAll(new RegExp(`<${tag} id="([^"]+)"`, 'g'))].map(([, id]) => id);
    expect(new Set(named('string'))).toEqual(new Set(given('string')));
    expect(new Set(named('presentation'))).toEqual(new Set(given('presentation')));
    for (const name of policyNames)
      expect(admx.includes(`<policy name="${name}" class="Machine"`)).toBe(name !== 'extraCaFile');
  });

  it('writes a macOS profile whose settings are a valid policy', () => {
    const text = read('address-console.mobileconfig');
    expect(XMLValidator.validate(text)).toBe(true);
    type Node = Record<string, Node[]> & { '#text'?: unknown };
    const parsed = new XMLParser({ preserveOrder: true, parseTagValue: false, processEntities: true }).parse(
      text.replace(/<!DOCTYPE[^>]*>/, ''),
    ) as Node[];
    const child = (nodes: Node[], tag: string): Node[] => nodes.find((node) => node[tag])?.[tag] ?? [];
    const textOf = (nodes: Node[]) => String(nodes[0]?.['#text'] ?? '');
    const plistValue = (node: Node): unknown => {
      const tag = Object.keys(node)[0] ?? '';
      const inside = node[tag] ?? [];
      if (tag === 'true' || tag === 'false') return tag === 'true';
      if (tag === 'integer') return Number(textOf(inside));
      if (tag === 'array') return inside.map(plistValue);
      return tag === 'dict' ? dictOf(inside) : textOf(inside);
    };
    const dictOf = (nodes: Node[]): Record<string, unknown> => {
      const dict: Record<string, unknown> = {};
      for (let at = 0; at + 1 < nodes.length; at += 2)
        dict[textOf(nodes[at]?.key ?? [])] = plistValue(nodes[at + 1] as Node);
      return dict;
    };
    const profile = dictOf(child(child(parsed, 'plist'), 'dict'));
    const [payload] = profile.PayloadContent as Record<string, unknown>[];
    const settings = Object.fromEntries(Object.entries(payload ?? {}).filter(([name]) => !name.startsWith('Payload')));
    const policy = policySchema.safeParse(settings);
    expect(policy.error).toBeUndefined();
    expect(policy.data?.allowedBaseUrls).toEqual(['https://lookup.example']);
  });
});

it('has a text in the window for every setting', () => {
  expect(Object.keys(policyText).sort()).toEqual([...policyNames].sort());
  expect(formatLocked(['proxy', 'exportAllowed'])).toBe('the proxy, exports');
});
