import { doubtText } from '../../../shared/catalogue/return-codes.ts';
import { countOf, formatCredits } from '../../../shared/domain/text/figures.ts';
import { isJsonObject } from '../../../shared/domain/text/json-values.ts';
import { showInvisible } from '../../../shared/domain/text/visible-text.ts';
import { isEmptySearch } from '../../core/rest/transform.ts';
import type { CommandName } from '../arguments.ts';
import type { Printed } from '../printed.ts';
import { cellText, layOutPairs, layOutTable, type Row, wrap } from './layout.ts';

/** Writes the document that a program reads as JSON as text for a person at a terminal. */

const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;
const heading = (text: string): string[] => ['', text];

/** Lays out any answer: rows as a table, fields as pairs, and nested values below the name of their field. */
function layOutValue(value: unknown, width: number): string[] {
  if (isRows(value)) return layOutRows(value, width);
  if (Array.isArray(value)) return value.length === 0 ? ['none'] : value.map(cellText);
  if (!isJsonObject(value)) return value === undefined || value === null ? [] : [cellText(value)];
  const entries = Object.entries(value);
  const simple = entries.filter(([, part]) => isScalar(part) && cellText(part) !== '');
  const nested = entries.filter(([, part]) => !isScalar(part));
  return [
    ...layOutPairs(simple),
    ...nested.flatMap(([name, part], at) => [
      ...(at === 0 && simple.length === 0 && nested.length === 1 ? [] : heading(`${cellText(name)}:`)),
      ...layOutValue(part, width),
    ]),
  ];
}

/** Lays out rows. The tables of a data set are rows that contain rows. */
function layOutRows(rows: readonly Row[], width: number): string[] {
  if (!rows.some((row) => Object.values(row).some(isRows))) return layOutShared(rows, width);
  return rows.flatMap((row) => {
    const inside = Object.values(row).find(isRows) ?? [];
    return [...(typeof row.name === 'string' ? [`${cellText(row.name)}:`] : []), ...layOutTable(inside, width), ''];
  });
}

/** For rows that are too long for a line: prints the values that all rows share once above them, which leaves room for those that differ. */
function layOutShared(rows: readonly Row[], width: number): string[] {
  const plain = layOutTable(rows, width);
  const [first = {}] = rows;
  if (rows.length < 3 || plain.length === rows.length + 1) return plain;
  const shared = Object.entries(first).filter(([name, value]) =>
    rows.every((row) => cellText(row[name]) === cellText(value)),
  );
  const names = new Set(shared.map(([name]) => name));
  const own = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.has(name))));
  const table = layOutTable(own, width);
  const left = Object.keys(own[0] ?? {});
  return [
    ...layOutPairs(shared.filter(([, value]) => cellText(value) !== '')),
    '',
    ...(table.length === own.length + 1
      ? table
      : layOutTable(
          own,
          width,
          left.filter((name) => !isRepeated(name, own)),
        )),
  ];
}

/** Whether in every row a longer column contains this column's text, as an address contains its number. */
function isRepeated(name: string, rows: readonly Row[]): boolean {
  return rows.every((row) => {
    const text = cellText(row[name]);
    return Object.values(row).some((other) => cellText(other).length > text.length && cellText(other).includes(text));
  });
}

const priceText = (price: unknown): string =>
  typeof price === 'number' ? `Published price: ${price === 0 ? 'free' : formatCredits(price)}` : 'Price not published';

const seconds = (timings: unknown): string[] =>
  isJsonObject(timings) && typeof timings.total === 'number' ? [`${(timings.total / 1000).toFixed(2)} s`] : [];

