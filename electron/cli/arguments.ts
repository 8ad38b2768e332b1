import { parseArgs } from 'node:util';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

const options = {
  set: { type: 'string', multiple: true },
  connection: { type: 'string' },
  against: { type: 'string' },
  timeout: { type: 'string' },
  raw: { type: 'boolean' },
  json: { type: 'boolean' },
  machine: { type: 'string' },
} as const;

export interface Arguments {
  words: string[];
  set: string[];
  connection: string | undefined;
  against: string | undefined;
  machine: string | undefined;
  timeoutMs: number;
  raw: boolean;
}

/** The command's words and options. An option that does not exist is refused, so that a slip of the pen never spends. */
export function readArguments(args: string[]): Result<Arguments> {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    const seconds = Number(values.timeout ?? '30');
    if (!(seconds >= 0.1 && seconds <= 300))
      return fail(appError('bad-input', { message: '--timeout takes seconds from 0.1 to 300.', next: 'Correct it.' }));
    return ok({
      words: positionals,
      set: values.set ?? [],
      connection: values.connection,
      against: values.against,
      machine: values.machine,
      timeoutMs: seconds * 1000,
      raw: values.raw ?? false,
    });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    return fail(appError('bad-input', { message: `${message}.`, next: '`help` shows the options.' }));
  }
}
