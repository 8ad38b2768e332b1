import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClipboardMark } from '../../../electron/core/licences/clipboard-mark.ts';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { copyText, outOfHistories } from '../../../electron/shell/clipboard.ts';
import { createSecretClipboard } from '../../../electron/shell/secret-clipboard.ts';
import { openTempDatabase, type TempDatabase } from '../../helpers/temp-database.ts';

let database: TempDatabase;
beforeEach(() => {
  database = openTempDatabase();
});
afterEach(() => database.remove());

function openClipboard(text = '', readsOwn = false) {
  const system = {
    text,
    isUnreadable: false,
    /** As on macOS after “Don’t Allow”: what another program has copied reads as empty, though it has a text. */
    isAnothers: false,
    /** As in GNOME's Wayland: without the focus it reads as empty, and what is written or cleared comes back. */
    hasFocus: true,
    /** A clipboard manager that puts the last text back into one that is empty, after a moment (KDE). */
    fillsEmpty: false,
    last: text,
    now: 1000,
    /** Tries for which another program has it open: then, as on Windows, nothing is written or cleared, it reads as empty, and no error comes. */
    locked: 0,
    async writeText(text: string): Promise<void> {
      if (system.locked > 0 || !system.hasFocus) return;
      system.text = text;
      system.last = text;
    },
    async readText(): Promise<string> {
      if (system.isUnreadable) throw new Error('cannot be read');
      return system.locked > 0 || !system.hasFocus || system.isAnothers ? '' : system.text;
    },
    has: async () => system.hasFocus && system.text !== '',
    clear(): void {
      if (system.locked === 0 && system.hasFocus) system.text = '';
    },
  };
  const mark = createClipboardMark(database.db.sql, createSettings(database.db));
  const waiting = new Set<() => void>();
  const secrets = createSecretClipboard(
    system,
    mark,
    () => system.hasFocus,
    readsOwn,
    (ms, work) => {
      expect(ms).toBe(60_000);
      waiting.add(work);
      return () => void waiting.delete(work);
    },
    () => system.now,
    async () => {
      if (system.locked > 0) system.locked -= 1;
      if (system.fillsEmpty && system.text === '') system.text = system.last;
    },
  );
  const passMinute = async () => {
    for (const work of [...waiting]) work();
    await new Promise(setImmediate);
  };
  return { system, mark, secrets, waiting, passMinute };
}

test.each([
  ['win32', 'ExcludeClipboardContentFromMonitorProcessing', '1'],
  ['darwin', 'org.nspasteboard.ConcealedType', '1'],
  ['linux', 'x-kde-passwordManagerHint', 'secret'],
] as const)('on %s a secret asks the clipboard’s histories to leave it out', async (platform, format, content) => {
  const { system } = openClipboard();
  const written: Record<string, string> = {};
  const clipboard = outOfHistories(
    {
      ...system,
      write: async (items) => {
        for (const item of items)
          for (const type of item.types) written[type] = await ((await item.getType(type)) as Blob).text();
      },
    },
    platform,
  );
  await clipboard.writeText('one');
  expect(written).toEqual({ 'text/plain': 'one', [`electron application/osclipboard;format="${format}"`]: content });
});

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

test('where the program can always read its own, as on macOS, what it may not read is somebody else’s and stays, and is asked about once', async () => {
  const { system, secrets, mark, passMinute } = openClipboard('', true);
  await secrets.copy('one');
  system.text = 'a shopping list';
  system.isAnothers = true;
  await passMinute();
  expect([system.text, mark.isSet()]).toEqual(['a shopping list', false]);

  // So does what was copied after a run that was killed.
  mark.set('two');
  const next = openClipboard('a letter', true);
  next.system.isAnothers = true;
  await next.secrets.clearLeft();
  expect([next.system.text, mark.isSet()]).toEqual(['a letter', false]);
  mark.set('three');
  const own = openClipboard('three', true);
  await own.secrets.clearLeft();
  expect([own.system.text, mark.isSet()]).toEqual(['', false]);
});

test('a secret that the system did not take is reported as such', async () => {
  const { system, secrets } = openClipboard('a shopping list');
  system.locked = Number.POSITIVE_INFINITY;
  await expect(secrets.copy('one')).rejects.toThrow();
  expect(system.text).toBe('a shopping list');
});