function formatCall(document: Printed, width: number): string[] {
  const { value, price, timings, shape, found, returnCode, returnMeaning, doubt, raw } = document;
  const nothing = found === 'nothing' || ((shape === 'query' || shape === 'phrase') && isEmptySearch(value));
  const facts = [
    priceText(price),
    ...seconds(timings),
    ...(typeof shape === 'string' ? [`answer of shape ${shape}`] : []),
    ...(typeof returnCode === 'string' && returnCode !== ''
      ? [`code ${returnCode}${typeof returnMeaning === 'string' ? `: ${returnMeaning}` : ''}`]
      : []),
  ];
  return [
    ...(nothing ? ['Nothing found.'] : layOutValue(value, width)),
    '',
    ...doubtLines(doubt, width),
    ...wrap(facts.join(' · '), width),
    ...rawLines(raw, 'As it came:'),
  ];
}

const rawLines = (raw: unknown, title: string): string[] =>
  isJsonObject(raw) ? [...heading(title), showInvisible(String(raw.text ?? ''))] : [];

/** Why a SOAP answer may not be all that there is, as the window says it of a list. */
const doubtLines = (doubt: unknown, width: number): string[] =>
  doubt === undefined ? [] : wrap(doubtText(cellText(doubt)), width);

const sideNames: Readonly<Record<string, string>> = { rest: 'REST key', soap: 'SOAP licence' };

function formatCreditsDocument({ value, balance, below, leftOut, failed, raw }: Printed, width: number): string[] {
  const rows: Row[] = [];
  for (const [side, name] of Object.entries(sideNames)) {
    const read = isJsonObject(value) ? value[side] : undefined;
    const left = isJsonObject(leftOut) ? leftOut[side] : undefined;
    const fault = isJsonObject(failed) ? failed[side] : undefined;
    if (read !== undefined) {
      const known: Row = isJsonObject(balance) && isJsonObject(balance[side]) ? balance[side] : { credits: read };
      const { credits, used, total, expiryDate } = known;
      const isBelow = isJsonObject(below) && Array.isArray(below.sides) && below.sides.includes(side);
      const notes = [
        isBelow && `below ${below.threshold}`,
        credits === null && `as sent: ${cellText(read)}`,
        typeof used === 'number' && `used ${used}`,
        typeof total === 'number' && `total ${total}`,
        expiryDate && `expiry as sent ${cellText(expiryDate)}`,
      ];
      rows.push({ Balance: name, Credits: credits ?? 'no number', Note: notes.filter(Boolean).join(', ') });
    } else if (left !== undefined) rows.push({ Balance: name, Credits: '', Note: `left out: ${cellText(left)}` });
    else if (isJsonObject(fault))
      rows.push({ Balance: name, Credits: '', Note: `not read: ${cellText(fault.message)}` });
  }
  return [
    ...layOutTable(rows, width),
    ...Object.entries(isJsonObject(raw) ? raw : {}).flatMap(([side, one]) =>
      rawLines(one, `${sideNames[side]}, as it came:`),
    ),
  ];
}

/** A licence in one line; the rest is in the JSON. */
const licenceColumns = [
  ['LicenseID', 'ID'],
  ['ReferenceNo', 'Reference'],
  ['LicenseTypeName', 'Type'],
  ['Status', 'Status'],
  ['ExpiryDate', 'Expiry as sent'],
  ['LicenseInUse', 'In use'],
  ['Available', 'Available'],
  ['CurrentCreditsAvailable', 'Credits'],
] as const;

function formatLicences(document: Printed, width: number): string[] {
  const { value, plan, next, change, conclusion, found, doubt, raw } = document;
  // One record without content is a form of none.
  if (isJsonObject(value) && isRows(value.List) && found !== 'nothing') {
    const rows = value.List.map((licence) =>
      Object.fromEntries(licenceColumns.map(([field, name]) => [name, licence[field]])),
    );
    return [
      ...layOutTable(rows, width),
      '',
      `${countOf(rows.length, 'licence')} named`,
      ...doubtLines(doubt, width),
      ...rawLines(raw, 'As it came:'),
    ];
  }
  if (isJsonObject(plan))
    return [...formatChange(plan, width), '', ...wrap(cellText(conclusion), width), '', ...wrap(cellText(next), width)];
  if (isJsonObject(change)) return [...formatChange(document, width), '', ...wrap(cellText(conclusion), width)];
  if (Array.isArray(value))
    return value.length === 0
      ? ['No unfinished changes of this connection.']
      : value.filter(isJsonObject).flatMap((one) => [...formatChange(one, width), '']);
  return formatCall(document, width);
}

