import type { Protocol } from '../../../shared/domain/connection.ts';
import { balancesOf } from './database/migrations/0028-spend-days-of-balances.ts';

/** A key is named by its fingerprint. */
export interface ServerAndKey {
  origin: string;
  fingerprint: string;
}

/** How the ledger names a balance that calls count against, in a list of them; the interface is the one that it is read over. */
export const nameOfBalance = (protocol: Protocol, { origin, fingerprint }: ServerAndKey): string =>
  `${protocol} ${origin} ${fingerprint}\n`;

/** The names in such a list. */
export const namesIn = (list: string): string[] => list.match(/.+\n/g) ?? [];

/** One balance, as a connection shows it. Its origin and fingerprint are empty if only an earlier version read it, or it is made up. */
export interface OneBalance extends ServerAndKey {
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

/**
 * What tells apart the balances whose rises and falls are entered: those that a person has said are separate count as one, since none of
 * their credits is entered twice. For rows with a balance.
 */
const mayRepeat = (balance: string): string => `CASE WHEN EXISTS (SELECT 1 FROM separate_purses
  WHERE instr(${balance}, 'rest ' || separate_purses.origin || ' ')) THEN 'rest' ELSE ${balance} END`;
export const balanceOfEntry = mayRepeat(`(${balancesOf('ledger')})`);
export const balanceOfDay = mayRepeat('balances');

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