test('a clipboard that another program has open for a moment takes the secret, and gives it up', async () => {
  const { system, secrets, mark } = openClipboard('a shopping list');
  system.locked = 3;
  await secrets.copy('one');
  expect(system.text).toBe('one');
  system.locked = 3;
  await secrets.clear();
  expect(system.text).toBe('');
  expect(mark.isSet()).toBe(false);
});

test('a secret that could not be removed at the end is removed at the next start', async () => {
  const { system, secrets, mark } = openClipboard();
  await secrets.copy('one');
  system.locked = Number.POSITIVE_INFINITY;
  await secrets.clear();
  expect(system.text).toBe('one');
  expect(mark.isSet()).toBe(true);
  const blind = openClipboard('one');
  blind.system.locked = Number.POSITIVE_INFINITY;
  await blind.secrets.clearLeft();
  expect(mark.isSet()).toBe(true);
  const next = openClipboard('one');
  await next.secrets.clearLeft();
  expect(next.system.text).toBe('');
  expect(mark.isSet()).toBe(false);
});

test('a text is copied if it can be read back, whatever the system makes of its line ends', async () => {
  const { system } = openClipboard();
  const rest = async () => {};
  const windows = { ...system, readText: async () => (await system.readText()).replaceAll('\n', '\r\n') };
  await copyText(windows, '1 High Street\nHereford', rest);
  system.locked = Number.POSITIVE_INFINITY;
  await expect(copyText(system, 'two', rest)).rejects.toThrow();
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

test('what cannot be cleared without the focus, as in GNOME, is cleared when a window is in front again, at the latest after the next start', async () => {
  const { system, secrets, mark, passMinute } = openClipboard();
  await secrets.copy('one');
  system.hasFocus = false;
  await passMinute();
  await secrets.clearLeft();
  expect(system.text).toBe('one');
  system.hasFocus = true;
  await secrets.clearLeft();
  expect(system.text).toBe('');
  expect(mark.isSet()).toBe(false);

  await secrets.copy('two');
  system.hasFocus = false;
  await secrets.clear();
  const next = openClipboard('two');
  next.system.hasFocus = false;
  await next.secrets.clearLeft();
  next.system.hasFocus = true;
  await next.secrets.clearLeft();
  expect(next.system.text).toBe('');
  expect(next.mark.isSet()).toBe(false);
});

test('nor does a window that loses the focus while it looks count as having seen it gone', async () => {
  const { system, secrets, mark, passMinute } = openClipboard();
  const { readText } = system;
  const loseFocus = () => {
    system.readText = () => {
      system.hasFocus = false;
      return readText();
    };
  };
  await secrets.copy('one');
  loseFocus();
  await passMinute();
  expect([system.text, mark.isSet()]).toEqual(['one', true]);
  system.hasFocus = true;
  await secrets.clearLeft();
  expect([system.text, mark.isSet()]).toEqual(['one', true]);
  system.readText = readText;
  system.hasFocus = true;
  await secrets.clearLeft();
  expect([system.text, mark.isSet()]).toEqual(['', false]);
});

test('a window that comes to the front within the minute removes nothing', async () => {
  const { system, secrets, mark } = openClipboard();
  await secrets.copy('one');
  await secrets.clearLeft();
  expect(system.text).toBe('one');
  expect(mark.isSet()).toBe(true);
});

test('a timer that stood still while the computer slept: it is removed when the computer wakes, or a window comes to the front, after the time that was said', async () => {
  const { system, secrets, mark, waiting } = openClipboard();
  const until = await secrets.copy('one');
  system.now = until - 1;
  await secrets.clearLeft();
  expect(system.text).toBe('one');
  system.now = until;
  await secrets.clearLeft();
  expect([system.text, mark.isSet(), waiting.size]).toEqual(['', false, 0]);

  // The time of one secret is not that of the next, not even while that is being written.
  const { writeText } = system;
  system.writeText = async (text) => {
    await secrets.clearLeft();
    await writeText(text);
  };
  await secrets.copy('two');
  await secrets.clearLeft();
  expect(system.text).toBe('two');
  // What was copied since stays.
  system.text = 'a shopping list';
  system.now += 60_000;
  await secrets.clearLeft();
  expect([system.text, mark.isSet()]).toEqual(['a shopping list', false]);
});

test('where a clipboard manager puts the secret back, as in KDE, a blank takes its place', async () => {
  const { system, secrets, mark, passMinute } = openClipboard();
  system.fillsEmpty = true;
  await secrets.copy('one');
  await passMinute();
  expect(system.text).toBe(' ');
  expect(mark.isSet()).toBe(false);
});
