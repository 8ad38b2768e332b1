import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { type JournalFilter, journalMatcher } from '../../../../shared/domain/licences/journal-filter.ts';
import type { JournalEntry } from '../../../../shared/domain/licences/licence-journal.ts';
import type { Journal } from './journal.ts';

/** Entries looked through before yielding to everything else. */
const pageSize = 200;
/** Licences and people to choose from. */
const mostChoices = 200;

/** Searches the journal, newest first, over several turns: it grows for years, and must not block main. */
export function createJournalSearch(sql: DatabaseSync, journal: Pick<Journal, 'list'>) {
  const referenceOf = sql.prepare(
    "SELECT json_extract(body, '$.licenceReference') AS named FROM licence_change WHERE id = ?",
  );

  async function* readPages(before: number | null): AsyncGenerator<JournalEntry[]> {
    let at = before;
    for (;;) {
      const entries = journal.list(at, pageSize);
      yield entries;
      if (entries.length < pageSize) return;
      at = entries.at(-1)?.sequence ?? 0;
      await turn();
    }
  }

  return {
    /** At most this many matching entries; fewer: there are no more. Rejects where SQLite throws, and if it is aborted. */
    async find(
      filter: JournalFilter,
      before: number | null,
      limit: number,
      signal?: AbortSignal,
    ): Promise<JournalEntry[]> {
      const found: JournalEntry[] = [];
      const references = new Map<string, string>();
      const stays = journalMatcher(filter, ({ changeId }) => {
        const known = references.get(changeId);
        if (known !== undefined) return known;
        const named = String(referenceOf.get(changeId)?.named ?? '');
        references.set(changeId, named);
        return named;
      });
      for await (const entries of readPages(before)) {
        signal?.throwIfAborted();
        for (const entry of entries) {
          if (stays(entry)) found.push(entry);
          if (found.length === limit) return found;
        }
      }
      return found;
    },

    /** The people and licences to choose from, those of the newest entries first. */
    async choices(): Promise<{ people: string[]; licences: { licenceNumber: string; reference: string }[] }> {
      const people = new Set<string>();
      const licences = new Map<string, string>();
      for await (const entries of readPages(null)) {
        for (const { by, licenceNumber, changeId } of entries) {
          if (people.size < mostChoices) people.add(by);
          if (licences.size < mostChoices && !licences.has(licenceNumber))
            licences.set(licenceNumber, String(referenceOf.get(changeId)?.named ?? ''));
        }
      }
      return {
        people: [...people],
        licences: [...licences].map(([licenceNumber, reference]) => ({ licenceNumber, reference })),
      };
    },
  };
}
