import { readFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { decodeTextFile } from '../../../shared/domain/text/text-file.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { findSecretInAddress } from '../../core/connections/check-service-address.ts';
import { compareDescriptions } from '../../core/soap/description/drift.ts';
import { readDescription } from '../../core/soap/description/read-description.ts';
import { readDescriptionText } from '../../core/soap/description/wsdl.ts';
import type { Arguments } from '../arguments.ts';
import { readConnectionFile } from '../connection-file.ts';
import { type Printed, usageError } from '../printed.ts';
import type { Session } from '../session.ts';

/**
 * `wsdl <url or file> [--against file] [--connection file.json]`: a service description, and how it differs from the catalogue, from the
 * connection's namespaces if one is given, and from the file after `--against`: a WSDL, or an earlier output of this command.
 */
export async function wsdlCommand(args: Arguments, session: Session): Promise<Result<Printed>> {
  const connection = args.connection === undefined ? undefined : await readConnectionFile(args.connection, session);
  if (connection && !connection.ok) return connection;
  const source = args.words[0] ?? connection?.value.soapUrl ?? '';
  if (source === '')
    return fail(
      appError('bad-input', {
        message: 'Name the address or the file of a description.',
        next: 'Write wsdl <url or file>, or give a connection file with a soapUrl.',
      }),
    );
  const live = await readSource(source, args, session);
  if (!live.ok) return live;
  const before = args.against === undefined ? undefined : await readSource(args.against, args, session);
  if (before && !before.ok) return before;
  return ok({
    value: { description: live.value, drift: compareDescriptions(live.value, before?.value, connection?.value) },
  });
}

async function readSource(
  source: string,
  { timeoutMs }: Arguments,
  { send, signal }: Session,
): Promise<Result<ServiceDescription>> {
  if (/^https?:\/\//i.test(source)) {
    const secret = findSecretInAddress(source);
    if (secret !== undefined)
      return usageError(
        `The address contains a secret (${secret}), and would be printed with the description.`,
        'Take it out of the address: a description is read without a key.',
      );
    return readDescription({ soapUrl: source, transport: send, timeoutMs, signal });
  }
  const text = await readText(source);
  if (!text.ok) return text;
  if (text.value.trimStart().startsWith('{')) return readPrinted(text.value, source);
  return readDescriptionText(text.value, {
    source,
    base: pathToFileURL(resolve(source)).href,
    load: (location) => loadBeside(source, location),
  });
}

async function readText(path: string): Promise<Result<string>> {
  try {
    return ok(decodeTextFile(await readFile(path)));
  } catch {
    return fail(appError('file-failed', { message: `The file ${path} cannot be read.`, charge: 'not-applicable' }));
  }
}

/** Loads a document that a saved description refers to, from its folder or below: a saved file may not read other files or the network. */
async function loadBeside(source: string, location: string): Promise<Result<string>> {
  const refused = fail(appError('wrong-origin', { detail: location }));
  if (!location.startsWith('file:///')) return refused;
  const path = fileURLToPath(location);
  return path.startsWith(dirname(resolve(source)) + sep) ? readText(path) : refused;
}

/** Reads an earlier output of this command: the whole document, or the description alone. */
function readPrinted(text: string, source: string): Result<ServiceDescription> {
  try {
    const document = JSON.parse(text) as { value?: { description?: ServiceDescription } } & ServiceDescription;
    const description = document.value?.description ?? document;
    const { operations, ports, notes, addresses, types, readAt } = description;
    const whole =
      [operations, ports, notes].every(Array.isArray) && [addresses, types].every((part) => part instanceof Object);
    if (whole && typeof readAt === 'string') return ok(description);
  } catch {
    // Not JSON: reported below like JSON that is not a description.
  }
  return fail(
    appError('unreadable-answer', {
      message: `${source} contains no service description.`,
      charge: 'not-applicable',
      next: 'Give a WSDL, or what `wsdl` printed before.',
    }),
  );
}