function formatChange({ change, steps, warnings, lastRead, nextRead }: Row, width: number): string[] {
  const about = isJsonObject(change) ? change : {};
  const rows = isRows(steps)
    ? steps.map(({ number, text, effect, price, state, result }) => ({
        '': number,
        Step: text,
        Effect: effect,
        Price: price,
        State: state,
        Result: result,
      }))
    : [];
  return [
    `${cellText(about.kind)} licence ${cellText(about.licence)}${about.reference ? ` (${cellText(about.reference)})` : ''}: ` +
      (about.fromMachine ? `${cellText(about.fromMachine)} to ${cellText(about.machine)}` : cellText(about.machine)),
    '',
    ...layOutTable(rows, width),
    ...(isRows(warnings)
      ? [
          '',
          ...warnings.flatMap(({ text, blocks }) =>
            wrap(`${blocks === true ? 'Stops it: ' : 'Note: '}${cellText(text)}`, width),
          ),
        ]
      : []),
    ...(lastRead ? ['', `Last read ${cellText(lastRead)}${nextRead ? `, next ${describeNext(nextRead)}` : ''}`] : []),
  ];
}

const describeNext = (nextRead: unknown): string =>
  nextRead === 'next-start' ? 'at the next start of the window' : cellText(nextRead);

function formatOperations({ value }: Printed, width: number): string[] {
  const { endpoints, operations } = isJsonObject(value) ? value : {};
  const line = (group: unknown) => (one: Row) => ({
    Name: one.name,
    Group: one.group ?? group,
    Price: one.price,
    'What it does': one.help,
  });
  const rows = [
    ...(isRows(endpoints) ? endpoints.map(line('REST')) : []),
    ...(isRows(operations) ? operations.map(line('')) : []),
  ];
  const narrow = layOutTable(rows, width);
  // If a line for each does not fit, the sentences are left out: 54 blocks of pairs would be unreadable, and the help of an operation has its sentence.
  return narrow[0]?.startsWith('Name  ') && narrow.length === rows.length + 1
    ? narrow
    : layOutTable(rows, Number.POSITIVE_INFINITY, ['Name', 'Group', 'Price']);
}

function formatDescription({ value }: Printed, width: number): string[] {
  const { description, drift } = isJsonObject(value) ? value : {};
  const count = isJsonObject(description) && Array.isArray(description.operations) ? description.operations.length : 0;
  const findings = isJsonObject(drift) && isRows(drift.findings) ? drift.findings : [];
  return [
    `${countOf(count, 'operation')} described`,
    ...(findings.length === 0
      ? ['No differences found.']
      : [
          `${countOf(findings.length, 'difference')}:`,
          '',
          ...layOutTable(
            findings.map(({ kind, operation, field, against, message }) => ({
              Difference: kind,
              Operation: operation,
              Field: field,
              Against: against,
              Detail: message,
            })),
            width,
          ),
        ]),
  ];
}

function formatJournal({ entries, note }: Printed, width: number): string[] {
  const seen = `No edit, gap or cut was found in ${cellText(entries)} ${entries === 1 ? 'entry' : 'entries'}.`;
  const said = [
    seen,
    'One after which the whole chain and its anchors were rewritten would not show here; a receipt shows that too.',
    cellText(note),
  ];
  return wrap(said.filter(Boolean).join(' '), width);
}

