import type { OperationForm, SavedLookup } from '../../../../shared/contract/operations.ts';
import { searchWords } from '../../../../shared/domain/text/search-words.ts';

export type Entry =
  | { kind: 'operation'; id: string; form: OperationForm }
  | { kind: 'saved'; id: string; saved: SavedLookup };

export interface Group {
  id: string;
  label: string;
  entries: Entry[];
  /** What is new in it. */
  marked: boolean;
}

const order = [
  'REST',
  'Addresses by postcode',
  'Premises and thoroughfares',
  'Licences and credits',
  'Addresses by words',
  'Geography and distance',
  'Service',
];

/** Words of a name: `ReturnPremise_ByPostcode` is found by "return postcode" as well as by its start. */
const wordsOf = (name: string): string => `${name} ${name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ')}`;

function matches(text: string, sought: readonly string[]): boolean {
  const within = text.toLowerCase();
  return sought.every((word) => within.includes(word));
}

/** Saved lookups by folder, then the operations by group; only those that contain every word typed. */
export function groupEntries(forms: readonly OperationForm[], saved: readonly SavedLookup[], typed: string): Group[] {
  const sought = searchWords(typed);
  const groups = new Map<string, Group>();
  const add = (id: string, label: string, entry: Entry, marked = false) => {
    const group = groups.get(id) ?? { id, label, entries: [], marked };
    group.entries.push(entry);
    groups.set(id, group);
  };
  for (const one of saved) {
    if (!matches(`${one.name} ${one.folder} ${wordsOf(one.operation)} saved`, sought)) continue;
    const label = one.folder === '' ? 'Saved' : `Saved: ${one.folder}`;
    add(`saved/${one.folder.toLowerCase()}`, label, { kind: 'saved', id: `saved/${one.id}`, saved: one });
  }
  const rank = (group: string) => (order.indexOf(group) + order.length + 1) % (order.length + 1);
  const sorted = forms.toSorted((a, b) => rank(a.group) - rank(b.group));
  for (const form of sorted) {
    const labels = form.fields.map(({ label }) => label).join(' ');
    if (!matches(`${wordsOf(form.name)} ${form.help} ${form.group} ${form.twin ?? ''} ${labels}`, sought)) continue;
    add(form.group, form.group, { kind: 'operation', id: form.name, form }, form.known !== 'published');
  }
  return [...groups.values()];
}
