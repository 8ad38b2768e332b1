import type { Alert } from '../../../../shared/domain/credits/credits-history.ts';
import { countOf, formatCredits, formatNumber } from '../../../lib/text/format.ts';

export const wordsOf = ({ kind, threshold }: Alert): string => {
  switch (kind) {
    case 'below-credits':
      return `Balance falls below ${formatNumber(threshold)}`;
    case 'below-percent':
      return `Balance falls below ${formatNumber(threshold)} % of the total, or of the last top-up`;
    case 'days-left':
      return `${countOf(threshold, 'day')} left or fewer`;
    case 'unexplained':
      return threshold <= 1
        ? 'Any fall that is not explained'
        : `A fall that is not explained, of ${formatCredits(threshold)} or more`;
  }
};

/** For the notice of its failure. */
export const addingAlert = (alert: Alert): string => `Adding the alert “${wordsOf(alert)}”`;
