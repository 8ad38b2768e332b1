import { useQuery } from '@tanstack/react-query';
import type { BalanceSample, CreditsOverview } from '../../../shared/domain/credits/credits.ts';
import { creditsOverviewQuery } from '../../lib/calls/queries.ts';
import type { ChipBalance } from './top-bar.tsx';

const sourceText: Record<BalanceSample['source'], (label: string) => string> = {
  'rest-key': (label) => `${label} key`,
  'soap-account': (label) => `SOAP, ${label}`,
  'service-test': () => 'service test',
  licence: (label) => `licence ${label}`,
};

/** The figure of the balance chip: the newest of the key's readings, else of those over SOAP, else of the service test's; never a mixture. */
function balanceOf(overview: CreditsOverview): ChipBalance | null {
  const newest = (source: BalanceSample['source']) =>
    overview.samples
      .filter((sample) => sample.source === source && sample.credits !== null)
      .sort((a, b) => b.at.localeCompare(a.at))[0];
  const sample = newest('rest-key') ?? newest('soap-account') ?? newest('service-test');
  if (!sample || sample.credits === null) return null;
  return { credits: sample.credits, source: sourceText[sample.source](sample.label), at: sample.at };
}

/** The balance of the connection in use, as last read; null: no source has a figure; undefined: not known. */
export function useBalance(connectionId: string | null): ChipBalance | null | undefined {
  const { data } = useQuery({ ...creditsOverviewQuery(connectionId ?? ''), enabled: connectionId !== null });
  return data && balanceOf(data);
}
