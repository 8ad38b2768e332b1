import { anyDay } from '../../../shared/claims/moment.ts';
import { type MoneyClaim, renderMoneyClaims } from '../../../shared/claims/money-claims.ts';
import type { DriftSummary } from '../../../shared/contract/connections.ts';
import type { Evidence } from '../../../shared/contract/credits.ts';
import type { SupportMask, SupportPart } from '../../../shared/contract/support.ts';
import {
  type CallRecord,
  describeOutcome,
  isEndUnknown,
  neverLeft,
  publishedPriceOf,
} from '../../../shared/domain/activity.ts';
import type { Exchange } from '../../../shared/domain/call.ts';
import { type Connection, protocolNames } from '../../../shared/domain/connection.ts';
import { type CsvColumn, csvHead, csvRow } from '../../../shared/domain/text/csv.ts';
import { type ErrorCode, errorCodes } from '../../../shared/errors.ts';
import { textOf } from '../decode/shared-text.ts';
import { type Masker, maskPattern } from './support-masks.ts';

export interface SupportFacts {
  call: CallRecord;
  /** As its connection is set up now; null: it was removed. */
  connection: Connection | null;
  /** null: it was not kept, or `isLong`. */
  exchange: Exchange | null;
  /** It is saved, but too long to be read for this. */
  isLong: boolean;
  evidence: Evidence;
  /** Calls of the same connection shortly before and after, oldest first: the nearest of `aroundOf`. */
  around: readonly CallRecord[];
  aroundOf: number;
  drift: DriftSummary | null;
  versions: Readonly<Record<string, string>>;
  masks: readonly SupportMask[];
  madeAt: string;
}

export const aroundMinutes = 5;

/** The claims with whatever they contain of other calls masked. */
const maskClaims = (claims: readonly MoneyClaim[], masker: Masker): MoneyClaim[] =>
  claims.map((claim) => {
    if (claim.kind === 'late-candidates') return { ...claim, names: masker.subject(claim.names) };
    if (claim.kind === 'said-then' || claim.kind === 'said-before')
      return { ...claim, words: masker.text(claim.words) };
    return claim;
  });

const maskTexts: Record<SupportMask, string> = {
  addresses: 'addresses and premise ids (lengths stay)',
  names: 'machine and user names (one stand-in for each)',
  hosts: 'host names: those of connections and web addresses, and what reads like one with dots',
  balances: 'balances',
};

/** A difference may name a type with its namespace, which is a web address. */
const maskDrift = (drift: DriftSummary, { text }: Masker): DriftSummary => ({
  ...drift,
  findings: drift.findings.map((one) => ({ ...one, subject: text(one.subject), text: text(one.text) })),
});

const endOf = (call: CallRecord): string => new Date(Date.parse(call.at) + call.durationMs).toISOString();

function describeCall(call: CallRecord, masker: Masker) {
  return {
    call: call.id,
    operation: call.operation,
    interface: protocolNames[call.interface],
    subject: masker.subject(call.subject),
    begun: call.at,
    ended: endOf(call),
    outcome: call.outcome,
    error: call.errorCode,
    publishedPrice: publishedPriceOf(call),
    paidBy: masker.text(call.paidBy),
    connection: masker.text(call.connectionName),
    person: masker.person(call.person),
    askedIn: call.source,
  };
}

function summarise(
  { call, evidence, exchange, isLong, masks, madeAt, around, aroundOf }: SupportFacts,
  masker: Masker,
): string {
  const known = errorCodes[call.errorCode as ErrorCode];
  const claims = renderMoneyClaims(maskClaims(evidence.claims, masker), anyDay);
  const price = publishedPriceOf(call);
  const lines = [
    `${call.operation} (${protocolNames[call.interface]}), ${call.at}`,
    '',
    describeOutcome(call),
    ...(known ? [`${known.what} (${call.errorCode})`] : []),
    ...(isEndUnknown(call) ? [] : [`It took ${(call.durationMs / 1000).toFixed(2)} s.`]),
    '',
    'What may be said of its charge',
    claims === ''
      ? price === 0
        ? 'By the published price it is free, so it is not in the ledger.'
        : 'The ledger has no entry of it.'
      : claims,
    ...(price === undefined ? [] : [`Published price: ${price ?? 'not published'}.`]),
    '',
    exchange
      ? 'Request and answer: request.txt and answer.txt.'
      : neverLeft(call)
        ? 'It was not sent, so there is no request.'
        : isLong
          ? 'The answer is saved in the program. It is too long for this file, which has neither the request nor the answer.'
          : 'The request and the answer were not kept.',
    `Other calls of this connection within ${aroundMinutes} minutes: ${aroundOf}.${around.length < aroundOf ? ` around-it.json has the nearest ${around.length} of them.` : ''}`,
    '',
    'Masked: keys, GUIDs and passwords (the last four stay)',
    ...masks.map((one) => `Masked: ${maskTexts[one]}`),
    `Made ${madeAt}. Times are in UTC where they end with Z.`,
  ];
  return `${lines.join('\n')}\n`;
}

