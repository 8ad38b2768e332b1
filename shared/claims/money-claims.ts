import { z } from 'zod';
import { formatMoment, momentPattern, parseMoment, type ReadDay } from './moment.ts';

/**
 * What the console may say about money: each kind of claim with its one sentence. A claim is data; window, command line, exports and alerts
 * render it here and say nothing else. A sentence states what was seen; what follows from it names what it assumes.
 */

/**
 * What a conclusion may assume, named in its sentence. O: no other spender. A: nothing was added, refunded or expired. R: the same where
 * the sentence itself says what was added. C: the balance shown was up to date. H: no charge was booked late, after the reading that
 * followed its call. F: no call that is published as free cost anything. P: no call cost more than its published price.
 */
export const assumptions = ['O', 'A', 'R', 'C', 'H', 'F', 'P'] as const;
export type Assumption = (typeof assumptions)[number];

const assumptionText: Readonly<Record<Assumption, string>> = {
  O: 'nothing else used this balance',
  A: 'no credits were added, refunded or expired',
  R: 'no credits were refunded or expired',
  C: 'the balance shown was up to date',
  H: 'no charge was booked late',
  F: 'free calls cost nothing',
  P: 'no call cost more than its published price',
};

/** ISO 8601 UTC, to the second: `toSecond` of moment.ts. */
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const credits = z.number();
const count = z.number().int().min(0);
const text = z.string().max(400);
const longText = z.string().max(4000);
/** export-perhaps: it was being saved when the program ended, so whether its file exists is not known. */
const outlets = ['export', 'export-perhaps', 'alert'] as const;
const assumes = z.array(z.enum(assumptions));
/** `rise`: credits added in the same stretch, by the service's own count. */
const moved = { fall: credits, rise: credits.optional() };
const span = { ...moved, from: moment, to: moment };

export const moneyClaimSchema = z.discriminatedUnion('kind', [
  // How the call ended: facts.
  z.object({ kind: z.literal('nothing-left') }),
  z.object({ kind: z.literal('under-way') }),
  z.object({ kind: z.literal('answered'), at: moment }),
  z.object({ kind: z.literal('unusable-answer'), at: moment }),
  z.object({ kind: z.literal('refused'), code: text }),
  z.object({ kind: z.literal('no-answer'), at: moment }),
  z.object({ kind: z.literal('cut-off'), at: moment }),
  z.object({ kind: z.literal('saved-answer') }),
  // What is still open.
  z.object({ kind: z.literal('may-come'), until: moment }),
  z.object({ kind: z.literal('not-read-before') }),
  z.object({ kind: z.literal('not-read-since') }),
  // What the balance did, and what follows for one call.
  z.object({ kind: z.literal('no-fall'), until: moment }),
  z.object({ kind: z.literal('cost'), ...span, assumes }),
  z.object({ kind: z.literal('at-price'), ...span, calls: count, price: credits, assumes }),
  z.object({ kind: z.literal('between'), ...span, calls: count, least: credits, most: credits, assumes }),
  z.object({ kind: z.literal('shared'), ...span, calls: count }),
  z.object({ kind: z.literal('rose'), rise: credits, from: moment, to: moment }),
  z.object({ kind: z.literal('unclear'), from: moment, to: moment }),
  z.object({ kind: z.literal('late'), was: moment, ...moved, at: moment }),
  // A movement of the balance itself.
  z.object({ kind: z.literal('no-call'), ...span }),
  z.object({ kind: z.literal('beyond'), ...span, calls: count, explained: credits }),
  /** `fall`: what was used in the same stretch, by the service's own count. */
  z.object({ kind: z.literal('added'), rise: credits, fall: credits.optional(), from: moment, to: moment }),
  z.object({ kind: z.literal('expiry'), day: text }),
  z.object({ kind: z.literal('late-candidates'), names: text, more: count }),
  // The text left the program, and reads differently now.
  z.object({ kind: z.literal('said-then'), outlet: z.enum(outlets), at: moment, until: moment, words: longText }),
  z.object({ kind: z.literal('said-by-other-rule'), outlet: z.enum(outlets), at: moment, until: moment }),
  // Said by an earlier version, by rules that no longer apply: only shown.
  z.object({ kind: z.literal('said-before'), version: count, words: text }),
]);
export type MoneyClaim = z.infer<typeof moneyClaimSchema>;
export type MoneyClaimKind = MoneyClaim['kind'];

