import { z } from 'zod';
import { lazy } from '../lazy.ts';
import { formatMoment, momentPattern, parseMoment, type ReadDay } from './moment.ts';

/**
 * What the console may say of licences and machines: each kind of claim with its one sentence. Window, command line, journal, receipt and
 * bulk change render it here. A sentence says what was read and when: nothing here says that a licence *is* somewhere.
 */

/** ISO 8601 UTC, to the second: `toSecond` of moment.ts. */
const moment = z.string();
const name = z.string();
const count = z.number().int();

export const licenceClaimSchema = z.discriminatedUnion('kind', [
  /** A record of the machine's list named the licence. */
  z.object({ kind: z.literal('seen'), licence: name, machine: name, at: moment }),
  /** Not named in two reads half a minute apart, beside a control: as much as reads can say of an absence. */
  z.object({ kind: z.literal('not-seen'), licence: name, machine: name, reads: count, at: moment }),
  /** An answer without any licence, which alone says nothing of an absence. */
  z.object({ kind: z.literal('named-none'), machine: name, at: moment }),
  z.object({ kind: z.literal('not-among'), licence: name, machine: name, of: count, at: moment }),
  z.object({ kind: z.literal('unread'), machine: name, at: moment, why: name }),
  z.object({ kind: z.literal('nothing-left') }),
  z.object({ kind: z.literal('not-read-yet') }),
  /** `next`: null if the next read is at the next start. */
  z.object({ kind: z.literal('on-its-way'), reads: count, last: moment, next: moment.nullable() }),
  z.object({ kind: z.literal('half-done'), on: z.enum(['both', 'neither']) }),
  /** The reads by the program itself are over. */
  z.object({ kind: z.literal('not-as-wished'), reads: count, until: moment }),
  z.object({ kind: z.literal('write-after'), at: moment }),
  /** A write called directly by its operation's name: how the call ended, and nothing about the machine. */
  z.object({
    kind: z.literal('not-read-back'),
    operation: z.enum(['RegisterLicense', 'UnregisterLicense']),
    licence: name,
    machine: name,
    came: z.enum(['text', 'no-answer', 'error']),
    words: name,
    at: moment,
  }),
  /** The text left the program, and reads differently since `until`. list-perhaps: whether the list's file exists is not known. */
  z.object({
    kind: z.literal('said-then'),
    outlet: z.enum(['receipt', 'list', 'list-perhaps']),
    at: moment,
    until: moment,
    words: name,
  }),
]);
export type LicenceClaim = z.infer<typeof licenceClaimSchema>;
type Kind = LicenceClaim['kind'];

/** How a part of a claim appears in its sentence: the pattern that finds it, and the conversions between value and text. */
interface Part {
  pattern: string;
  render(value: never, day: ReadDay): string;
  parse(text: string, day: ReadDay): unknown;
}

const quote = (text: string): string => `“${text.replace(/[\\”]/g, '\\$&')}”`;
const unquote = (text: string): string => text.slice(1, -1).replace(/\\(.)/gsu, '$1');
const quoted = '“(?:\\\\[\\s\\S]|[^\\\\”])*”';

const word = '[\\p{L}\\p{N}]+(?:[-_.][\\p{L}\\p{N}]+)*';
const plainName = `(?:licence )?${word}`;
const isPlain = new RegExp(`^${plainName}$`, 'u');

const outletTexts = {
  receipt: 'went out in a receipt',
  list: 'went out in a list',
  'list-perhaps': 'was being saved in a list',
} as const;

const endTexts = { text: 'returned', 'no-answer': 'brought no usable answer:', error: 'ended with' } as const;

