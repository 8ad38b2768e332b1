import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../ports.ts';

const maxBytes = 1_000_000;

/**
 * A small log for bug reports. An error's message may quote what a server or a user wrote, so only its kind and the program's
 * own stack lines are kept: nothing of an answer, a request or a secret can get in (promise 11).
 */
export function createFileLogger(folder: string): Logger {
  const file = join(folder, 'console.log');
  return {
    error(where, error) {
      const { name, code, frames } = describe(error);
      const head = `${new Date().toISOString()} ${where} ${name}${code}`.trimEnd();
      const line = `${head}\n${frames.map((frame) => `  ${frame}\n`).join('')}`;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
        if (size > maxBytes) renameSync(file, `${file}.1`);
        appendFileSync(file, line, { mode: 0o600 });
      } catch {
        // If the log cannot be written, what it records must go on.
      }
    },
  };
}

function describe(error: unknown): { name: string; code: string; frames: string[] } {
  if (!(error instanceof Error)) return { name: error === null ? '' : typeof error, code: '', frames: [] };
  const { stack = '', message, code } = error as NodeJS.ErrnoException;
  // The message comes first and may quote a service's own stack lines. After one that was changed, and so is not found, no line is kept.
  const at = stack.indexOf(message);
  const frames = (at < 0 ? '' : stack.slice(at + message.length))
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim().replace(/\(?(?:file:\/\/)?[^\s()]*[\\/]/g, '('))
    .slice(0, 12);
  return { name: error.name, code: code === undefined ? '' : ` ${code}`, frames };
}
