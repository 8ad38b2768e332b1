import { appError } from '../../shared/errors.ts';
import { fail, type Result } from '../../shared/result.ts';
import { createHttpTransport } from '../core/transport/http-transport.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { callByName } from './call-command.ts';
import type { Printed } from './main.ts';

/** `licences list` asks GetLicenseList for the account, `licences details --machine NAME` GetLicenseDetails for one machine. Both only read. */
export async function licencesCommand(args: string[]): Promise<Result<Printed>> {
  const read = readArguments(args);
  if (!read.ok) return read;
  const asked = requestOf(read.value);
  if (!asked.ok) return asked;
  const transport = createHttpTransport();
  try {
    return await callByName(asked.value.operation, { ...read.value, set: asked.value.set }, transport);
  } finally {
    await transport.close();
  }
}

function requestOf({ words, machine }: Arguments): Result<{ operation: string; set: string[] }> {
  const [what = 'list', ...more] = words;
  const set = machine === undefined ? [] : [`sMachineName=${machine}`];
  if (more.length === 0 && what === 'list') return { ok: true, value: { operation: 'GetLicenseList', set } };
  if (more.length === 0 && what === 'details') {
    if (machine !== undefined) return { ok: true, value: { operation: 'GetLicenseDetails', set } };
    return fail(
      appError('bad-input', {
        message: 'Name the machine.',
        next: 'Write licences details --machine NAME.',
        field: 'machine',
      }),
    );
  }
  return fail(
    appError('bad-input', {
      message: `There is no “licences ${words.join(' ')}”.`,
      next: 'Write licences list or licences details --machine NAME.',
    }),
  );
}
