import type { Protocol } from '../../../shared/domain/connection.ts';
import { balancesOf } from './database/migrations/0028-spend-days-of-balances.ts';

/** One balance: a REST key or a SOAP licence, named by its fingerprint, at one origin. */
export interface Purse {
  origin: string;
  fingerprint: string;
}

/** How the ledger names a balance that calls count against, in a list of them; the interface is the one that it is read over. */
export const nameOfBalance = (protocol: Protocol, { origin, fingerprint }: Purse): string =>
  `${protocol} ${origin} ${fingerprint}\n`;

/** The names in such a list. */
export const namesIn = (list: string): string[] => list.match(/.+\n/g) ?? [];

/** One balance, as a connection shows it. Its origin and fingerprint are empty if only an earlier version read it, or it is made up. */
export interface OneBalance extends Purse {
  connectionId: string;
  interface: Protocol;
  label: string;
  /** A person has said that the keys of its server have separate balances. */
  separate: boolean;
}

/**
 * Which calls count against one balance: those that count against it by `balancesOf`, whichever connection sent them; and as long as nobody
 * has said that keys are separate, those of the connection that count against another of the same interface and server. What names no
 * balance, or is asked of one without a name, counts by connection, interface and label.
 */
const countsAgainst = (balances: string): string => `CASE
  WHEN '' IN (${balances}, :balance) THEN connection_id = :connectionId AND interface = :interface AND (:separate = 0 OR paid_by = :label)
  ELSE instr(${balances}, :balance) OR (:separate = 0 AND connection_id = :connectionId AND instr(${balances}, :server)) END`;

/** In a condition on calls of the ledger. */
export const entriesOfBalance = countsAgainst(`(${balancesOf('ledger')})`);
/** In a condition on days of spending. */
export const daysOfBalance = countsAgainst('balances');

/** A rise or a fall that was entered for a balance, between two facts (by their numbers). */
interface EnteredMovement {
  balance: string;
  from: number;
  to: number;
}

/**
 * Columns of an `EnteredMovement`, of rows of the ledger with a balance. Balances that a person has said are separate have one name, since none
 * of their credits is entered twice.
 */
export const movementColumns = `CASE WHEN interface = 'rest' AND origin IN (SELECT origin FROM separate_purses) THEN 'rest'
    ELSE ${balancesOf('ledger')} END AS balance,
  (SELECT asked_sequence FROM balance_readings reading WHERE reading.sequence =
    (SELECT from_reading FROM segments WHERE to_reading = ledger.segment)) AS "from",
  (SELECT answered_sequence FROM balance_readings reading WHERE reading.sequence = ledger.segment) AS "to"`;

/** Of how many balances there are movements that overlap in time: as far as is known they may be one, and their credits entered twice. */
export function balancesThatOverlap(movements: readonly EnteredMovement[]): number {
  const ends = new Map<string, number>();
  const found = new Set<string>();
  for (const { balance, from, to } of [...movements].sort((a, b) => a.from - b.from)) {
    for (const [other, end] of ends) if (other !== balance && end > from) found.add(other).add(balance);
    ends.set(balance, Math.max(to, ends.get(balance) ?? 0));
  }
  return found.size;
}

export const readMovements = (rows: Iterable<Record<string, unknown>>): EnteredMovement[] =>
  Array.from(rows, ({ balance, from, to }) => ({ balance: String(balance), from: Number(from), to: Number(to) }));

/** The parameters of the conditions above. */
export function balanceParameters({ connectionId, label, separate, ...balance }: OneBalance) {
  const { interface: protocol, origin, fingerprint } = balance;
  return {
    connectionId,
    interface: protocol,
    label,
    separate: separate && protocol === 'rest' ? 1 : 0,
    balance: fingerprint === '' ? '' : nameOfBalance(protocol, balance),
    server: `${protocol} ${origin} `,
  };
}