const boundsText = (bounds: unknown): string =>
  isJsonObject(bounds)
    ? bounds.least === bounds.most
      ? cellText(bounds.most)
      : `${cellText(bounds.least)} to ${cellText(bounds.most)}`
    : 'not published';

/** The plan of a table, the end of a batch, or the list of batches. */
function formatBatch({ value, saved }: Printed, width: number): string[] {
  if (Array.isArray(value))
    return value.length === 0
      ? ['No batch of this connection.']
      : layOutTable(
          value.filter(isJsonObject).map(({ batch, name, state, rows, left }) => ({
            Batch: batch,
            Table: name,
            State: state,
            Done: isJsonObject(rows) ? rows.done : '',
            Left: isJsonObject(left) ? left.rows : '',
          })),
          width,
        );
  if (!isJsonObject(value)) return [];
  const counts = (of: unknown): [string, unknown][] =>
    isJsonObject(of) ? Object.entries(of).filter(([, count]) => count !== 0) : [];
  if (isRows(value.stages)) {
    const { rows, stages, credits, malformed, notes } = value;
    return [
      ...layOutPairs([...counts(rows), ['credits', boundsText(credits)]]),
      ...heading('What would be sent:'),
      ...layOutTable(
        stages.map(({ title, operation, calls, credits: price }) => ({
          Stage: title,
          Operation: operation ?? 'none',
          Calls: boundsText(calls),
          Credits: boundsText(price),
        })),
        width,
      ),
      ...(Array.isArray(notes) && notes.length > 0
        ? ['', ...notes.flatMap((note) => wrap(cellText(note), width))]
        : []),
      ...(isRows(malformed)
        ? [
            ...heading('Not asked:'),
            ...layOutTable(
              malformed.map(({ row, reason, given }) => ({ Row: row, Why: reason, Given: given })),
              width,
            ),
          ]
        : []),
      '',
      'Nothing was sent.',
    ];
  }
  const { batch, state, rows, results, credits, wait, left, balance } = value;
  return [
    ...layOutPairs([['batch', batch], ['state', state], ...counts(rows), ...counts(results)]),
    ...(isJsonObject(credits) ? ['', ...wrap(batchCreditsText(credits), width)] : []),
    ...(typeof balance === 'string' ? wrap(balance, width) : []),
    ...(isJsonObject(wait)
      ? [
          '',
          ...wrap(
            [`${cellText(wait.title)}.`, cellText(wait.what), cellText(wait.seen), cellText(wait.does)]
              .filter(Boolean)
              .join(' '),
            width,
          ),
        ]
      : []),
    ...(isJsonObject(left) && left.rows !== 0
      ? ['', `${rowsText(left.rows)} left: ${boundsCreditsText(left.credits)}.`]
      : []),
    ...(isJsonObject(saved) ? ['', `${rowsText(saved.rows)} saved in ${cellText(saved.file)}.`] : []),
  ];
}

const rowsText = (rows: unknown): string => `${cellText(rows)} ${rows === 1 ? 'row' : 'rows'}`;

/** "3 to 5 credits", "1 credit"; null: "price unknown", as while the connection has no key to make its calls with. */
const boundsCreditsText = (bounds: unknown): string =>
  isJsonObject(bounds) ? `${boundsText(bounds)} ${bounds.most === 1 ? 'credit' : 'credits'}` : 'price unknown';

/** What the calls of a batch count for, the part of those without a usable answer, and what an earlier result file says. */
function batchCreditsText({ counted, unknown, limit, earlier }: Row): string {
  const lost = unknown === 0 ? '' : `, ${cellText(unknown)} of it for calls without a usable answer`;
  const before = earlier === undefined ? '' : ` By the earlier file another ${boundsCreditsText(earlier)}.`;
  return `${cellText(counted)} of ${formatCredits(Number(limit))} counted, every call at its highest price${lost}.${before}`;
}

