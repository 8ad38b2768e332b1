import { Dispatcher } from 'undici';
import type { AppError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { classifyBeforeSending } from '../transport/classify.ts';
import type { HttpTransport } from '../transport/http-transport.ts';
import type { Line } from '../transport/line.ts';
import { isPlainFileName } from './read-feed.ts';
import { updateError } from './update-error.ts';

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

/** A file of the folder whose answer began to come. */
export interface Opened {
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

export const cancelled = (): AppError => updateError('cancelled', 'Looking for newer versions was stopped.');

/**
 * Opens files of one folder and nowhere else: no other server, no other folder, no redirect, no query, no cookie. `address` is the folder,
 * `openLine` the program's way to the network. Aborting `signal` ends what is under way with `cancelled`.
 */
export function createFileOpener(
  address: string,
  openLine: HttpTransport['openLine'],
  signal: AbortSignal,
): (url: URL) => Promise<Result<Opened>> {
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
      if (signal.aborted) return fail(cancelled());
      if (waiting.signal.aborted)
        return fail(updateError('connect-timeout', 'The update address did not answer in time.'));
      return fail(sayAgain(classifyBeforeSending(error)));
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