/**
 * The sentences. {slots} are the fields of the claim; {if} is what it assumes. Each text, with its slots filled, can be parsed back into
 * the claim (`parseMoneyClaim`), so that nothing is lost or added on the way to the screen.
 */
const sentences: Readonly<Record<MoneyClaimKind, string>> = {
  'nothing-left': 'This call did not leave this computer.',
  'under-way': 'It is under way.',
  answered: 'It was answered at {at}.',
  'unusable-answer': 'An answer came at {at}, and it could not be used.',
  refused: 'The service refused it ({code}). Whether a refusal costs is not published.',
  'no-answer': 'No complete answer came by {at}.',
  'cut-off': 'No answer had been recorded when the program ended. This was found at {at}.',
  'saved-answer': 'A saved answer was shown. Nothing was sent.',
  'may-come': 'A charge may still come until {until}.',
  'not-read-before':
    'No balance that could show what it cost was read before it, so a later one cannot show it either.',
  'not-read-since': 'No balance that could show what it cost has been read since.',
  'no-fall': 'No fall seen by {until}.',
  cost: 'The {moved} between {from} and {to}. It was the only call of this console that may draw on it and was open in that time, apart from those that are free by published prices. So it cost {fall}, if {if}.',
  'at-price':
    'The {moved} between {from} and {to}. Calls of this console open in that time that may draw on it, apart from those that are free by published prices: {calls}. Published prices in all: {fall}. So this one cost {price}, if {if}.',
  between:
    'The {moved} between {from} and {to}, and {calls} calls of this console that may draw on it, apart from those that are free by published prices, were open in that time. So this one cost {least} to {most}, if {if}.',
  shared:
    'Not known: the {moved} between {from} and {to}. Calls of this console open in that time that may draw on it, apart from those that are free by published prices: {calls}.',
  rose: 'The balance rose by {rise} between {from} and {to}. What this call cost does not follow from that.',
  unclear:
    'The figures of the balance between {from} and {to} do not add up, or its “used” or “total” went down. Nothing follows from them.',
  late: 'Until {at} this read “No fall seen by {was}”. At {at} it was seen that the {moved}. That may be its late charge.',
  'no-call':
    'The {moved} between {from} and {to}. No call of this console that may draw on it was open in that time, apart from those that are free by published prices.',
  beyond:
    'The {moved} between {from} and {to}. Calls of this console open in that time that may draw on it, apart from those that are free by published prices: {calls}. Published prices in all: {explained}.',
  added: 'The {moved} between {from} and {to}.',
  expiry: 'Credits were to expire on {day}, which lies in that time.',
  'late-candidates': 'It may be the late charge of: {names}{more}.',
  'said-then': 'Until {until} this read “{words}” That {outlet} at {at}.',
  'said-by-other-rule':
    'It {outlet} at {at} and may have read otherwise: at {until} a person said whether the keys of this address share a balance.',
  'said-before': 'Version {version} of this program said: “{words}”',
};

type Fields = Readonly<Record<string, unknown>>;

/** A part of a sentence that stands for fields of the claim. */
interface Slot {
  pattern: string;
  /** undefined: the claim has no such field. */
  write(claim: Fields, day: ReadDay): string | undefined;
  read(words: string, day: ReadDay): Fields;
}

/** How a value stands in a sentence. */
interface ValueText<T> {
  pattern: string;
  write(value: T, day: ReadDay): string;
  read(words: string, day: ReadDay): unknown;
}

