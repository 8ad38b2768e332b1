import { isDeepStrictEqual } from 'node:util';
import { addressOf, keyAddresses, protocols } from '../../../shared/domain/connection.ts';
import { mostInSetup, type SetupRow, setupGroups } from '../../../shared/domain/setup-file.ts';
import { formatFigure } from '../../../shared/domain/text/figures.ts';
import {
  connectionEntryId,
  entryId,
  kindNames,
  partsOf,
  type SetupEntry,
  type SetupKind,
  setupKinds,
} from './setup-entries.ts';

/** A line of the preview with its entries of the file. */
export interface ComparedRow extends SetupRow {
  entries: SetupEntry[];
}

interface Compared {
  entry: SetupEntry;
  other: SetupEntry | undefined;
  state: SetupRow['state'];
  note: string;
}

/** If more entries of one kind differ, they share one line: nobody reads two hundred. */
const mostApart = 200;

const meaning = (entry: SetupEntry): unknown =>
  entry.kind === 'lookup' ? { ...entry.value, folder: '', name: '' } : entry.value;

/** Whether two entries with the same `entryId` have the same value; how a lookup's name and folder are spelt does not count. */
export const isSameValue = (a: SetupEntry, b: SetupEntry): boolean => isDeepStrictEqual(meaning(a), meaning(b));

const formatEntry = (entry: SetupEntry | undefined): string => {
  if (!entry) return '';
  const parts = Object.entries(partsOf(entry)).filter(([, text]) => text !== '');
  if (entry.kind === 'connection') return parts.find(([label]) => label === 'interfaces')?.[1] ?? '';
  return parts.map(([label, text]) => (label === '' ? text : `${label} ${text}`)).join(', ') || 'empty';
};

function differencesOf(file: SetupEntry, here: SetupEntry): SetupRow['differences'] {
  const [inFile, inHere] = [partsOf(file), partsOf(here)];
  return [...new Set([...Object.keys(inFile), ...Object.keys(inHere)])]
    .filter((label) => label !== 'interfaces' && (inFile[label] ?? '') !== (inHere[label] ?? ''))
    .map((label) => ({ label, file: inFile[label] || 'none', here: inHere[label] || 'none' }));
}

const hostOf = (address: string): string => URL.parse(address)?.host ?? address;

/** What taking the file's value would do, if that is not obvious from the two values. */
function warn(file: SetupEntry, here: SetupEntry | undefined, hasKeys: (connection: string) => boolean): string {
  if (file.kind === 'connection' && here?.kind === 'connection') {
    const { value } = here;
    const moved = protocols.flatMap((protocol) => {
      const to = addressOf(file.value, protocol);
      return to === '' || keyAddresses(value, protocol).map(hostOf).includes(hostOf(to)) ? [] : [hostOf(to)];
    });
    const strange = [...new Set(moved)];
    if (strange.length > 0 && hasKeys(file.connection))
      return `The keys of ${file.connection} that are saved here would be sent to ${strange.join(' and ')}.`;
  }
  return setupKinds[file.kind].loosens ?? '';
}

/** Of two figures the more restrictive one; otherwise what is here stays. */
function suggest({ entry, other, state }: Compared, isHere: (connection: string) => boolean): SetupRow['take'] {
  const { stricter, loosens } = setupKinds[entry.kind];
  if (state === 'new') return loosens !== undefined && isHere(entry.connection) ? 'here' : 'file';
  if (state !== 'differs' || stricter === undefined || !other) return 'here';
  const [file, here] = [Number(entry.value), Number(other.value)];
  return (stricter === 'lower' ? file < here : file > here) ? 'file' : 'here';
}

const named = (entry: SetupEntry): string =>
  setupKinds[entry.kind].what.replace('{name}', () => entry.name).replace('{connection}', () => entry.connection);

const countText = (count: number, many: string): string =>
  count === 1 ? `1 of the ${many}` : `${formatFigure(count)} ${many}`;

const namesOf = (entries: readonly SetupEntry[]): string => {
  const [first, second, third] = entries.map(({ name }) => name);
  if (entries.length <= 3) return [first, second, third].filter(Boolean).join(', ');
  return `${first} and ${formatFigure(entries.length - 1)} more`;
};

