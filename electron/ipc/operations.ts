import type { OperationAnswer, operationChannels } from '../../shared/contract/operations.ts';
import { localDay } from '../../shared/domain/text/calendar-day.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import { fail, mapResult, ok, type Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import type { SavedPiece } from '../core/decode/browse/take-apart.ts';
import { writeTextFile } from '../platform/write-file.ts';
import type { HandlersOf } from './dispatcher.ts';
import { putOnClipboard, type Shell, saveAs } from './shell.ts';

/** Characters of a raw text on the clipboard. */
const mostOfRaw = 10_000_000;
const tooLongToCopy = (): AppError =>
  appError('bad-input', {
    // With its way out: a copy that fails is reported in one line, which is the message.
    message: 'The text has more than 10 million characters. Save it as a file instead.',
    next: 'Save it as a file.',
    charge: 'not-applicable',
    money: 'No credits are involved.',
  });

export function operationHandlers(
  { operations, policy, emit }: Pick<AppCore, 'operations' | 'policy' | 'emit'>,
  { copyText, chooseSaveFile }: Pick<Shell, 'copyText' | 'chooseSaveFile'>,
): HandlersOf<typeof operationChannels> {
  const { saved, raw } = operations;
  const shownIn = (window: number, answer: Result<OperationAnswer>): Result<OperationAnswer> => {
    if (answer.ok) operations.showIn(window, answer.value.answerId);
    return answer;
  };
  /** Writes piece after piece as main reads the answer; the first is read before a file is asked for, so that a lost answer fails at once. */
  async function save(
    file: Parameters<Shell['chooseSaveFile']>[0],
    read: (from: number) => Promise<Result<SavedPiece>>,
    { requestId, signal }: { requestId: string; signal: AbortSignal },
  ): ReturnType<typeof saveAs> {
    const allowed = policy.checkExport();
    if (!allowed.ok) return allowed;
    const first = await read(0);
    if (!first.ok) return first;
    let lost: Result<never> | undefined;
    async function* pieces() {
      for (let piece = first; ; piece = await read(piece.value.next)) {
        if (!piece.ok) {
          lost = piece;
          throw new Error('the answer is gone');
        }
        const { text, next, total } = piece.value;
        yield { text, rows: 0 };
        if (next >= total) return;
        emit('app.saving', { requestId, done: next, total });
      }
    }
    return saveAs({ chooseSaveFile }, file, async (path) => {
      const written = await writeTextFile(path, pieces(), signal);
      return written.ok ? ok({ ...written.value, rows: first.value.total }) : (lost ?? written);
    });
  }

  /** Reads piece after piece, and no more than the clipboard gets: main and the clipboard both hold it whole. */
  async function copy(read: (from: number) => Promise<Result<SavedPiece>>): Promise<Result<Record<string, never>>> {
    const parts: string[] = [];
    let length = 0;
    for (let from = 0, total = 1; from < total; ) {
      const piece = await read(from);
      if (!piece.ok) return piece;
      parts.push(piece.value.text);
      length += piece.value.text.length;
      if (length > mostOfRaw) return fail(tooLongToCopy());
      ({ next: from, total } = piece.value);
    }
    return putOnClipboard({ copyText }, parts.join(''));
  }

  return {
    'operations.list': ({ connectionId }) => operations.list(connectionId),
    'operations.price': (input) => operations.price(input),
    'operations.run': async (input, context) => shownIn(context.window, await operations.run(input, context)),
    'operations.put-away': ({ answerIds }, { window }) => {
      operations.putAway(window, answerIds);
      return ok({});
    },
    'operations.raw-close': ({ answerId }) => {
      raw.close(answerId);
      return ok({});
    },
    'operations.rows': (input) => operations.readRows(input),
    'operations.raw-lines': ({ from, count, ...which }) => raw.lines(which, from, count),
    'operations.raw-find': ({ text, ...which }) => raw.find(which, text),
    'operations.raw-copy': (which) => copy((from) => raw.piece(which, from)),
    'operations.raw-save': (which, context) =>
      save(
        {
          title: `Save the ${which.side}`,
          name: `${which.side}-${which.answerId.slice(0, 8)}.txt`,
          extension: 'txt',
        },
        (from) => raw.piece(which, from),
        context,
      ),
    'operations.export-rows': ({ name, ...which }, context) =>
      save(
        { title: 'Save the table', name: `${name}-${localDay(Date.now())}.csv`, extension: 'csv' },
        (from) => operations.readCsv({ ...which, from }),
        context,
      ),
    'operations.snippet': (input) => operations.snippet(input),
    'operations.history': (input) => operations.history(input),
    'operations.open-stored': async ({ callId }, { window }) => shownIn(window, await operations.openStored(callId)),
    'operations.saved': () => mapResult(saved.list(), (list) => ({ saved: list })),
    'operations.save': (lookup) => saved.save(lookup),
    'operations.rename': ({ savedId, name, folder }) => saved.rename(savedId, name, folder),
    'operations.remove': ({ savedId }) => mapResult(saved.remove(savedId), () => ({})),
    'operations.restore': ({ savedId }) => saved.restore(savedId),
  };
}
