import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Dispatcher } from 'undici';
import type { AppError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { classifyBeforeSending } from '../transport/classify.ts';
import type { HttpTransport } from '../transport/http-transport.ts';
import type { Line } from '../transport/line.ts';
import { isPlainFileName, mostFeedBytes } from './read-feed.ts';
import { updateError } from './update-error.ts';

const mostFileBytes = 1024 * 1024 * 1024;
const connectMs = 15_000;
/** A transfer in which nothing came for so long is over. */
const silenceMs = 60_000;

/** All that is sent besides the address: nothing tells one computer, user or version from another. */
const headers = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'cache-control': 'no-cache',
  'user-agent': 'Address Console',
};

export interface UpdateFetcher {
  /** The text of a list of versions. */
  readText(url: URL): Promise<Result<string>>;
  /** Writes a release to `destination` and holds it against its SHA-512 (base64). What fails leaves no whole file. */
  download(wish: {
    url: URL;
    destination: string;
    sha512: string;
    onPercent(percent: number): void;
  }): Promise<Result<void>>;
}

interface Opened {
  body: Dispatcher.ResponseData['body'];
  length: number | null;
  /** Something came: the wait for silence begins anew. */
  heard(): void;
  end(): void;
}

class LineDispatcher extends Dispatcher {
  readonly #line: Line;
  constructor(line: Line) {
    super();
    this.#line = line;
  }
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#line.dispatch(options, handler);
    return true;
  }
}

/**
 * Fetches from one folder and nowhere else: no other server, no other folder, no redirect, no query, no cookie. `address` is the folder,
 * `openLine` the program's way to the network. Aborting `signal` ends what is under way with `cancelled`.
 */
export function createUpdateFetcher(
  address: string,
  openLine: HttpTransport['openLine'],
  signal: AbortSignal,
): UpdateFetcher {
  const base = new URL(address.endsWith('/') ? address : `${address}/`);

  /** The one file of the folder that a URL means; electron-updater adds a query against caches, which is left out. */
  function inFolder(url: URL): Result<string> {
    const name = decodeName(url.pathname.slice(base.pathname.length));
    if (url.origin === base.origin && url.pathname.startsWith(base.pathname) && name !== null && isPlainFileName(name))
      return ok(url.pathname);
    return fail(updateError('unsafe-answer', 'The list of versions names a file outside of its own folder.'));
  }

  async function open(url: URL): Promise<Result<Opened>> {
    const path = inFolder(url);
    if (!path.ok) return path;
    const opened = await openLine(base);
    if (!opened.ok) return fail(sayAgain(opened.error));
    const line = opened.value;
    const waiting = new AbortController();
    let timer = setTimeout(() => waiting.abort(), connectMs);
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => waiting.abort(), silenceMs);
    };
    const end = () => {
      clearTimeout(timer);
      line.cut();
    };
    try {
      const answer = await new LineDispatcher(line).request({
        origin: base.origin,
        path: path.value,
        method: 'GET',
        headers,
        signal: AbortSignal.any([signal, waiting.signal]),
      });
      heard();
      const refused = refuseAnswer(answer);
      if (refused !== null) {
        end();
        return fail(refused);
      }
      const length = Number(answer.headers['content-length']);
      return ok({ body: answer.body, length: Number.isSafeInteger(length) ? length : null, heard, end });
    } catch (error) {
      end();
      if (signal.aborted) return fail(updateError('cancelled', 'Looking for newer versions was stopped.'));
      if (waiting.signal.aborted)
        return fail(updateError('connect-timeout', 'The update address did not answer in time.'));
      return fail(sayAgain(classifyBeforeSending(error)));
    }
  }

  const readError = (error: unknown, what: string): AppError => {
    if (signal.aborted) return updateError('cancelled', 'Looking for newer versions was stopped.');
    if (error instanceof UpdateRefusal) return error.reason;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (/^(?:ENOSPC|EDQUOT|EACCES|EPERM|EROFS|ENOENT|EIO)$/.test(code))
      return updateError('file-failed', 'The newer version could not be written.', 'Check free disk space.', code);
    return updateError('sent-no-answer', `${what} came only in part.`, 'Try again later.');
  };

  return {
    async readText(url) {
      const opened = await open(url);
      if (!opened.ok) return opened;
      const { body, heard, end } = opened.value;
      try {
        const parts: Buffer[] = [];
        let bytes = 0;
        for await (const part of body) {
          heard();
          bytes += (part as Buffer).length;
          if (bytes > mostFeedBytes)
            return fail(
              updateError('answer-too-large', 'The list of versions is larger than any list of versions is.'),
            );
          parts.push(part as Buffer);
        }
        return ok(Buffer.concat(parts).toString('utf8'));
      } catch (error) {
        return fail(readError(error, 'The list of versions'));
      } finally {
        end();
      }
    },

    async download({ url, destination, sha512, onPercent }) {
      const opened = await open(url);
      if (!opened.ok) return opened;
      const { body, length, heard, end } = opened.value;
      const hash = createHash('sha512');
      let bytes = 0;
      let percent = -1;
      const watch = new Transform({
        transform(part: Buffer, _encoding, done) {
          heard();
          bytes += part.length;
          hash.update(part);
          const now = length === null || length === 0 ? -1 : Math.min(100, Math.floor((bytes / length) * 100));
          if (now > percent) {
            percent = now;
            onPercent(percent);
          }
          if (bytes <= mostFileBytes) done(null, part);
          else done(new UpdateRefusal(updateError('answer-too-large', 'The newer version is larger than allowed.')));
        },
      });
      try {
        await pipeline(body, watch, createWriteStream(destination, { mode: 0o600 }), { signal });
        if (hash.digest('base64') === sha512) return ok(undefined);
        return fail(
          updateError(
            'unsafe-answer',
            'The file of the newer version is not the one that the list of versions describes. It was thrown away.',
            'Tell whoever looks after the update address.',
            'SHA-512 does not match.',
          ),
        );
      } catch (error) {
        return fail(readError(error, 'The newer version'));
      } finally {
        end();
      }
    },
  };
}

class UpdateRefusal extends Error {
  readonly reason: AppError;
  constructor(reason: AppError) {
    super(reason.message);
    this.reason = reason;
  }
}

function decodeName(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function refuseAnswer({ statusCode, headers: given }: Dispatcher.ResponseData): AppError | null {
  if (statusCode >= 300 && statusCode < 400)
    return updateError(
      'redirect-refused',
      'The update address sends the program elsewhere; redirects are not followed.',
      'Enter the final address in Settings.',
    );
  if (statusCode === 404)
    return updateError('not-found', 'There is no list of versions for this system at the update address.');
  if (statusCode !== 200)
    return updateError('http-error', 'The update address answered with an error.', undefined, `HTTP ${statusCode}`);
  const encoding = String(given['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity')
    return updateError(
      'unreadable-answer',
      'The update address answered in a form that was not asked for.',
      undefined,
      encoding,
    );
  return null;
}

/** An error of the network in its own words, without what it says about credits and Connections. */
const sayAgain = ({ code, message, next, detail }: AppError): AppError =>
  updateError(code, message, /Connections|balance/i.test(next) ? undefined : next, detail);
