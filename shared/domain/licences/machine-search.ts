import type { InventoryMachine } from './licence-machines.ts';
import { compareMachineNames, foldMachineName } from './similar-names.ts';

/** A machine that resembles what was typed, and why. */
export interface MachineMatch {
  name: string;
  /** What is alike: “same digits, nickname”. */
  reasons: string[];
  /** Matching parts of the name, as offsets of characters: the first, and the one after the last. */
  marks: [number, number][];
  /** Names that differ only as spellings of one machine share a group. */
  group: string;
  /** The higher, the better the match. */
  score: number;
}

type Searched = Pick<InventoryMachine, 'name' | 'nickname' | 'owner' | 'site' | 'note'>;

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const wordsOf = (text: string): string[] => fold(text).match(/\p{L}+|\p{N}+/gu) ?? [];

/** How a typed text resembles a word: its beginning, from two letters on; with one wrong key, from four letters or three digits on. */
type Likeness = 'same' | 'begins' | 'swapped' | 'one-off';

function compare(typed: string, word: string): Likeness | null {
  if (typed === word) return 'same';
  if (/^\p{N}+$/u.test(typed) !== /^\p{N}+$/u.test(word)) return null;
  const isNumber = /^\p{N}+$/u.test(typed);
  // Digits are compared as typed where there are as many: 021 has two neighbours of 012 swapped.
  const [a, b] =
    isNumber && typed.length !== word.length
      ? [typed.replace(/^0+(?=.)/u, ''), word.replace(/^0+(?=.)/u, '')]
      : [typed, word];
  if (a === b) return 'same';
  if (!isNumber && a.length >= 2 && b.startsWith(a)) return 'begins';
  if (typed.length < (isNumber ? 3 : 4)) return null;
  if (a.length === b.length) {
    const differ = [...a].flatMap((sign, at) => (sign === b[at] ? [] : [at]));
    const [first = 0, second = 0] = differ;
    if (differ.length === 2 && second === first + 1 && a[first] === b[second] && a[second] === b[first])
      return 'swapped';
    return differ.length === 1 ? 'one-off' : null;
  }
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.length - short.length !== 1) return null;
  const at = [...long].findIndex((sign, index) => sign !== short[index]);
  return long.slice(0, at) + long.slice(at + 1) === short ? 'one-off' : null;
}

const weights: Readonly<Record<Likeness, number>> = { same: 8, begins: 5, swapped: 3, 'one-off': 2 };
const digitReasons: Readonly<Record<Likeness, string>> = {
  same: 'same digits',
  begins: 'same digits',
  swapped: 'two digits swapped',
  'one-off': 'one digit differs',
};

interface Hit {
  likeness: Likeness;
  field: 'name' | 'nickname' | 'owner' | 'site' | 'note';
  isNumber: boolean;
}

const fields = ['name', 'nickname', 'owner', 'site', 'note'] as const;
const inName = 2;

function findBest(typed: string, machine: Record<(typeof fields)[number], string[]>): Hit | null {
  let best: Hit | null = null;
  let weight = 0;
  for (const field of fields)
    for (const word of machine[field]) {
      const likeness = compare(typed, word);
      if (!likeness) continue;
      const isNumber = /^\p{N}+$/u.test(typed);
      const found = weights[likeness] + (field === 'name' && isNumber ? inName : 0) - (field === 'note' ? 1 : 0);
      if (found > weight) {
        weight = found;
        best = { likeness, field, isNumber };
      }
    }
  return best;
}

function describe({ likeness, field, isNumber }: Hit): string {
  if (isNumber && field === 'name') return digitReasons[likeness];
  if (field === 'name') return likeness === 'same' || likeness === 'begins' ? 'name' : 'nearly the same name';
  const place = field === 'nickname' ? 'nickname' : field;
  return likeness === 'same' || likeness === 'begins' ? place : `nearly the same ${place}`;
}

/** Where the typed words occur in the name, for highlighting. */
function marksOf(name: string, typed: readonly string[]): [number, number][] {
  const found: [number, number][] = [];
  for (const match of name.matchAll(/\p{L}+|\p{N}+/gu)) {
    const word = fold(match[0]);
    const isNumber = /^\p{N}+$/u.test(word);
    if (!typed.some((one) => compare(one, word))) continue;
    const lead = isNumber ? (/^0+(?=.)/u.exec(word)?.[0].length ?? 0) : 0;
    found.push([match.index + lead, match.index + match[0].length]);
  }
  return found;
}

export const mostMatches = 50;

/**
 * Machines that the typed text may mean: by words of nickname, owner, site and note, by the name's letters and digits (leading zeros, two
 * neighbours swapped, one that differs), and, beside each of these, every other spelling of its name. Best match first, at most
 * `mostMatches`.
 */
export function findMachines(typed: string, machines: readonly Searched[]): MachineMatch[] {
  const text = typed.trim();
  const words = [...new Set(wordsOf(text))];
  if (words.length === 0) return [];
  const whole = foldMachineName(text);
  const matches = machines.flatMap((machine): MachineMatch[] => {
    const group = foldMachineName(machine.name);
    const base = { name: machine.name, group, marks: marksOf(machine.name, words) };
    // A name may end in a space, which what is typed then has too.
    if (machine.name === typed || machine.name === text) return [{ ...base, reasons: ['this name'], score: 1000 }];
    if (group === whole) {
      const differences = compareMachineNames(text, machine.name);
      return [{ ...base, reasons: [`same name but for ${differences.join(' and ')}`], score: 900 }];
    }
    const split = {
      name: wordsOf(machine.name),
      nickname: wordsOf(machine.nickname),
      owner: wordsOf(machine.owner),
      site: wordsOf(machine.site),
      note: wordsOf(machine.note),
    };
    const hits = words.flatMap((word) => findBest(word, split) ?? []);
    const score =
      hits.reduce((sum, { likeness, field, isNumber }) => {
        return sum + weights[likeness] + (field === 'name' && isNumber ? inName : 0);
      }, 0) / words.length;
    return hits.length === 0 ? [] : [{ ...base, reasons: [...new Set(hits.map(describe))], score }];
  });
  const found = new Set(matches.map(({ name }) => name));
  const best = new Map<string, MachineMatch>();
  for (const match of matches) if (match.score > (best.get(match.group)?.score ?? 0)) best.set(match.group, match);
  for (const { name } of machines) {
    if (found.has(name)) continue;
    const first = best.get(foldMachineName(name));
    if (first) matches.push({ ...first, name, marks: marksOf(name, words), reasons: [], score: 0 });
  }
  const groupScore = ({ group }: MachineMatch): number => best.get(group)?.score ?? 0;
  return matches
    .map((match): MachineMatch => {
      const first = best.get(match.group);
      if (!first || first.name === match.name || match.score >= 900) return match;
      const differs = compareMachineNames(first.name, match.name);
      return differs.length === 0
        ? match
        : { ...match, reasons: [`same as ${first.name} but for ${differs.join(' and ')}`] };
    })
    .sort(
      (a, b) =>
        groupScore(b) - groupScore(a) ||
        a.group.localeCompare(b.group) ||
        b.score - a.score ||
        a.name.localeCompare(b.name, 'en-GB', { numeric: true }),
    )
    .slice(0, mostMatches);
}

/** The machines to begin with: every spelling of the one that matches better than all others; none if two match equally. */
export function likeliest(matches: readonly MachineMatch[]): string[] {
  const [first] = matches;
  if (!first) return [];
  const rival = matches.find(({ group }) => group !== first.group);
  if (rival && rival.score >= first.score) return [];
  return matches.filter(({ group }) => group === first.group).map(({ name }) => name);
}
