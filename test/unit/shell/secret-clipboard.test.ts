import { expect, test } from 'vitest';
import { createSecretClipboard } from '../../../electron/shell/secret-clipboard.ts';

function openClipboard() {
  const system = {
    text: '',
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
  const waiting = new Set<() => void>();
  const secrets = createSecretClipboard(
    system,
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
  return { system, secrets, waiting, passMinute };
}

test('a secret is taken off after a minute where it is still there', async () => {
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

test('it is taken off at the end, also where the clipboard cannot be asked; the minute of an earlier one ends nothing later', async () => {
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

test('one that the system did not take is told of as that', async () => {
  const { system, secrets } = openClipboard();
  system.refuses = true;
  await expect(secrets.copy('one')).rejects.toThrow();
});
