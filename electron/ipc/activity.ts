import type { activityChannels } from '../../shared/contract/activity.ts';
import { localDay } from '../../shared/domain/text/calendar-day.ts';
import { mapResult, ok } from '../../shared/result.ts';
import { exportCalls } from '../core/activity/export-calls.ts';
import type { AppCore } from '../core/app-core.ts';
import { attempt, attemptLater } from '../core/storage/database/errors.ts';
import { writeTextFile } from '../platform/write-file.ts';
import type { HandlersOf } from './dispatcher.ts';
import { type Shell, saveAs } from './shell.ts';

export function activityHandlers(
  { log, policy, savedSubjects, emit }: AppCore,
  shell: Pick<Shell, 'chooseSaveFile'>,
): HandlersOf<typeof activityChannels> {
  return {
    'activity.list': ({ search, filter, before, limit, fold }, { signal }) => {
      const wanted = { ...filter, search: `${search} ${filter.search}`.trim() };
      return attemptLater(() => log.search.list(wanted, { before, limit, fold }, savedSubjects(null), signal));
    },
    'activity.unfold': ({ newestId, oldestId }) =>
      mapResult(
        attempt(() => log.search.unfold(newestId, oldestId)),
        (calls) => ({ calls }),
      ),
    'activity.sums': async ({ filter }, { signal }) => {
      const sums = await attemptLater(() => log.search.sums(filter, savedSubjects(null), signal));
      if (!sums.ok) return sums;
      // After them: a call that was made meanwhile may be among them.
      const total = log.countCalls();
      return total.ok ? ok({ ...sums.value, total: total.value }) : total;
    },
    'activity.choices': () => attempt(() => log.search.choices()),
    'activity.export': async ({ filter }, { requestId, signal }) => {
      const allowed = policy.checkExport();
      if (!allowed.ok) return allowed;
      const name = `activity-${localDay(Date.now())}.csv`;
      return saveAs(shell, { title: 'Export the calls', name, extension: 'csv' }, async (path) => {
        const subjects = savedSubjects(null);
        const counted = await attemptLater(() => log.search.sums(filter, subjects, signal));
        if (!counted.ok) return counted;
        const { calls: total } = counted.value;
        async function* pieces() {
          let done = 0;
          for await (const piece of exportCalls(log.search, filter, subjects, signal)) {
            yield piece;
            done += piece.rows;
            if (done > 0 && done < total) emit('app.saving', { requestId, done, total });
          }
        }
        return writeTextFile(path, pieces(), signal);
      });
    },
  };
}
