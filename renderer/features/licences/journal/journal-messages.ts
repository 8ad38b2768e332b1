import type {
  JournalCheck,
  JournalEntry,
  JournalEvent,
  JournalFault,
} from '../../../../shared/domain/licences/licence-journal.ts';
import { verdictText } from '../../../../shared/domain/licences/licence-verdicts.ts';
import { countOf } from '../../../lib/text/format.ts';

const faults: Record<JournalFault, string> = {
  changed: 'an entry was changed',
  missing: 'an entry is missing',
  'out-of-order': 'entries are out of order',
  'cut-short': 'entries that it had from there on are gone',
  replaced: 'it is not the one that the anchor file names, so entries up to it were replaced, or that file was',
  unreadable: 'an entry cannot be read',
};

/** “323 entries in one chain”, or what is wrong and where. */
export function describeCheck(check: JournalCheck): string {
  if (check.intact) return `${countOf(check.entries, 'entry', 'entries')} in one chain`;
  const what = check.fault ? faults[check.fault] : 'it does not hold together';
  const where = check.brokenAt === null ? '' : ` at entry ${check.brokenAt}`;
  return `The journal is broken${where}: ${what}. It is not as this program wrote it, or an earlier copy of the data was put back: tell your administrator.`;
}

export const eventText: Record<JournalEvent, string> = {
  intent: 'intent',
  sending: 'sending',
  answered: 'answered',
  'read-back': 'read back',
  stopped: 'stopped',
  found: 'found unfinished',
  checked: 'checked',
  resumed: 'resumed',
  undone: 'undone',
  finished: 'finished',
  dismissed: 'left as it is',
  guid: 'GUID copied',
};

/** The verdict on a change when the entry was written; null: nothing had been read back, or there was nothing to read. */
export const seenByThen = (verdict: JournalEntry['verdict']): string =>
  verdict === null ? 'not read back yet' : verdictText[verdict];

/** The state that a change was in after the entry, in the words of its own page. */
export const stateText: Record<JournalEntry['state'], string> = {
  planned: 'planned',
  running: 'under way',
  finished: 'finished',
  interrupted: 'unfinished',
  dismissed: 'left as it is',
};

/** The machine of an entry, or from which to which. */
export const machinesOf = (entry: JournalEntry): string =>
  entry.fromMachine === null ? entry.machine || 'none' : `${entry.fromMachine} → ${entry.machine}`;

const dayWithZone = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZoneName: 'short',
});

/** “Saturday 21 November 2026, GMT”: the heading above the entries of a day. */
export function dayOf({ at }: Pick<JournalEntry, 'at'>): string {
  const parts = new Map(dayWithZone.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}, ${part('timeZoneName')}`;
}
