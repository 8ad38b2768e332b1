import type { ChannelInput } from '../../../shared/contract.ts';
import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { call } from './bridge.ts';
import { CallError } from './errors.ts';

/** The sources that can be read one by one; licence figures come with the licences. */
export type ReadableSource = ChannelInput<'credits.read-balances'>['sources'][number];

/** Asks one source for its balance. Rejects with the failure of that reading, which main reports beside those of other sources. */
export async function askBalance(
  connectionId: string,
  source: ReadableSource,
  requestId: string,
): Promise<readonly BalanceSample[]> {
  const { samples, failures } = await call('credits.read-balances', { connectionId, sources: [source] }, { requestId });
  const [failure] = failures;
  if (failure) throw new CallError(failure.error as AppError);
  return samples;
}
