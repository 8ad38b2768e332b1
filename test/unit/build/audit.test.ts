import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, compareFindings } from '../../../build/audit/findings.ts';
import { findDrift } from '../../../build/audit/pins.ts';
import { isAllowed, toLicence } from '../../../build/licences.ts';
import { removeFolder } from '../../helpers/folders.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const answers = JSON.parse(read('build', 'audit', 'answers.json')) as Answer[];

describe('the answers to electronegativity', () => {
  it.each(answers.map((answer) => [answer.check, answer] as const))(
    '%s is still about existing code',
    (_check, one) => {
      expect(one.answer.length).toBeGreaterThan(40);
      if (one.file !== '') expect(read(one.file)).toContain(one.construct);
      expect(one.construct === '').toBe(one.file === '');
      expect(existsSync(join(root, one.test.file))).toBe(true);
      expect(read(one.test.file)).toContain(`'${one.test.name}'`);
    },
  );

  it('cover every finding, and none that no longer exists', () => {
    const found = answers.map(({ check, file }) => ({ check, file, line: 1 }));
    expect(compareFindings(found, answers)).toEqual([]);
    const strange = { check: 'NODE_INTEGRATION_JS_CHECK', file: 'electron/shell/window.ts', line: 12 };
    expect(compareFindings([...found, strange], answers).join()).toContain('NODE_INTEGRATION_JS_CHECK');
    const twice = found.filter(({ check }) => check === 'OPEN_EXTERNAL_JS_CHECK');
    expect(compareFindings([...found, ...twice], answers).join()).toContain('found 2 times');
    expect(compareFindings(found.slice(1), answers).join()).toContain('found 0 times');
  });

  it('are asked for by both workflows', () => {
    for (const name of ['check.yml', 'release.yml'])
      expect(read('.github', 'workflows', name)).toMatch(/run: (?:npm run|node build\/run\.mjs) audit/);
  });
});

describe('dependencies', () => {
  const manifest = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));

  it('are exact, as locked, with their hashes', () => expect(findDrift(manifest, lock)).toEqual([]));

  it('are refused if one floats, differs or has no hash', () => {
    const changed = (part: object) => ({ ...manifest, devDependencies: { ...manifest.devDependencies, ...part } });
    expect(findDrift(changed({ zod: '^4.6.7' }), lock).join()).toContain('zod is not pinned');
    expect(findDrift(changed({ zod: '4.6.6' }), lock).join()).toContain('zod 4.6.6 is locked as');
    expect(findDrift(changed({ unheard: '1.0.0' }), lock).join()).toContain('absent');
    const bare = {
      ...lock,
      packages: { ...lock.packages, 'node_modules/zod': { version: manifest.devDependencies.zod } },
    };
    expect(findDrift(manifest, bare)).toEqual(['node_modules/zod has no hash']);
  });
});

describe('licences', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'address-console-licences-'));
  });
  afterEach(() => removeFolder(folder));

  it.each([
    ['MIT', true],
    ['MIT AND ISC AND BSD-3-Clause', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only', false],
    ['SEE LICENSE IN x', false],
    ['UNLICENSED', false],
    ['', false],
  ])('%s is allowed: %s', (expression, allowed) => expect(isAllowed(expression)).toBe(allowed));

  it('stop the build if one is unknown or has no text', () => {
    expect(() => toLicence({ name: 'x', version: '1.0.0', identifier: 'SSPL-1.0', text: 'words' }, folder)).toThrow(
      /SSPL/,
    );
    expect(() => toLicence({ name: 'x', version: '1.0.0', text: 'words' }, folder)).toThrow(/x 1\.0\.0/);
    expect(() => toLicence({ name: 'x', version: '1.0.0', identifier: 'OFL-1.1' }, folder)).toThrow(/no words/);
    mkdirSync(join(folder, 'x'));
    writeFileSync(join(folder, 'x', 'package.json'), '{"version":"1.0.0","author":{"name":"Ann"}}');
    expect(toLicence({ name: 'x', version: '1.0.0', identifier: 'MIT' }, folder).text).toContain('Copyright (c) Ann');
  });
});