const fieldSlot = <T>(name: string, { pattern, write, read }: ValueText<T>): Slot => ({
  pattern,
  write: ({ [name]: value }, day) => (value === undefined ? undefined : write(value as T, day)),
  read: (words, day) => ({ [name]: read(words, day) }),
});

const fieldSlots = <T>(names: readonly string[], text: ValueText<T>): Readonly<Record<string, Slot>> =>
  Object.fromEntries(names.map((name) => [name, fieldSlot(name, text)]));

/**
 * A number of credits as written in a text, which is read again: "2,400"; with a plain minus, unlike on the screen. Not `formatFigure`: the
 * domain imports claims, so that claims import nothing of it.
 */
export const formatClaimFigure = (value: number): string => value.toLocaleString('en-GB', { maximumFractionDigits: 6 });

const figurePattern = '-?[\\d,]+(?:\\.\\d+)?';
const parseFigure = (words: string): number => Number(words.replaceAll(',', ''));

/**
 * What a balance did. Where credits were used and added in one stretch it may have done anything: then what the service counts as used and
 * in total is said.
 */
const movedSlot: Slot = {
  pattern: `balance (?:fell|rose) by ${figurePattern}|balance’s “used” rose by ${figurePattern} and its “total” by ${figurePattern}`,
  write: (claim) => {
    const { fall, rise } = claim as { fall?: number; rise?: number };
    if (rise === undefined) return `balance fell by ${formatClaimFigure(fall ?? 0)}`;
    if (fall === undefined) return `balance rose by ${formatClaimFigure(rise)}`;
    return `balance’s “used” rose by ${formatClaimFigure(fall)} and its “total” by ${formatClaimFigure(rise)}`;
  },
  read: (words) => {
    const [first = '', second] = words.match(new RegExp(figurePattern, 'g')) ?? [];
    if (second !== undefined) return { fall: parseFigure(first), rise: parseFigure(second) };
    return { [words.includes('fell') ? 'fall' : 'rise']: parseFigure(first) };
  },
};

const outletTexts: Readonly<Record<(typeof outlets)[number], string>> = {
  export: 'went out in an export',
  'export-perhaps': 'was being saved in an export',
  alert: 'went out in an alert',
};

const slots: Readonly<Record<string, Slot>> = {
  ...fieldSlots(['at', 'from', 'to', 'until', 'was'], {
    pattern: momentPattern,
    write: formatMoment,
    read: parseMoment,
  }),
  ...fieldSlots(['fall', 'rise', 'calls', 'price', 'least', 'most', 'explained', 'version'], {
    pattern: figurePattern,
    write: formatClaimFigure,
    read: parseFigure,
  }),
  ...fieldSlots(['code', 'day', 'names', 'words'], {
    pattern: '[\\s\\S]*?',
    write: (value: string) => value,
    read: (words) => words,
  }),
  moved: movedSlot,
  /** "; and 3 more" after a list that is cut; nothing after a whole one. */
  more: fieldSlot('more', {
    pattern: '(?:; and [\\d,]+ more)?',
    write: (value: number) => (value === 0 ? '' : `; and ${formatClaimFigure(value)} more`),
    read: (words) => Number(words.replace(/\D/g, '')),
  }),
  outlet: fieldSlot('outlet', {
    pattern: Object.values(outletTexts).join('|'),
    write: (value: (typeof outlets)[number]) => outletTexts[value],
    read: (words) => outlets.find((one) => outletTexts[one] === words),
  }),
  if: fieldSlot('assumes', {
    pattern: '[^.]*?',
    write: (value: readonly Assumption[]) => value.map((one) => assumptionText[one]).join('; '),
    read: (words) => assumptions.filter((one) => words.split('; ').includes(assumptionText[one])),
  }),
};

/** Whether credits were added in the stretch in which it says what was used: the balance need not have fallen. */
export const isBesideAdded = (claim: MoneyClaim): boolean =>
  'fall' in claim && claim.fall !== undefined && 'rise' in claim && claim.rise !== undefined;

