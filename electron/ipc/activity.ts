import type { activityChannels } from '../../shared/contract/activity.ts';
import { ok } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import type { HandlersOf } from './dispatcher.ts';

export function activityHandlers({ log }: AppCore): HandlersOf<typeof activityChannels> {
  return {
    'activity.list': ({ search, before, limit }) => {
      const calls = log.listCalls({ search, before: before ?? undefined, limit });
      if (!calls.ok) return calls;
      const total = log.countCalls();
      if (!total.ok) return total;
      const next = calls.value.length === limit ? (calls.value.at(-1)?.id ?? null) : null;
      return ok({ calls: calls.value, next, total: total.value });
    },
  };
}