/** Entries of a file that are new here and have no room beside what is here, each with why. */
export function findWithoutRoom(
  file: readonly SetupEntry[],
  here: readonly SetupEntry[],
): ReadonlyMap<SetupEntry, string> {
  const most: Partial<Record<SetupKind, number>> = mostInSetup;
  const listOf = ({ kind, connection }: SetupEntry): string =>
    entryId({ kind, connection: kind === 'connection' ? '' : connection, name: '' });
  const known = new Set(here.map(entryId));
  const own = Map.groupBy(here, listOf);
  const added = Map.groupBy(
    file.filter((entry) => !known.has(entryId(entry))),
    listOf,
  );
  const found = new Map<SetupEntry, string>();
  for (const [list, entries] of added) {
    const limit = most[entries[0]?.kind ?? 'connection'] ?? Number.POSITIVE_INFINITY;
    const together = entries.length + (own.get(list)?.length ?? 0);
    if (together <= limit) continue;
    const note = `The file and what is here have ${formatFigure(together)} of this kind together, and a set-up holds ${formatFigure(limit)}.`;
    for (const entry of entries) found.set(entry, note);
  }
  return found;
}

interface CompareParts {
  /** Why an entry of the file is not taken; empty: it may be. */
  refusal(entry: SetupEntry): string;
  /** Whether a connection of this name has keys here. */
  hasKeys(connection: string): boolean;
}

/** What a set-up file and this data folder have in common and where they differ, as the lines of a preview. Pure. */
export function compareSetup(
  file: readonly SetupEntry[],
  here: readonly SetupEntry[],
  { refusal, hasKeys }: CompareParts,
): ComparedRow[] {
  const known = new Map(here.map((entry) => [entryId(entry), entry]));
  const inFile = new Set(file.map(entryId));
  const isHere = (connection: string): boolean => known.has(connectionEntryId(connection));
  const refused = new Set<string>();

  const compared = file.map((entry): Compared => {
    const other = known.get(entryId(entry));
    if (other && isSameValue(entry, other)) return { entry, other, state: 'same', note: '' };
    const orphan =
      entry.connection !== '' && refused.has(connectionEntryId(entry.connection)) && !isHere(entry.connection);
    const note = orphan ? `${entry.connection} itself is not taken.` : refusal(entry);
    if (note !== '') {
      if (entry.kind === 'connection') refused.add(entryId(entry));
      return { entry, other, state: 'refused', note };
    }
    return { entry, other, state: other ? 'differs' : 'new', note: warn(entry, other, hasKeys) };
  });
  const only = here
    .filter((entry) => !inFile.has(entryId(entry)))
    .map((entry): Compared => ({ entry, other: entry, state: 'only-here', note: '' }));

  const groups = Map.groupBy([...compared, ...only], ({ entry, state, note }) =>
    setupKinds[entry.kind].many === undefined
      ? entryId(entry)
      : JSON.stringify([entry.kind, entry.connection, state, state === 'refused' ? note : '']),
  );
  const rows = [...groups].flatMap(([id, items]): ComparedRow[] => {
    const [first] = items;
    if (!first) return [];
    const apart = items.length === 1 || (first.state === 'differs' && items.length <= mostApart);
    return apart ? items.map((item) => rowOf(item, isHere)) : [manyOf(id, items, isHere)];
  });
  const order = (row: ComparedRow) => {
    const kind = row.entries[0]?.kind ?? 'connection';
    return [setupGroups.indexOf(row.group), row.connection, kindNames.indexOf(kind as SetupKind)] as const;
  };
  return rows.sort((a, b) => {
    const [[groupA, nameA, kindA], [groupB, nameB, kindB]] = [order(a), order(b)];
    return groupA - groupB || nameA.localeCompare(nameB, 'en-GB') || kindA - kindB;
  });
}

const isChoice = (state: SetupRow['state']): boolean => state === 'new' || state === 'differs';

function rowOf(item: Compared, isHere: (connection: string) => boolean): ComparedRow {
  const { entry, other, state, note } = item;
  return {
    id: entryId(entry),
    group: setupKinds[entry.kind].group,
    connection: entry.connection,
    what: named(entry),
    count: 1,
    state,
    file: state === 'only-here' ? '' : formatEntry(entry),
    here: formatEntry(other),
    differences: state === 'differs' && other ? differencesOf(entry, other) : [],
    take: suggest(item, isHere),
    open: isChoice(state),
    note: state === 'only-here' ? '' : note,
    entries: [entry],
  };
}

function manyOf(id: string, items: readonly Compared[], isHere: (connection: string) => boolean): ComparedRow {
  const [first] = items as [Compared, ...Compared[]];
  const { entry, state, note } = first;
  const kind = setupKinds[entry.kind];
  const entries = items.map((item) => item.entry);
  return {
    id,
    group: kind.group,
    connection: entry.connection,
    what: countText(items.length, kind.many ?? ''),
    count: items.length,
    state,
    file: state === 'only-here' ? '' : namesOf(entries),
    here: state === 'new' || (state === 'refused' && !first.other) ? '' : namesOf(entries),
    differences: [],
    take: suggest(first, isHere),
    open: isChoice(state),
    note,
    entries,
  };
}
