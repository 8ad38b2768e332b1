import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import { detectKeychain, openSystemKeychain } from '../../../electron/platform/system-keychain.ts';
import type { Keychain } from '../../../electron/ports.ts';
import {
  keychainMissing,
  startTestKeychain,
  startWithoutKeychain,
  type TestKeychain,
} from '../../helpers/secret-service.ts';

const linuxOnly = process.platform === 'linux';
const service = `Address Console, test ${crypto.randomUUID()}`;
const entry = { service, account: 'Contact centre (lookup-key)' };
const value = 'Schlüssel-☃-𝄞-"quoted" & <tagged>-7f3a';

describe.skipIf(keychainMissing() !== undefined)('the system’s keychain', () => {
  let system: TestKeychain;
  let keychain: Keychain;

  beforeAll(async () => {
    system = await startTestKeychain();
    const detected = await detectKeychain({ answerMs: 10_000 });
    expect(detected.missing).toBeNull();
    keychain = detected.keychain;
  });
  afterAll(async () => {
    if (!linuxOnly) await keychain.delete(entry);
    await system.stop();
  });

  it('is found, and the probe leaves nothing behind', async () => {
    expect(keychain.kind).toBe('keychain');
    // macOS would read the keys to know.
    expect(await keychain.state()).toBe(process.platform === 'darwin' ? 'not-read' : 'unlocked');
    expect(await keychain.list('Address Console, is a keychain there?')).toEqual({ ok: true, value: [] });
  });

  it('answers "absent" as a value, for reading, listing and deleting', async () => {
    expect(await keychain.get(entry)).toEqual({ ok: true, value: null });
    expect(await keychain.delete(entry)).toEqual({ ok: true, value: false });
    expect(await keychain.list(service)).toEqual({ ok: true, value: [] });
  });

  it('stores a value in any script unchanged, replaces it, and deletes it', async () => {
    expect(await keychain.set(entry, 'first')).toEqual({ ok: true, value: undefined });
    expect(await keychain.set(entry, value)).toEqual({ ok: true, value: undefined });
    expect(await keychain.get(entry)).toEqual({ ok: true, value });
    const other = { service, account: 'Büro ☃ (master-key)' };
    await keychain.set(other, 'second');
    expect(await keychain.list(service)).toEqual({ ok: true, value: ['Büro ☃ (master-key)', entry.account] });
    expect(await keychain.delete(other)).toEqual({ ok: true, value: true });
    expect(await keychain.get(other)).toEqual({ ok: true, value: null });
    expect(await keychain.get(entry)).toEqual({ ok: true, value });
  });

  it('takes names that differ in case alone for one, or for two, as it says of itself', async () => {
    const other = await keychain.get({ ...entry, service: service.toUpperCase() });
    expect(other).toEqual({ ok: true, value: keychain.ignoresCase ? value : null });
  });

  it.runIf(linuxOnly)('is found in the system’s keychain program by the name that the window says it has', async () => {
    const ask = async (path: string, method: string, ...args: string[]) =>
      (
        await promisify(execFile)(
          'gdbus',
          [
            'call',
            '--session',
            '--dest',
            'org.freedesktop.secrets',
            '--object-path',
            path,
            '--method',
            method,
            ...args,
          ],
          { env: { PATH: process.env.PATH, ...system.env } },
        )
      ).stdout;
    const found = await ask(
      '/org/freedesktop/secrets',
      'org.freedesktop.Secret.Service.SearchItems',
      `{'service': '${service}'}`,
    );
    const path = /'(\/[^']+)'/.exec(found)?.[1] ?? '';
    const label = await ask(path, 'org.freedesktop.DBus.Properties.Get', 'org.freedesktop.Secret.Item', 'Label');
    expect(label).toContain(service);
    expect(label).not.toContain(`'${service}`);
  });

  it.runIf(linuxOnly)('uses one connection for repeated reads, and a new one after the service restarted', async () => {
    const library = await import('@napi-rs/keyring');
    let opened = 0;
    class Counted extends library.AsyncEntry {
      constructor(...names: ConstructorParameters<typeof library.AsyncEntry>) {
        super(...names);
        opened += 1;
      }
    }
    const counted = openSystemKeychain({ ...library, AsyncEntry: Counted });
    for (let times = 0; times < 30; times += 1) expect(await counted.get(entry)).toEqual({ ok: true, value });
    expect(opened).toBe(1);
    await system.kill();
    await system.start();
    expect(await counted.get(entry)).toEqual({ ok: true, value });
    await system.kill();
    await system.start();
    expect(await counted.set(entry, value)).toEqual({ ok: true, value: undefined });
    expect(await counted.get(entry)).toEqual({ ok: true, value });
    expect(opened).toBe(3);
  });

  it.runIf(linuxOnly)('asks again if the service ends in the middle of a request and is started again', async () => {
    /** Ends the service while the request waits for it, and starts it again. */
    const endIn = async <T>(request: () => Promise<T>): Promise<T> => {
      system.freeze();
      const answer = request();
      // Nothing tells that the request has left. One that leaves after the end is answered that there is no such service.
      await new Promise((sent) => setTimeout(sent, 1000));
      await system.kill();
      await system.start();
      return answer;
    };
    // A busy machine starts the service in many seconds.
    const patience = { answerMs: 120_000, restartMs: 60_000, probeMs: 120_000 };
    const [used, fresh] = [(await detectKeychain(patience)).keychain, (await detectKeychain(patience)).keychain];
    expect(await used.get(entry)).toEqual({ ok: true, value });
    expect(await endIn(() => used.get(entry))).toEqual({ ok: true, value });
    expect(await endIn(() => fresh.list(service))).toEqual({ ok: true, value: [entry.account] });
    expect(await endIn(() => used.set(entry, value))).toEqual({ ok: true, value: undefined });
    const detected = await endIn(() => detectKeychain(patience));
    expect(detected).toMatchObject({ missing: null, keychain: { kind: 'keychain' } });
  });

  it('can be read by another process, by the names alone', async () => {
    const module = new URL('../../../electron/platform/system-keychain.ts', import.meta.url).href;
    const script = `const { keychain } = await (await import(${JSON.stringify(module)})).detectKeychain();
      process.stdout.write(JSON.stringify(await keychain.get(${JSON.stringify(entry)})));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).toEqual({ ok: true, value });
  });

  it.runIf(linuxOnly)('stops waiting for a keychain that does not answer, and reports nothing as absent', async () => {
    const impatient = (await detectKeychain({ answerMs: 300 })).keychain;
    system.freeze();
    const listed = await impatient.list(service);
    const read = await impatient.get(entry);
    const probed = await detectKeychain({ probeMs: 300 });
    system.thaw();
    expect(listed).toMatchObject({
      ok: false,
      error: { code: 'keychain-locked', detail: expect.stringContaining('0.3 s') },
    });
    expect(read).toMatchObject({ ok: false });
    expect(probed.keychain.kind).toBe('keychain');
    expect(await keychain.get(entry)).toEqual({ ok: true, value });
  });

  it.runIf(linuxOnly)('reports "locked" for reading, writing, deleting and listing, and loses nothing', async () => {
    await system.lock();
    for (const result of [
      await keychain.get(entry),
      await keychain.set(entry, 'overwritten'),
      await keychain.delete(entry),
      await keychain.list(service),
    ]) {
      expect(result).toMatchObject({ ok: false, error: { code: 'keychain-locked' } });
      expect(JSON.stringify(result)).not.toContain('overwritten');
    }
    expect(await keychain.state(service)).toBe('locked');
    await system.unlock();
    expect(await keychain.get(entry)).toEqual({ ok: true, value });
  });

  it.runIf(linuxOnly)('reports "unreadable", never "absent", when the service is gone', async () => {
    await system.kill();
    for (const result of [await keychain.get(entry), await keychain.delete(entry), await keychain.list(service)]) {
      expect(result).toMatchObject({ ok: false, error: { code: 'keychain-unreadable' } });
    }
    expect(await keychain.state()).toBe('unreadable');
    await system.start();
    expect(await keychain.get(entry)).toEqual({ ok: true, value });
  });
});

describe.skipIf(!linuxOnly || keychainMissing() !== undefined)('a computer without a keychain', () => {
  it('keeps secrets in memory and says why', async () => {
    const without = await startWithoutKeychain();
    const detected = await detectKeychain();
    await without.stop();
    expect(detected.keychain.kind).toBe('memory');
    expect(detected.missing?.next).toContain('memory until the program ends');
    expect(detected.missing?.detail).toMatch(/\S/);
  });
});

describe('memory in place of a keychain', () => {
  it('answers as a keychain does', async () => {
    const vault = createMemoryVault();
    expect(await vault.get(entry)).toEqual({ ok: true, value: null });
    expect(await vault.delete(entry)).toEqual({ ok: true, value: false });
    await vault.set(entry, value);
    await vault.set({ ...entry, service: 'another' }, 'other');
    expect(await vault.get(entry)).toEqual({ ok: true, value });
    expect(await vault.list(service)).toEqual({ ok: true, value: [entry.account] });
    expect(await vault.delete(entry)).toEqual({ ok: true, value: true });
    expect(await vault.list(service)).toEqual({ ok: true, value: [] });
    expect(await vault.state()).toBe('unlocked');
  });
});
