import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';

/** Whether a key of a connection has these ends: what another was read with, such as the one it replaced, says nothing of it. */
export const isReadWith = (
  { keyLastFour }: Pick<BalanceSample, 'keyLastFour'>,
  secrets: readonly { lastFour: string }[],
): boolean => secrets.some(({ lastFour }) => lastFour === keyLastFour);
