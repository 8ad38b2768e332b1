import { basename } from 'node:path';
import type { OperationAnswer, operationChannels } from '../../shared/contract/operations.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { writeTextFile } from '../platform/write-file.ts';
import type { HandlersOf } from './dispatcher.ts';
import type { Shell } from './shell.ts';

export function operationHandlers(
  { operations, policy }: Pick<AppCore, 'operations' | 'policy'>,
  { copyText, chooseSaveFile }: Pick<Shell, 'copyText' | 'chooseSaveFile'>,
): HandlersOf<typeof operationChannels> {
  const { saved, raw } = operations;
  const shownIn = (window: number, answer: Result<OperationAnswer>): Result<OperationAnswer> => {
    if (answer.ok) operations.showIn(window, answer.value.answerId);
    return answer;
  };
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
    'operations.raw-copy': async (which) => {
      const text = await raw.text(which);
      if (!text.ok) return text;
      copyText(text.value);
      return ok({});
    },
    'operations.raw-save': async (which, { signal }) => {
      const allowed = policy.checkExport();
      if (!allowed.ok) return allowed;
      const text = await raw.text(which);
      if (!text.ok) return text;
      const path = await chooseSaveFile({
        title: `Save the ${which.side}`,
        name: `${which.side}-${which.answerId.slice(0, 8)}.txt`,
        extension: 'txt',
      });
      if (path === null) return ok({ saved: false, fileName: '', bytes: 0 });
      const written = await writeTextFile(path, [{ text: text.value, rows: 0 }], signal);
      return written.ok ? ok({ saved: true, fileName: basename(path), bytes: written.value.bytes }) : written;
    },
    'operations.snippet': (input) => operations.snippet(input),
    'operations.history': (input) => operations.history(input),
    'operations.open-stored': async ({ callId }, { window }) => shownIn(window, await operations.openStored(callId)),
    'operations.saved': () => {
      const list = saved.list();
      return list.ok ? ok({ saved: list.value }) : list;
    },
    'operations.save': (lookup) => saved.save(lookup),
    'operations.rename': ({ savedId, name, folder }) => saved.rename(savedId, name, folder),
    'operations.remove': ({ savedId }) => {
      const removed = saved.remove(savedId);
      return removed.ok ? ok({}) : removed;
    },
    'operations.restore': ({ savedId }) => saved.restore(savedId),
  };
}