/** The sentence of a claim. Pure but for the computer's zone. */
export function renderMoneyClaim(claim: MoneyClaim, day: ReadDay): string {
  return sentences[claim.kind].replace(/\{(\w+)\}/g, (whole, name: string) => slots[name]?.write(claim, day) ?? whole);
}

/** All sentences of some claims, in their order. */
export const renderMoneyClaims = (claims: readonly MoneyClaim[], day: ReadDay): string =>
  claims.map((claim) => renderMoneyClaim(claim, day)).join(' ');

const readers = (Object.entries(sentences) as [MoneyClaimKind, string][]).map(([kind, sentence]) => {
  const names: string[] = [];
  const pattern = sentence
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return RegExp.escape(part);
      names.push(name);
      return `(${slots[name]?.pattern ?? ''})`;
    })
    .join('');
  return { kind, names, pattern: new RegExp(`^${pattern}$`) };
});

/** The claim that a sentence states; undefined: no sentence of this console. The inverse of `renderMoneyClaim`. */
export function parseMoneyClaim(sentence: string, day: ReadDay): MoneyClaim | undefined {
  for (const { kind, names, pattern } of readers) {
    const match = pattern.exec(sentence);
    if (!match) continue;
    const claim: Record<string, unknown> = { kind };
    for (const [index, name] of names.entries()) Object.assign(claim, slots[name]?.read(match[index + 1] ?? '', day));
    const parsed = moneyClaimSchema.safeParse(claim);
    if (parsed.success) return parsed.data;
  }
  return undefined;
}

const shortFall = (claim: MoneyClaim & { fall: number }): string =>
  isBesideAdded(claim) ? `${formatClaimFigure(claim.fall)} used` : `fell by ${formatClaimFigure(claim.fall)}`;

/** Claims in a few words for a table, with their sentences a click or a focus away. They claim no more than the sentences. */
export function shortenMoneyClaims(claims: readonly MoneyClaim[]): string {
  const [first] = claims;
  const of = <K extends MoneyClaimKind>(kind: K) =>
    claims.find((claim): claim is Extract<MoneyClaim, { kind: K }> => claim.kind === kind);
  if (of('late')) return 'no fall seen, then one';
  const cost = of('cost');
  if (cost) return `${shortFall(cost)}, alone`;
  const atPrice = of('at-price');
  if (atPrice) return `${shortFall(atPrice)} for ${formatClaimFigure(atPrice.calls)}`;
  const between = of('between');
  if (between) return `${formatClaimFigure(between.least)} to ${formatClaimFigure(between.most)}`;
  const shared = of('shared');
  if (shared)
    return `${formatClaimFigure(shared.fall)} in ${formatClaimFigure(shared.calls)} ${shared.calls === 1 ? 'call' : 'calls'}`;
  if (of('no-fall')) return 'no fall seen';
  if (of('rose')) return 'not known';
  if (of('unclear')) return 'not known';
  if (of('no-call')) return 'not explained';
  if (of('beyond')) return 'more than the prices';
  const added = of('added');
  if (added)
    return isBesideAdded(added) ? `${formatClaimFigure(added.rise)} added` : `rose by ${formatClaimFigure(added.rise)}`;
  const refused = of('refused');
  if (of('may-come')) return 'open';
  if (refused) return `refused (${refused.code})`;
  if (of('not-read-before') || of('not-read-since')) return 'not read';
  return first === undefined ? 'not known' : (shortForms[first.kind] ?? 'not known');
}

const shortForms: Partial<Record<MoneyClaimKind, string>> = {
  'nothing-left': 'not sent',
  'under-way': 'under way',
  'saved-answer': 'saved, free',
  'said-before': 'earlier version',
  answered: 'not read',
  'unusable-answer': 'not read',
  'said-then': 'read otherwise before',
  'said-by-other-rule': 'may have read otherwise',
  'no-answer': 'no answer',
  'cut-off': 'no answer',
};
