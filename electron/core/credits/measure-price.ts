import { priceOf } from '../../../shared/catalogue/price.ts';
import { findSoapOperation } from '../../../shared/catalogue/soap-operations.ts';
import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import { roundFigure } from '../../../shared/domain/text/figures.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { BalanceReader } from './balance-reader.ts';

export interface Experiment {
  operation: string;
  /** Figures before and after the call, in order of time. */
  samples: BalanceSample[];
  /** What the figures show for the call, if each reading of the balance cost the same; null: they do not show it. */
  credits: number | null;
}

/** Whether an operation's price may be measured: it is not published, and asking changes nothing but the balance. */
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
 * Measures what one call costs this account: the balance is read twice (which shows what a reading costs), the call is made once, and the
 * balance is read again; of the call that reads the balance, the two readings are all. A person starts it and knows that each of them may
 * cost. Errors: those of each step, `bad-input`.
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
  const samples: BalanceSample[] = [];
  const read = async (): Promise<Result<BalanceSample>> => {
    const sample = await parts.reader.read(connectionId, 'soap-account', context);
    if (sample.ok) samples.push(sample.value);
    return sample;
  };
  for (let time = 0; time < 2; time += 1) {
    const sample = await read();
    if (!sample.ok) return sample;
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
  return ok({ operation, samples, credits: costShown(samples.map(({ credits }) => credits)) });
}

/** The last fall, less what a reading alone took. Pure. Figures in order of time. */
function costShown([first, second, third]: readonly (number | null)[]): number | null {
  if (first == null || second == null) return null;
  const ofSample = roundFigure(first - second);
  if (third === undefined) return ofSample < 0 ? null : ofSample;
  const cost = third === null ? -1 : roundFigure(second - third - ofSample);
  return ofSample < 0 || cost < 0 ? null : cost;
}