const parts = {
  /** Unquoted if it is plainly one word, else in quotes: a machine may be called “X was seen on Y”. */
  name: {
    pattern: `(?:${plainName}|${quoted})`,
    render: (value: string) => (isPlain.test(value) ? value : quote(value)),
    parse: (text: string) => (text.startsWith('“') ? unquote(text) : text),
  },
  words: { pattern: quoted, render: quote, parse: unquote },
  count: { pattern: '\\d+', render: String, parse: Number },
  times: {
    pattern: '(?:once|\\d+ times)',
    render: (value: number) => (value === 1 ? 'once' : `${value} times`),
    parse: (text: string) => (text === 'once' ? 1 : Number.parseInt(text, 10)),
  },
  reads: {
    pattern: '\\d+ reads?',
    render: (value: number) => `${value} read${value === 1 ? '' : 's'}`,
    parse: (text: string) => Number.parseInt(text, 10),
  },
  moment: {
    pattern: momentPattern,
    render: (value: string, day: ReadDay) => formatMoment(value, day),
    parse: (text: string, day: ReadDay) => parseMoment(text, day),
  },
  next: {
    pattern: `(?:${momentPattern}|at the next start)`,
    render: (value: string | null, day: ReadDay) => (value === null ? 'at the next start' : formatMoment(value, day)),
    parse: (text: string, day: ReadDay) => (text === 'at the next start' ? null : parseMoment(text, day)),
  },
  outlet: {
    pattern: `(?:${Object.values(outletTexts).join('|')})`,
    render: (value: string) => outletTexts[value as keyof typeof outletTexts],
    parse: (text: string) => Object.entries(outletTexts).find(([, words]) => words === text)?.[0],
  },
  operation: { pattern: '(?:Register|Unregister)License', render: String, parse: String },
  came: {
    pattern: '(?:returned|brought no usable answer:|ended with)',
    render: (value: string) => endTexts[value as keyof typeof endTexts],
    parse: (text: string) => Object.entries(endTexts).find(([, words]) => words === text)?.[0],
  },
  places: { pattern: '(?:both|neither)', render: String, parse: String },
} as const satisfies Record<string, Part>;

/** The sentences. A part in braces is a member of the claim and how it is written there. */
const sentences: Readonly<Record<Kind, string>> = {
  seen: '{licence:name} was seen on {machine:name}, read {at:moment}.',
  'not-seen': '{licence:name} was not seen on {machine:name} in {reads:reads}, the last {at:moment}.',
  'named-none': 'The service named no licence for {machine:name}, read {at:moment}.',
  'not-among': '{licence:name} was not among the licences named for {machine:name} ({of:count}), read {at:moment}.',
  unread: '{machine:name} could not be read at {at:moment}: {why:words}.',
  'nothing-left': 'No request to change it left this computer.',
  'not-read-yet': 'On its way: not read yet.',
  'on-its-way': 'On its way: read {reads:times}, last {last:moment}, next {next:next}.',
  'half-done': 'Half done: seen on {on:places}.',
  'not-as-wished': 'Not seen as planned after {reads:reads} until {until:moment}.',
  'write-after': 'Nothing is written again before {at:moment}.',
  'not-read-back':
    '{operation:operation} for {licence:name} on {machine:name} {came:came} {words:words}. It was not read back by {at:moment}, so whether it took effect is not known.',
  'said-then': 'Until {until:moment} this read {words:words}. That {outlet:outlet} at {at:moment}.',
};

const slot = /\{(\w+):(\w+)\}/g;
const partOf = (key: string): Part => parts[key as keyof typeof parts];

/** One sentence, as read on `day`: times of that day appear without their date. */
export function renderLicenceClaim(claim: LicenceClaim, day: ReadDay): string {
  const members = claim as unknown as Record<string, never>;
  return sentences[claim.kind].replace(slot, (_, member: string, part: string) =>
    partOf(part).render(members[member] as never, day),
  );
}

/** Claims as one text, their sentences one after the other. */
export const renderLicenceClaims = (claims: readonly LicenceClaim[], day: ReadDay): string =>
  claims.map((claim) => renderLicenceClaim(claim, day)).join(' ');

/** Lazy: most programs write these texts and read none. */
const forms = lazy(() =>
  (Object.entries(sentences) as [Kind, string][]).map(([kind, sentence]) => {
    const members = [...sentence.matchAll(slot)].map(([, member = '', part = '']) => ({ member, part: partOf(part) }));
    const literals = sentence.split(/\{\w+:\w+\}/).map(RegExp.escape);
    const source = literals
      .map((text, index) => text + (members[index] ? `(${members[index].part.pattern})` : ''))
      .join('');
    return { kind, members, pattern: new RegExp(source, 'uy') };
  }),
);

/** The claims that a text was rendered from; null if any part of it was not. */
export function parseLicenceClaims(text: string, day: ReadDay): LicenceClaim[] | null {
  const claims: LicenceClaim[] = [];
  let at = 0;
  while (at < text.length) {
    const found = forms().flatMap(({ kind, members, pattern }) => {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match) return [];
      const values = members.map(({ member, part }, index) => [member, part.parse(match[index + 1] ?? '', day)]);
      return [{ end: pattern.lastIndex, claim: { kind, ...Object.fromEntries(values) } as LicenceClaim }];
    })[0];
    if (!found) return null;
    claims.push(found.claim);
    at = found.end + (text[found.end] === ' ' ? 1 : 0);
  }
  return claims;
}
