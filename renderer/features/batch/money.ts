import { useQuery } from '@tanstack/react-query';
import type { Batch } from '../../../shared/domain/batch.ts';
import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import { connectionsQuery, creditsOverviewQuery } from '../../lib/calls/queries.ts';
import { firstKey } from '../../lib/connection/first-key.ts';
import { formatCredits } from '../../lib/text/format.ts';

/** A key that can pay for lookups. */
interface PayingKey {
  label: string;
  lastFour: string;
  preferred: boolean;
  /** Its balance as it was last read; null: never, or no number came. */
  sample: (BalanceSample & { credits: number }) | null;
}

/** The lookup keys of a connection with their last balances. Makes no network call. */
export function usePayingKeys(connectionId: string): readonly PayingKey[] {
  const { data: list } = useQuery(connectionsQuery());
  const { data: overview } = useQuery(creditsOverviewQuery(connectionId));
  const secrets = list?.connections.find(({ connection }) => connection.id === connectionId)?.secrets ?? [];
  return secrets
    .filter(({ role }) => role === 'lookup-key')
    .map(({ label, lastFour, preferred }) => ({
      label,
      lastFour,
      preferred,
      sample: newestOf(overview?.samples ?? [], label, lastFour),
    }));
}

function newestOf(samples: readonly BalanceSample[], label: string, lastFour: string): PayingKey['sample'] {
  const own = samples
    .filter((one) => one.source === 'rest-key' && one.label === label && one.keyLastFour === lastFour)
    .sort((a, b) => b.at.localeCompare(a.at))[0];
  return own && own.credits !== null ? { ...own, credits: own.credits } : null;
}

/** The key that a label names; null names the preferred one. Of a label that no key has any more none: no other may stand for it. */
export const keyNamed = (keys: readonly PayingKey[], label: string | null): PayingKey | null =>
  (label === null ? firstKey(keys) : keys.find((key) => key.label === label)) ?? null;

/** Entries of a field to choose a key in: "Back office ••91c0, 1,920 credits". */
export const keyOptions = (keys: readonly PayingKey[], withBalance: boolean): { value: string; label: string }[] =>
  keys.map(({ label, lastFour, sample }) => ({
    value: label,
    label: withBalance ? `${label} ••${lastFour}${sample ? `, ${formatCredits(sample.credits)}` : ''}` : label,
  }));

/** Seconds that the calls of a batch take at a rate, at the most. */
export const secondsAt = (calls: number, rate: number): number => calls / Math.max(0.1, rate);

/** Credits that the limit still leaves; null: what it counts could not be read. */
export const roomIn = ({ credits }: Batch, limit: number): number | null =>
  credits.counted === null ? null : Math.max(0, limit - credits.counted);

/** Whether a limit has no room for the rows that are left; those that are published as free need none. */
export const isLimitReached = (batch: Batch, limit: number): boolean =>
  roomIn(batch, limit) === 0 && (batch.left.credits?.most ?? 0) > 0;