const headersOf = (headers: Readonly<Record<string, string>>, masker: Masker): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${masker.text(value)}`);

function requestText({ request }: Exchange, masker: Masker): string {
  const head = [`${request.method} ${masker.url(request.url)}`, ...headersOf(request.headers, masker), ''];
  return `${[...head, request.body === undefined ? '' : masker.body(request.body)].join('\n')}\n`;
}

function answerText({ raw }: Exchange, masker: Masker): string {
  if (!raw) return 'No answer came.\n';
  return `${[`HTTP ${raw.status}, ${raw.bytes} bytes`, ...headersOf(raw.headers, masker), '', masker.body(textOf(raw.text))].join('\n')}\n`;
}

const balanceColumns: CsvColumn[] = [
  { head: 'at', kind: 'text' },
  { head: 'what', kind: 'text' },
  { head: 'balance', kind: 'text' },
];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The parts of a support file, each as it would be saved. Pure. */
export function describeSupport(facts: SupportFacts, masker: Masker): SupportPart[] {
  const { call, connection, exchange, evidence, around, drift, versions } = facts;
  const settings = connection && {
    kind: connection.kind,
    restBaseUrl: connection.restBaseUrl === '' ? '' : masker.url(connection.restBaseUrl),
    soapUrl: connection.soapUrl === '' ? '' : masker.url(connection.soapUrl),
    soapVersion: connection.soapVersion,
    searchForm: connection.searchForm,
    preferredInterface: connection.preferredInterface,
    machineSent: masker.machine(connection.machineId),
  };
  const balance = evidence.rows.map(({ at, text, credits }) =>
    csvRow([at, masker.text(text), masker.balance(credits)], balanceColumns),
  );
  const parts: [name: string, text: string][] = [
    ['summary.txt', summarise(facts, masker)],
    ['call.json', json({ ...describeCall(call, masker), timings: exchange?.timings ?? null, settings })],
    ...(exchange
      ? ([
          ['request.txt', requestText(exchange, masker)],
          ['answer.txt', answerText(exchange, masker)],
        ] as [string, string][])
      : []),
    ['around-it.json', json(around.map((one) => describeCall(one, masker)))],
    ['balance.csv', `${csvHead(balanceColumns)}${balance.join('')}`],
    [
      'drift.json',
      json(
        drift
          ? maskDrift(drift, masker)
          : {
              readAt: null,
              findings:
                'Its connection was removed, and with it what had been read of the service’s description, if it had been read.',
            },
      ),
    ],
    [
      'versions.txt',
      `${Object.entries(versions)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}\n`,
    ],
  ];
  return parts.map(([name, text]) => ({
    name,
    text,
    bytes: Buffer.byteLength(text),
    masked: text.match(maskPattern)?.length ?? 0,
  }));
}

/** One text file that opens anywhere: a head that says what is in it and what was left out, then the parts as they were shown. */
export function joinParts(parts: readonly SupportPart[], without: readonly string[]): string {
  const kept = parts.filter(({ name }) => !without.includes(name));
  const left = parts.filter(({ name }) => without.includes(name)).map(({ name }) => name);
  const head = [
    'Support file of Address Console, with every key known to it masked. Each part begins with a line of equals signs and its name.',
    `Contains: ${kept.map(({ name }) => name).join(', ') || 'nothing'}`,
    `Left out: ${left.join(', ') || 'nothing'}`,
  ];
  return `${head.join('\n')}\n${kept.map(({ name, text }) => `\n===== ${name} =====\n${text}`).join('')}`;
}
