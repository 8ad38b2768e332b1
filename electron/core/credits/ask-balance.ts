import type { Connection } from '../../../shared/domain/connection.ts';
import type { BalanceSample, BalanceSource } from '../../../shared/domain/credits/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { CallContext, CallResult } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';

/** The sources that can be asked; a licence's balance comes with the licence. */
export type Readable = Exclude<BalanceSource, 'licence'>;

type Ask = (
  clients: Clients,
  connection: Connection,
  context: CallContext,
  keyLabel?: string,
) => Promise<Result<BalanceAnswer>>;

/** A figure, whose balance it is, and the ledger's entry of the call if that may cost. */
interface BalanceAnswer {
  sample: Omit<BalanceSample, 'at'>;
  /** As it was when called: one edited meanwhile has another balance. */
  connection: Connection;
  fingerprint: string;
  ownCall: string | null;
}

const describe = (
  source: Readable,
  { paidBy, keyLastFour, fingerprint, spendId, connection }: CallResult<unknown>,
  figures: Partial<Pick<BalanceSample, 'credits' | 'used' | 'total' | 'expiryDate' | 'text'>>,
): Result<BalanceAnswer> => {
  const blank = { credits: null, used: null, total: null, expiryDate: null, text: null };
  const sample = { source, label: paidBy, keyLastFour, ...blank, ...figures };
  return ok({ sample, fingerprint, ownCall: spendId, connection });
};

/**
 * One call for a balance, by source; `keyLabel` names the lookup key to ask with. A figure that the answer does not have is null. Errors:
 * those of the call.
 */
export const askBalance: Record<Readable, Ask> = {
  'rest-key': async (clients, connection, context, keyLabel) => {
    const answer = await clients.rest(
      { connection, operation: 'GetCredits', subject: 'balance', fields: {}, keyLabel },
      context,
    );
    if (!answer.ok) return answer;
    const { credits = null, used = null, total = null, expiryDate = null } = answer.value.value.balance ?? {};
    return describe('rest-key', answer.value, { credits, used, total, expiryDate });
  },
  'soap-account': async (clients, connection, context) => {
    const answer = await clients.soap(
      { connection, operation: 'GetAvailableCredits', subject: 'balance', fields: {} },
      context,
    );
    return answer.ok ? describe('soap-account', answer.value, { credits: answer.value.value.value }) : answer;
  },
  'service-test': async (clients, connection, context) => {
    const answer = await clients.soap(
      { connection, operation: 'ServiceTest', subject: 'service test', fields: {} },
      context,
    );
    // Its wording is not published, so no figure is parsed from it: it is shown whole.
    return answer.ok ? describe('service-test', answer.value, { text: answer.value.value.value }) : answer;
  },
};
