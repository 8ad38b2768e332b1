import { z } from 'zod';
import { filterMoment } from '../row-filter.ts';
import { searchWords } from '../text/search-words.ts';
import { changeKinds, changeVerdicts } from './licence-change.ts';
import type { JournalEntry } from './licence-journal.ts';

export const journalKinds = [...changeKinds, 'guid'] as const;
/** The verdict at the time of an entry; none: nothing was read back yet, or there is nothing to read. */
export const journalVerdicts = [...changeVerdicts, 'none'] as const;

/** A person's filter of the journal. Empty: all. */
export const journalFilterSchema = z.strictObject({
  /** Words that an entry must all contain: licence, machine, person, text, hash of a receipt. */
  search: z.string().max(200),
  /** ISO 8601 UTC, both ends included; null: no end. */
  from: filterMoment,
  to: filterMoment,
  people: z.array(z.string().max(600)).max(50),
  kinds: z.array(z.enum(journalKinds)).max(journalKinds.length),
  licences: z.array(z.string().max(40)).max(50),
  verdicts: z.array(z.enum(journalVerdicts)).max(journalVerdicts.length),
});
export type JournalFilter = z.infer<typeof journalFilterSchema>;

export const wholeJournal: JournalFilter = {
  search: '',
  from: null,
  to: null,
  people: [],
  kinds: [],
  licences: [],
  verdicts: [],
};

export const isWholeJournal = ({ search, from, to, people, kinds, licences, verdicts }: JournalFilter): boolean =>
  search.trim() === '' &&
  from === null &&
  to === null &&
  [people, kinds, licences, verdicts].every((values) => values.length === 0);

/** A predicate for entries. `referenceOf`: what the account calls an entry's licence; called only if words are searched for. */
export function journalMatcher(
  { search, from, to, people, kinds, licences, verdicts }: JournalFilter,
  referenceOf: (entry: JournalEntry) => string,
): (entry: JournalEntry) => boolean {
  const words = searchWords(search);
  const textOf = (entry: JournalEntry): string => {
    const { licenceNumber, machine, fromMachine, by, text, connectionName, changeId, kind, hash } = entry;
    return [licenceNumber, referenceOf(entry), machine, fromMachine, by, text, connectionName, changeId, kind, hash]
      .join('\n')
      .toLowerCase();
  };
  return (entry) => {
    const stays =
      (from === null || entry.at >= from) &&
      (to === null || entry.at <= to) &&
      (people.length === 0 || people.includes(entry.by)) &&
      (kinds.length === 0 || kinds.includes(entry.kind)) &&
      (licences.length === 0 || licences.includes(entry.licenceNumber)) &&
      (verdicts.length === 0 || verdicts.includes(entry.verdict ?? 'none'));
    if (!stays || words.length === 0) return stays;
    const text = textOf(entry);
    return words.every((word) => text.includes(word));
  };
}
