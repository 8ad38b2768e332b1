import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClipboardMark } from '../../../electron/core/licences/clipboard-mark.ts';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { createSecretClipboard } from '../../../electron/shell/secret-clipboard.ts';
import { openTempDatabase, type TempDatabase } from '../../helpers/temp-database.ts';

let database: TempDatabase;
beforeEach(() => {
  database = openTempDatabase();
});
afterEach(() => database.remove());

function openClipboard(text = '') {
  const system = {
    text,
    refuses: false,
    isUnreadable: false,
    async writeText(text: string): Promise<void> {
      if (system.refuses) throw new Error('taken by another program');
      system.text = text;
    },
    async readText(): Promise<string> {
      if (system.isUnreadable) throw new Error('cannot be read');
      return system.text;
    },
    clear(): void {
      system.text = '';
    },
  };
  const mark = createClipboardMark(database.db.sql, createSettings(database.db));
  const waiting = new Set<() => void>();
  const secrets = createSecretClipboard(
    system,
    mark,
    (ms, work) => {
      expect(ms).toBe(60_000);
      waiting.add(work);
      return () => void waiting.delete(work);
    },
    () => 1000,
  );
  const passMinute = async () => {
    for (const work of [...waiting]) work();
    await new Promise(setImmediate);
  };
  return { system, mark, secrets, waiting, passMinute };
}

test('a secret is removed after a minute if it is still there', async () => {
  const { system, secrets, passMinute } = openClipboard();
  expect(await secrets.copy('one')).toBe(61_000);
  expect(system.text).toBe('one');
  await passMinute();
  expect(system.text).toBe('');
});

test('what somebody copied since stays, after the minute and at the end', async () => {
  for (const end of ['passMinute', 'clear'] as const) {
    const { system, secrets, passMinute } = openClipboard();
    await secrets.copy('one');
    system.text = 'a shopping list';
    await (end === 'clear' ? secrets.clear() : passMinute());
    expect(system.text).toBe('a shopping list');
  }
});

test('it is removed at the end, also if the clipboard cannot be read; the minute of an earlier secret does not remove a later one', async () => {
  const { system, secrets, waiting } = openClipboard();
  await secrets.copy('one');
  await secrets.copy('two');
  expect(waiting.size).toBe(1);
  expect(system.text).toBe('two');
  system.isUnreadable = true;
  await secrets.clear();
  expect(system.text).toBe('');
  expect(waiting.size).toBe(0);
});

test('a secret that the system did not take is reported as such', async () => {
  const { system, secrets } = openClipboard();
  system.refuses = true;
  await expect(secrets.copy('one')).rejects.toThrow();
});

test('a killed program removes it at its next start, and what somebody copied since stays', async () => {
  const guid = '6F9619FF-8B86-D011-B42D-00CF4FC964FF';
  const killed = openClipboard();
  await killed.secrets.copy(guid);
  expect(JSON.stringify(database.db.sql.prepare('SELECT key, value FROM settings').all())).not.toContain('6F9619FF');
  // At this start the clipboard cannot be read; the next start reads it.
  const blind = openClipboard(guid);
  blind.system.isUnreadable = true;
  await blind.secrets.clearLeft();
  const next = openClipboard(guid);
  await next.secrets.clearLeft();
  expect(next.system.text).toBe('');
  expect(next.mark.isSet()).toBe(false);

  await openClipboard().secrets.copy(guid);
  const other = openClipboard('a shopping list');
  await other.secrets.clearLeft();
  expect(other.system.text).toBe('a shopping list');
  // The secret is no longer the program's: if a person copies the same text later, it stays.
  const later = openClipboard(guid);
  await later.secrets.clearLeft();
  expect(later.system.text).toBe(guid);
});

test('a secret removed in time leaves no mark, and the next start clears nothing copied since', async () => {
  const { secrets, mark, passMinute } = openClipboard();
  await secrets.copy('one');
  expect(mark.isSet()).toBe(true);
  await passMinute();
  expect(mark.isSet()).toBe(false);
  const own = openClipboard();
  own.mark.set('two');
  const clearing = own.secrets.clearLeft();
  await own.secrets.copy('two');
  await clearing;
  expect(own.system.text).toBe('two');
  expect(own.mark.isSet()).toBe(true);
});
