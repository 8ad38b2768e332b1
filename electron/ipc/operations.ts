import type { operationChannels } from '../../shared/contract/operations.ts';
import { ok } from '../../shared/result.ts';
import type { Console } from '../core/console.ts';
import type { HandlersOf } from './dispatcher.ts';
import type { Shell } from './handlers.ts';

export function operationHandlers(
  { operations }: Pick<Console, 'operations'>,
  { copyText }: Pick<Shell, 'copyText'>,
): HandlersOf<typeof operationChannels> {
  const { saved, raw } = operations;
  return {
    'operations.list': ({ connectionId }) => operations.list(connectionId),
    'operations.price': (input) => operations.price(input),
    'operations.run': (input, context) => operations.run(input, context),
    'operations.rows': (input) => operations.readRows(input),
    'operations.raw-lines': ({ from, count, ...which }) => raw.lines(which, from, count),
    'operations.raw-find': ({ text, ...which }) => raw.find(which, text),
    'operations.raw-copy': (which) => {
      const text = raw.text(which);
      if (!text.ok) return text;
      copyText(text.value);
      return ok({});
    },
    'operations.snippet': (input) => operations.snippet(input),
    'operations.history': (input) => operations.history(input),
    'operations.open-stored': ({ callId }) => operations.openStored(callId),
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
