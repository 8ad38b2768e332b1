import { useQuery } from '@tanstack/react-query';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { BalanceSample, CreditsOverview } from '../../../shared/domain/credits/credits.ts';
import { creditsOverviewQuery } from '../../lib/calls/queries.ts';
import { isReadWith } from '../../lib/connection/is-read-with.ts';
import type { ChipBalance } from './top-bar.tsx';

const sourceText: Record<BalanceSample['source'], (label: string) => string> = {
  'rest-key': (label) => `${label} key`,
  'soap-account': (label) => `SOAP, ${label}`,
  'service-test': () => 'service test',
  licence: (label) => `licence ${label}`,
};

/**
 * The figure of the balance chip: the newest reading with a key that the connection has, else of those over SOAP, else of the service
 * test’s; never a mixture.
 */
function balanceOf({ samples }: CreditsOverview, { secrets }: ConnectionView): ChipBalance | null {
  const newest = (source: BalanceSample['source']) =>
    samples
      .filter((sample) => sample.source === source && sample.credits !== null)
      .filter((sample) => source !== 'rest-key' || isReadWith(sample, secrets))
      .sort((a, b) => b.at.localeCompare(a.at))[0];
  const sample = newest('rest-key') ?? newest('soap-account') ?? newest('service-test');
  if (!sample || sample.credits === null) return null;
  return { credits: sample.credits, source: sourceText[sample.source](sample.label), at: sample.at };
}

/** The balance of the connection in use, as last read; null: no source has a figure; undefined: not known. */
export function useBalance(view: ConnectionView | null): ChipBalance | null | undefined {
  const { data } = useQuery({ ...creditsOverviewQuery(view?.connection.id ?? ''), enabled: view !== null });
  return data && view ? balanceOf(data, view) : undefined;
}
