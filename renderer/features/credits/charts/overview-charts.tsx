import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { CreditsOverview } from '../../../../shared/domain/credits/credits.ts';
import type { Forecast, SpendGrouping } from '../../../../shared/domain/credits/credits-history.ts';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { EmptyState } from '../../../components/state.tsx';
import { formatNumber } from '../../../lib/text/format.ts';
import { MadeUpNote } from '../made-up-note.tsx';
import { alertsQuery, historyQuery, type Range } from '../queries.ts';
import { BalanceChart } from './balance-chart.tsx';
import { SpendChart } from './spend-chart.tsx';

interface OverviewChartsProps {
  connectionId: string;
  overview: CreditsOverview | undefined;
  forecast: Forecast | undefined;
  range: Range;
  onChoose: (range: Range) => void;
}

/** Balance and spend over the range, side by side. */
export function OverviewCharts({ connectionId, overview, forecast, range, onChoose }: OverviewChartsProps) {
  const [by, setBy] = useState<SpendGrouping>('key');
  const history = useQuery(historyQuery(connectionId, range, by));
  const alerts = useQuery(alertsQuery(connectionId));
  const floor = overview?.caps.floor ?? null;
  const thresholds = useMemo(
    () => [
      ...(alerts.data?.alerts ?? [])
        .filter(({ kind }) => kind === 'below-credits')
        .map(({ threshold }) => ({
          credits: threshold,
          name: `alert ${formatNumber(threshold)}`,
          tone: 'warn' as const,
        })),
      ...(floor === null
        ? []
        : [{ credits: floor, name: `minimum balance ${formatNumber(floor)}`, tone: 'danger' as const }]),
    ],
    [alerts.data, floor],
  );
  if (history.error && !history.data) {
    return (
      <div className="pad">
        <ReadFailure of={history} subject="History not read" />
      </div>
    );
  }
  if (!history.data) {
    return (
      <p className="pad sm t3" aria-busy="true">
        Reading the history…
      </p>
    );
  }
  if (history.data.since === null) {
    return (
      <EmptyState title="No history yet">
        Balances and spending will be drawn here from now on. The service is not asked anything for this.
      </EmptyState>
    );
  }
  const { elsewhere, madeUp } = history.data;
  return (
    <div className="credits-charts">
      <BalanceChart history={history.data} forecast={forecast} thresholds={thresholds} onBrush={onChoose} />
      <SpendChart history={history.data} by={by} reading={history.isPlaceholderData} onBy={setBy} />
      {elsewhere && (
        <p className="credits-made-up xs t2">
          Readings from a server to which this connection no longer leads may be of another balance and are not drawn.
          An export of the readings has them, each with its server.
        </p>
      )}
      {madeUp && <MadeUpNote until={madeUp.until} />}
    </div>
  );
}
