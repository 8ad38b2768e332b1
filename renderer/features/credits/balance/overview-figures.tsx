import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { CreditsOverview } from '../../../../shared/domain/credits.ts';
import type { Forecast } from '../../../../shared/domain/credits-history.ts';
import { Failure } from '../../../components/failure.tsx';
import { about, errorOf } from '../../../lib/calls/errors.ts';
import { BalanceFigures, type BalanceFiguresProps } from './balance-figures.tsx';

export interface OverviewFiguresProps extends Pick<BalanceFiguresProps, 'at' | 'view' | 'ledger'> {
  overview: UseQueryResult<CreditsOverview>;
  forecast: UseQueryResult<Forecast>;
}

/** What is left and how long it lasts, or why that could not be made out. */
export function OverviewFigures({ at, view, ledger, overview, forecast }: OverviewFiguresProps) {
  return (
    <>
      {overview.data && (
        <BalanceFigures at={at} view={view} overview={overview.data} ledger={ledger} forecast={forecast.data} />
      )}
      {overview.error && (
        <div className="credits-failures">
          <Failure
            error={about('Figures not read', errorOf(overview.error))}
            actions={
              <Button loading={overview.isFetching} onClick={() => void overview.refetch()}>
                Read the figures again
              </Button>
            }
          />
        </div>
      )}
      {forecast.error && (
        <div className="credits-failures">
          <Failure error={about('Forecast not made', errorOf(forecast.error))} />
        </div>
      )}
    </>
  );
}
