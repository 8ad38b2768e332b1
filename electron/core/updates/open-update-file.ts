import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { AppError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { classifyAfterSending } from '../transport/http/classify.ts';
import { writeRequest } from '../transport/http/http-connection.ts';
import type { HttpTransport } from '../transport/http/http-transport.ts';
import { isPlainFileName } from './read-feed.ts';
import { updateError } from './update-error.ts';

const connectMs = 15_000;
/** A transfer in which nothing came for this long is over. */
const silenceMs = 60_000;

/** All that is sent besides what every request has: nothing distinguishes one computer, user or version from another. */
const headers = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'cache-control': 'no-cache',
};

/** A file of the folder whose answer has begun to arrive. */
export interface Opened {
  body: IncomingMessage;
  /** Bytes, as the server says; null: it does not. */
  length: number | null;
  /** Something came: the idle timer starts again. */
  heard(): void;
  /** Ends timers and connection: to be called whatever came. */
  end(): void;
}

/** The head of the answer to one GET; the socket ends with `signal`. Rejects if none comes. */
function ask(socket: Socket, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const stop = () => void socket.destroy(new Error('stopped'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', stop));
    const asking = writeRequest(socket, { method: 'GET', url, headers, keepAlive: false });
    asking.once('response', resolve).on('error', reject);
    asking.once('upgrade', stop).once('close', () => reject(new Error('The connection ended without an answer.')));
    asking.end();
  });
}

export const cancelled = (): AppError => updateError('cancelled', 'Looking for newer versions was stopped.');

/**
 * Opens files of one folder and nowhere else: no other server, no other folder, no redirect, no query, no cookie. `address` is the folder,
 * `connect` the program's way to the network; `wholeMs` limits one file from its opening to its last byte. Aborting `signal` ends what is
 * under way with `cancelled`. Errors: 'unsafe-answer' (outside the folder), 'redirect-refused', 'not-found', 'http-error',
 * 'unreadable-answer', 'connect-timeout', and those of `connect` and of a request; none says anything about credits.
 */
export function createFileOpener(
  address: string,
  connect: HttpTransport['connect'],
  signal: AbortSignal,
): (url: URL, wholeMs: number) => Promise<Result<Opened>> {
  const base = new URL(address.endsWith('/') ? address : `${address}/`);

  /** The one file of the folder that a URL means; electron-updater adds a query against caches, which is dropped. */
  function inFolder(url: URL): Result<URL> {
    const name = decodeName(url.pathname.slice(base.pathname.length));
    if (url.origin === base.origin && url.pathname.startsWith(base.pathname) && name !== null && isPlainFileName(name))
      return ok(new URL(base.origin + url.pathname));
    return fail(updateError('unsafe-answer', 'The list of versions names a file outside of its own folder.'));
  }

  async function open(url: URL, wholeMs: number): Promise<Result<Opened>> {
    const path = inFolder(url);
    if (!path.ok) return path;
    const waiting = new AbortController();
    let timer = setTimeout(() => waiting.abort(), connectMs);
    // A transfer that trickles is never silent, and never complete.
    const whole = setTimeout(() => waiting.abort(), wholeMs);
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => waiting.abort(), silenceMs);
    };
    const both = AbortSignal.any([signal, waiting.signal]);
    let socket: Socket | null = null;
    const end = () => {
      clearTimeout(timer);
      clearTimeout(whole);
      socket?.destroy();
    };
    const refuse = (error: AppError): Result<never> => {
      end();
      if (signal.aborted) return fail(cancelled());
      return fail(
        waiting.signal.aborted
          ? updateError('connect-timeout', 'The update address did not answer in time.')
          : restate(error),
      );
    };
    const opened = await connect(base, both);
    if (!opened.ok) return refuse(opened.error);
    socket = opened.value;
    try {
      const answer = await ask(socket, path.value, both);
      heard();
      const refused = refuseAnswer(answer);
      if (refused !== null) {
        end();
        return fail(refused);
      }
      const length = Number(answer.headers['content-length']);
      return ok({ body: answer, length: Number.isSafeInteger(length) ? length : null, heard, end });
    } catch (error) {
      return refuse(classifyAfterSending(error));
    }
  }

  return open;
}

function decodeName(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function refuseAnswer({ statusCode = 0, headers: given }: IncomingMessage): AppError | null {
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

/** A network error in its own words, without what it says about credits and Connections. */
const restate = ({ code, message, next, detail }: AppError): AppError =>
  updateError(code, message, /Connections|balance/i.test(next) ? undefined : next, detail);
