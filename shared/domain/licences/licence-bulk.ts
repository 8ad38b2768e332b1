import { z } from 'zod';
import { readSafeCell } from '../text/csv.ts';
import { type ChangeKind, changeKinds, plannedLicenceSchema } from './licence-change.ts';
import { machineHoldingsSchema } from './licence-machines.ts';

/** What a column of a pasted table says. */
export const bulkFields = ['licence', 'change', 'machine', 'from', 'state'] as const;
export type BulkField = (typeof bulkFields)[number];
/** The column of each field, from 0; absent: the table has none for it. */
export type BulkMapping = Partial<Record<BulkField, number>>;

export const bulkFieldNames: Readonly<Record<BulkField, string>> = {
  licence: 'Licence',
  change: 'Change',
  machine: 'To, or the machine',
  from: 'From',
  state: 'State of an earlier run',
};

const names: Readonly<Record<BulkField, RegExp>> = {
  licence: /^(i?licen[cs]e ?(id|number|no\.?)?|licen[cs]e|id|reference ?(no\.?)?)$/i,
  change: /^(change|action|kind|what)$/i,
  machine: /^(to|machine|machine ?name|smachinename|to machine|new machine|new|computer)$/i,
  from: /^(from|from machine|old machine|old)$/i,
  state: /^(state|result|verdict)$/i,
};

/** Which column says what, by the words of the first row; null if the first row is no header. */
export function guessMapping(first: readonly string[]): BulkMapping | null {
  const mapping: BulkMapping = {};
  for (const field of bulkFields) {
    const at = first.findIndex((cell) => names[field].test(cell.trim()));
    if (at >= 0) mapping[field] = at;
  }
  return mapping.licence !== undefined && (mapping.machine !== undefined || mapping.from !== undefined)
    ? mapping
    : null;
}

/** Without a header: two columns are licence and machine; three are licence, from, to. */
export const defaultMapping = (columns: number): BulkMapping =>
  columns >= 3 ? { licence: 0, from: 1, machine: 2 } : { licence: 0, machine: 1 };

const longestCell = 1000;
const cell = z.string().max(longestCell);
/** One row as it was given, cells untouched but for one that is too long for anything (mapRows). */
export const bulkRowInputSchema = z.strictObject({
  row: z.number().int().min(1),
  licence: cell,
  change: cell,
  machine: cell,
  from: cell,
  state: cell,
});
export type BulkRowInput = z.infer<typeof bulkRowInputSchema>;
export const mostBulkRows = 5000;

/**
 * The cells of the table by what they say; rows count from one, without the header. A cell that is too long to cross to main is cut and
 * ends with “…”, so that it is still refused as a machine, and is neither a licence nor a change: what is cut off never makes another name.
 */
export function mapRows(rows: readonly (readonly string[])[], mapping: BulkMapping): BulkRowInput[] {
  return rows.map((cells, index) => {
    const take = (field: BulkField): string => {
      const at = mapping[field];
      const text = at === undefined ? '' : readSafeCell(cells[at] ?? '');
      return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text;
    };
    return {
      row: index + 1,
      licence: take('licence'),
      change: take('change'),
      machine: take('machine'),
      from: take('from'),
      state: take('state'),
    };
  });
}

/**
 * seen: as planned, by reading. on-its-way and half-done: a write left and the reads do not show it; not-seen: read to the end of the
 * schedule. confirmed and contradicted are what earlier versions said.
 */
export const bulkRowStates = [
  'planned',
  'sent',
  'seen',
  'on-its-way',
  'half-done',
  'not-seen',
  'unknown',
  'failed',
  'skipped',
  'confirmed',
  'contradicted',
] as const;
export type BulkRowState = (typeof bulkRowStates)[number];

export const bulkRowSchema = z.object({
  row: z.number().int(),
  kind: z.enum(changeKinds).nullable(),
  licenceNumber: z.string(),
  licenceReference: z.string(),
  /** The machine it is to be put on; null: it is to be taken off. */
  to: z.string().nullable(),
  /** The machine it is to be taken off; null: none. */
  from: z.string().nullable(),
  state: z.enum(bulkRowStates),
  /** The plan, or what was found. */
  text: z.string(),
  serviceText: z.string(),
  /** Whether it is run unless the user says otherwise: nothing speaks against it. */
  advised: z.boolean(),
  /** If set, the row is run only with a tick of its own, under these words. */
  tick: z.string().optional(),
  /** Why it needs that tick. */
  tickReason: z.string().optional(),
  /** What the account's list said of the licence when the row was planned; missing in plans of earlier versions. */
  licence: plannedLicenceSchema.optional(),
  changeId: z.string().nullable(),
  /** Set if its change was left as it is or undone, or nothing of it left: it is not read again, and nothing of it is offered. */
  closed: z.boolean().optional(),
});
export type BulkRow = z.infer<typeof bulkRowSchema>;

export const bulkSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  /** Name of the file, or that it was pasted. */
  source: z.string(),
  plannedAt: z.string(),
  by: z.string(),
  /** Answers that the plan was made from: the list, and each machine that could be read. */
  reads: z.number().int(),
  /** planned, or stopped with rows left; running; paused: the first row that was not as planned stopped it; done: no planned row is left. */
  state: z.enum(['planned', 'running', 'paused', 'done']),
  /** Why it stopped, in words, and what to do where no row says so. */
  pause: z.string().nullable(),
  /** If set, every row moves a licence to this machine, one after another; the rest wait as long as one is not seen there. */
  moveTo: z.string().optional(),
  /** The rows that a person confirmed: with a move of everything all so far, by the machine's name; else those of the last run, by their number. */
  confirmed: z.array(z.number().int()).optional(),
  /** With a move of everything: of those, the ones that a person has left out since, before anything of them was sent. */
  leftOut: z.array(z.number().int()).optional(),
  /** With a move of everything: the licences named for each machine when it was planned; missing in plans of earlier versions. */
  before: z.array(machineHoldingsSchema).optional(),
  rows: z.array(bulkRowSchema),
});
export type Bulk = z.infer<typeof bulkSchema>;

/** What is read from a row's cells before anything is asked. */
export interface RowRequest {
  kind: ChangeKind;
  licence: string;
  to: string | null;
  from: string | null;
}

/** The change a row asks for, with surrounding blanks removed, or why it asks for none. */
export function readRowRequest(input: BulkRowInput, fallback: ChangeKind): RowRequest | string {
  const licence = input.licence.trim();
  const word = input.change.trim().toLowerCase();
  let to = input.machine.trim();
  let from = input.from.trim();
  for (const none of ['no machine', 'none', '-']) {
    if (to.toLowerCase() === none) to = '';
    if (from.toLowerCase() === none) from = '';
  }
  if (licence === '') return 'names no licence';
  if (to.length > 255 || from.length > 255) return 'names a machine longer than 255 characters';
  const kind = word === '' ? (from && to ? 'move' : from ? 'unregister' : fallback) : word;
  if (!changeKinds.some((one) => one === kind))
    return `asks for “${input.change.trim().slice(0, 40)}”, which is not a change`;
  if (kind === 'move') {
    if (!to || !from) return 'a move names two machines';
    return to === from ? 'the same machine twice' : { kind, licence, to, from };
  }
  const machine = kind === 'register' ? to || from : from || to;
  if (machine === '') return 'names no machine';
  if (to && from && to !== from) return `${kind} takes one machine, and two are named`;
  return kind === 'register'
    ? { kind, licence, to: machine, from: null }
    : { kind: 'unregister', licence, to: null, from: machine };
}