/** The content of a set-up file, or what importing it changes or would change. */
function formatSetup(
  { value, saved, leftOut, changes, dryRun, keysWanted, keysNotRead }: Printed,
  width: number,
): string[] {
  const rows = Array.isArray(value) ? value.filter(isJsonObject) : [];
  const shown = rows.map(({ what, connection, state, file, here, take }) => ({
    What: connection === '' || what === connection ? what : `${cellText(what)}, ${cellText(connection)}`,
    File: file,
    ...(state === undefined ? {} : { Here: here, State: state, Take: take }),
  }));
  const notes = rows.filter(({ note }) => typeof note === 'string' && note !== '');
  const missing = isRows(keysWanted) ? keysWanted : [];
  const done =
    saved !== undefined
      ? `Saved in ${cellText(saved)}.`
      : dryRun
        ? 'Nothing was changed.'
        : `${countOf(Number(changes), 'change')} imported; the window shows ${changes === 1 ? 'it' : 'them'}.`;
  return [
    ...(shown.length === 0 ? ['Nothing is set up.'] : layOutTable(shown, width)),
    ...(notes.length === 0
      ? []
      : ['', ...notes.flatMap(({ what, note }) => wrap(`${cellText(what)}: ${cellText(note)}`, width))]),
    ...(Array.isArray(leftOut) && leftOut.length > 0
      ? [...heading('Left out, because it contains what looks like a key:'), ...leftOut.map(cellText)]
      : []),
    ...(missing.length > 0
      ? [
          ...heading('Keys still needed; give them in the window, under Connections:'),
          ...layOutTable(
            missing.map(({ connection, label, lastFour }) => ({ Connection: connection, Key: label, Ended: lastFour })),
            width,
          ),
        ]
      : []),
    '',
    done,
    ...unreadText(keysNotRead, width),
  ];
}

/** A file is searched for the keys that the keychain hands over, and for no others. */
const unreadText = (keys: unknown, width: number): string[] =>
  typeof keys === 'number' && keys > 0
    ? wrap(
        `${countOf(keys, 'key')} could not be read, so ${keys === 1 ? 'it was' : 'they were'} not searched for.`,
        width,
      )
    : [];

const formatSupport = ({ value, saved, parts, keysNotRead }: Printed, width: number): string[] => [
  ...(typeof value === 'string'
    ? [...value.split('\n'), '']
    : [`Saved in ${cellText(saved)}: ${Array.isArray(parts) ? parts.join(', ') : ''}. Read it before you hand it on.`]),
  ...unreadText(keysNotRead, width),
];

const formats: Readonly<Record<Exclude<CommandName, 'completion'>, (document: Printed, width: number) => string[]>> = {
  batch: formatBatch,
  call: formatCall,
  credits: formatCreditsDocument,
  journal: formatJournal,
  licences: formatLicences,
  operations: formatOperations,
  setup: formatSetup,
  support: formatSupport,
  wsdl: formatDescription,
};

/** The document of a successful command as text, in lines of at most `width` characters where possible. */
export function formatDocument(command: CommandName, document: Printed, width: number): string {
  if (command === 'completion') return String(document.value);
  return formats[command](document, width)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** A failure as text: first what the command printed beside it, then the error's sentence. */
export function formatFailure(command: CommandName | undefined, document: Printed, width: number): string {
  const { error } = document;
  const { message = '', code = '', detail } = isJsonObject(error) ? error : {};
  const known =
    command === 'credits' ||
    (command === 'batch' && isJsonObject(document.value)) ||
    (command === 'licences' && isJsonObject(document.change)) ||
    isJsonObject(document.plan)
      ? `${formatDocument(command ?? 'licences', document, width)}\n\n`
      : '';
  return [
    `${known}${wrap(cellText(message), width).join('\n')}`,
    `(${cellText(code)}${detail === undefined ? '' : `: ${cellText(detail)}`})`,
  ].join('\n');
}
