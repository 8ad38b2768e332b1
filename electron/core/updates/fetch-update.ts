import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AppError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { HttpTransport } from '../transport/http/http-transport.ts';
import { cancelled, createFileOpener } from './open-update-file.ts';
import { mostFeedBytes } from './read-feed.ts';
import { UpdateFailure, updateError } from './update-error.ts';

const mostFileBytes = 1024 * 1024 * 1024;
/** For a whole release: 100 MB over the slowest line that anyone would fetch it by. */
const fileMs = 6 * 60 * 60_000;

export interface UpdateFetcher {
  /** The text of a list of versions. */
  readText(url: URL): Promise<Result<string>>;
  /**
   * Writes a release to `destination` and verifies its SHA-512 (base64). After a failure what is there is not the release; the caller
   * removes it (electron-updater does). Errors besides: 'unsafe-answer' (another file), 'answer-too-large' (over 1 GB), 'file-failed'.
   */
  download(request: {
    url: URL;
    destination: string;
    sha512: string;
    /** As the list of versions says; null: it does not. */
    size: number | null;
    /** Whole numbers, each once; never called if the server does not say how long the file is. */
    onPercent(percent: number): void;
  }): Promise<Result<void>>;
}

/**
 * Reads lists of versions and releases from one folder, opened by `createFileOpener`. Aborting `signal` ends what is under way with
 * `cancelled`. Errors: those of the opener, 'answer-too-large', 'sent-no-answer' (only a part came). `listMs`: for a whole list.
 */
export function createUpdateFetcher(
  address: string,
  connect: HttpTransport['connect'],
  signal: AbortSignal,
  listMs = 60_000,
): UpdateFetcher {
  const open = createFileOpener(address, connect, signal);

  const readError = (error: unknown, what: string): AppError => {
    if (signal.aborted) return cancelled();
    if (error instanceof UpdateFailure) return error.error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (/^(?:ENOSPC|EDQUOT|EACCES|EPERM|EROFS|ENOENT|EIO)$/.test(code))
      return updateError('file-failed', 'The newer version could not be written.', 'Check free disk space.', code);
    return updateError('sent-no-answer', `${what} came only in part.`, 'Try again later.');
  };

  return {
    async readText(url) {
      const opened = await open(url, listMs);
      if (!opened.ok) return opened;
      const { body, heard, end } = opened.value;
      try {
        const parts: Buffer[] = [];
        let bytes = 0;
        for await (const part of body) {
          heard();
          bytes += (part as Buffer).length;
          if (bytes > mostFeedBytes)
            return fail(updateError('answer-too-large', 'The list of versions is larger than such a list can be.'));
          parts.push(part as Buffer);
        }
        return ok(Buffer.concat(parts).toString('utf8'));
      } catch (error) {
        return fail(readError(error, 'The list of versions'));
      } finally {
        end();
      }
    },

    async download({ url, destination, sha512, size, onPercent }) {
      const opened = await open(url, fileMs);
      if (!opened.ok) return opened;
      const { body, length, heard, end } = opened.value;
      if (size !== null && length !== null && length !== size) {
        end();
        return fail(anotherFile(`${length} bytes in place of ${size}.`));
      }
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
          if (size !== null && bytes > size) done(new UpdateFailure(anotherFile(`More than ${size} bytes.`)));
          else if (bytes <= mostFileBytes) done(null, part);
          else done(new UpdateFailure(updateError('answer-too-large', 'The newer version is larger than allowed.')));
        },
      });
      try {
        await pipeline(body, watch, createWriteStream(destination, { mode: 0o600 }), { signal });
        if (hash.digest('base64') === sha512) return ok(undefined);
        return fail(anotherFile('SHA-512 does not match.'));
      } catch (error) {
        return fail(readError(error, 'The newer version'));
      } finally {
        end();
      }
    },
  };
}

const anotherFile = (detail: string): AppError =>
  updateError(
    'unsafe-answer',
    'The file of the newer version is not the one that the list of versions describes. It was thrown away.',
    'Tell whoever looks after the update address.',
    detail,
  );
