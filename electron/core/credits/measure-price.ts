import { priceOf } from '../../../shared/catalogue/price.ts';
import { findSoapOperation } from '../../../shared/catalogue/soap-operations.ts';
import type { BalanceReading } from '../../../shared/domain/credits.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { BalanceReader } from './balance-reader.ts';

export interface Experiment {
  operation: string;
  /** Figures before and after the call, in the order of time. */
  readings: BalanceReading[];
  /** What the figures show for the call, if each reading of the balance cost the same; null: they do not tell. */
  credits: number | null;
}

/** Whether an operation's price may be measured: it is published nowhere, and asking changes nothing but the balance. */
export function isMeasurable(operation: string): boolean {
  const found = findSoapOperation(operation);
  return (
    found !== undefined &&
    !found.dataset &&
    found.operation.effect === 'reads' &&
    priceOf(operation).kind === 'not-published'
  );
}

/**
 * Measures what one call costs this account: the balance is read twice (which tells what a reading costs), the call is made once, and
 * the balance is read again. A person starts it and knows that each of the four may cost. Errors: those of each step, `bad-input`.
 */
export async function measurePrice(
  parts: { connections: Pick<Connections, 'find'>; clients: Clients; reader: BalanceReader },
  asked: { connectionId: string; operation: string; fields: Readonly<Record<string, string>> },
  context: CallContext,
): Promise<Result<Experiment>> {
  const { connectionId, operation, fields } = asked;
  if (!isMeasurable(operation))
    return fail(
      appError('bad-input', {
        message: `${operation} is not measured: its price is published, or it changes something.`,
        field: 'operation',
      }),
    );
  const readings: BalanceReading[] = [];
  const read = async (): Promise<Result<BalanceReading>> => {
    const reading = await parts.reader.read(connectionId, 'soap-account', context);
    if (reading.ok) readings.push(reading.value);
    return reading;
  };
  for (let time = 0; time < 2; time += 1) {
    const reading = await read();
    if (!reading.ok) return reading;
  }
  if (operation !== 'GetAvailableCredits') {
    const connection = parts.connections.find(connectionId);
    if (!connection.ok) return connection;
    const done = await parts.clients.soap(
      { connection: connection.value, operation, subject: 'price experiment', fields: { ...fields } },
      context,
    );
    if (!done.ok) return done;
    const last = await read();
    if (!last.ok) return last;
  }
  return ok({ operation, readings, credits: costShown(readings.map(({ credits }) => credits)) });
}

/** The last fall, less what a reading alone took. Pure. Figures in the order of time. */
function costShown([first, second, third]: readonly (number | null)[]): number | null {
  if (first == null || second == null) return null;
  const ofReading = first - second;
  if (third === undefined) return ofReading < 0 ? null : ofReading;
  const cost = third === null ? -1 : second - third - ofReading;
  return ofReading < 0 || cost < 0 ? null : cost;
}
