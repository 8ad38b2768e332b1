import type { licenceChannels } from '../../shared/contract/licences.ts';
import { ok } from '../../shared/result.ts';
import type { Console } from '../core/console.ts';
import type { HandlersOf } from './dispatcher.ts';

export function licenceHandlers({ licences }: Console): HandlersOf<typeof licenceChannels> {
  return {
    'licences.last-seen': ({ connectionId }) => licences.lastSeen(connectionId),
    'licences.read': ({ connectionId }, context) => licences.read(connectionId, context),
    'licences.ask-machine': ({ connectionId, machine }, context) => licences.askMachine(connectionId, machine, context),
    'licences.plan': (request, context) => licences.plan(request, context),
    'licences.run': ({ changeId, confirmedName }, context) => licences.run(changeId, confirmedName, context),
    'licences.stop-after-step': ({ changeId }) => {
      licences.stopAfterThisStep(changeId);
      return ok({});
    },
    'licences.unfinished': () => {
      const changes = licences.unfinished();
      return changes.ok ? ok({ changes: changes.value }) : changes;
    },
    'licences.resume': ({ changeId, action }, context) => licences.resume(changeId, action, context),
    'licences.receipt': ({ changeId }) => {
      const text = licences.receipt(changeId);
      return text.ok ? ok({ text: text.value }) : text;
    },
    'journal.list': ({ before, limit }) => {
      const entries = licences.journalEntries(before, limit);
      return entries.ok ? ok({ entries: entries.value }) : entries;
    },
    'journal.check': () => licences.checkJournal(),
  };
}
