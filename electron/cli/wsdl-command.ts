import { readFile } from 'node:fs/promises';
import type { ServiceDescription } from '../../shared/domain/service-description.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { compareDescriptions } from '../core/soap/drift.ts';
import { readDescription } from '../core/soap/read-description.ts';
import { readDescriptionText } from '../core/soap/wsdl.ts';
import { createHttpTransport } from '../core/transport/http-transport.ts';
import { readArguments } from './arguments.ts';
import { readConnectionFile } from './connection-file.ts';
import type { Printed } from './main.ts';

/**
 * `wsdl <url or file> [--against file]`: a service description, and how it differs from the catalogue and from another one
 * (WSDL, or the `description` that this command printed before).
 */
export async function wsdlCommand(args: string[]): Promise<Result<Printed>> {
  const read = readArguments(args);
  if (!read.ok) return read;
  let source = read.value.words[0];
  if (source === undefined && read.value.connection !== undefined) {
    const connection = await readConnectionFile(read.value.connection);
    if (!connection.ok) return connection;
    source = connection.value.soapUrl;
  }
  if (source === undefined || source === '')
    return fail(
      appError('bad-input', {
        message: 'Name the address or the file of a description.',
        next: 'Write wsdl <url or file>.',
      }),
    );
  const live = await readSource(source, read.value.timeoutMs);
  if (!live.ok) return live;
  const before =
    read.value.against === undefined ? undefined : await readSource(read.value.against, read.value.timeoutMs);
  if (before && !before.ok) return before;
  return ok({ description: live.value, drift: compareDescriptions(live.value, before?.value) });
}

async function readSource(source: string, timeoutMs: number): Promise<Result<ServiceDescription>> {
  if (/^https?:\/\//i.test(source)) {
    const transport = createHttpTransport();
    try {
      return await readDescription({ soapUrl: source, transport: transport.send, timeoutMs });
    } finally {
      await transport.close();
    }
  }
  let text: string;
  try {
    text = await readFile(source, 'utf8');
  } catch {
    return fail(appError('file-failed', { message: `The file ${source} cannot be read.`, charge: 'not-applicable' }));
  }
  return text.trimStart().startsWith('{') ? readPrinted(text, source) : readDescriptionText(text, { source });
}

/** What this command printed: the description alone, or the whole document. */
function readPrinted(text: string, source: string): Result<ServiceDescription> {
  try {
    const document = JSON.parse(text) as { description?: ServiceDescription } & ServiceDescription;
    const description = document.description ?? document;
    if (Array.isArray(description.operations) && typeof description.readAt === 'string') return ok(description);
  } catch {
    // Told below: it is no description either way.
  }
  return fail(
    appError('unreadable-answer', { message: `${source} holds no service description.`, charge: 'not-applicable' }),
  );
}
