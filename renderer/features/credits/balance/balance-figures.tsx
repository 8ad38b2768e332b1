import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import type { BalanceReading, CreditsOverview } from '../../../../shared/domain/credits.ts';
import type { Forecast } from '../../../../shared/domain/credits-history.ts';
import { Failure } from '../../../components/failure.tsx';
import { Age } from '../../../components/state.tsx';
import { about, errorOf } from '../../../lib/calls/errors.ts';
import { countOf, formatAge, formatCredits, formatNumber, formatWhen } from '../../../lib/text/format.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import type { LoadedLedger } from './compare-readings.ts';
import { Figure } from './figure.tsx';
import type { At } from './read-balances.ts';
import { RunOutFigures } from './run-out-figures.tsx';
import { Asking, type AskingProps, OlderKeyFigure, SourceFigure } from './source-figure.tsx';
import { type AskedSource, missingFor } from './sources.ts';

interface BalanceFiguresProps {
  at: At;
  view: ConnectionView;
  overview: CreditsOverview;
  ledger: LoadedLedger;
  forecast: Forecast | undefined;
}

/** What is left by each source, beside each other, and what was sent. */
function BalanceFigures({ at, view, overview, ledger, forecast }: BalanceFiguresProps) {
  const go = useGo();
  const newest = (source: BalanceReading['source']) =>
    overview.readings.filter((reading) => reading.source === source).sort((a, b) => b.at.localeCompare(a.at));
  const [key = null, ...olderKeys] = newest('rest-key');
  const licences = newest('licence');
  const said = newest('service-test')[0] ?? null;
  const isKnown = ({ keyLastFour }: BalanceReading) => view.secrets.some(({ lastFour }) => lastFour === keyLastFour);

  const figure = (source: AskedSource, reading: BalanceReading | null, against: BalanceReading | null) => (
    <SourceFigure
      at={at}
      source={source}
      reading={reading}
      against={against}
      ledger={ledger}
      missing={missingFor(source, view)}
      onSetUp={() => go('connections')}
    />
  );
  return (
    <>
      <div className="figures credits-figures">
        {figure('rest-key', key, null)}
        {olderKeys.map((reading) => (
          <OlderKeyFigure key={`${reading.label} ${reading.keyLastFour}`} reading={reading} known={isKnown(reading)} />
        ))}
        {figure('soap-account', newest('soap-account')[0] ?? null, key)}
        <LicenceFigure readings={licences} onOpen={() => go('licences')} />
        <RunOutFigures forecast={forecast} />
      </div>
      <div className="credits-strip">
        <ServiceTest at={at} said={said} missing={missingFor('service-test', view)} onSetUp={() => go('connections')} />
        <Spent overview={overview} />
      </div>
    </>
  );
}

type ServiceTestProps = Omit<AskingProps, 'source' | 'never'> & { said: BalanceReading | null };

/** The whole answer of ServiceTest, as it came: its wording is not published, so no figure is read out of it. */
function ServiceTest({ said, ...asking }: ServiceTestProps) {
  return (
    <section className="row wrap sm" aria-label="Service test">
      <span className="t2 nowrap">
        Service test
        {said ? (
          <>
            , <Age since={said.at} format={formatWhen} />:
          </>
        ) : (
          ':'
        )}
      </span>
      {said?.text != null && (
        <blockquote className="sel">
          {said.text === '' ? <span className="t3">empty text</span> : `“${said.text}”`}
        </blockquote>
      )}
      {!said && <span className="t3">never read</span>}
      <Asking {...asking} source="service-test" never={said === null} />
    </section>
  );
}

/** Licences each hold their own credits, so their sum is of those that gave a number, and says of how many. */
function LicenceFigure({ readings, onOpen }: { readings: readonly BalanceReading[]; onOpen: () => void }) {
  const oldest = readings.at(-1);
  const figures = readings.flatMap(({ credits }) => (credits === null ? [] : [credits]));
  const silent = readings.length - figures.length;
  const open = (
    <button type="button" className="link" onClick={onOpen}>
      Open Licences
    </button>
  );
  if (!oldest) {
    return (
      <Figure
        label="Licence credits"
        value={<span className="t2">never read</span>}
        note={
          <div className="credits-notes">
            <div>Licences bring their figures when they are read.</div>
            <div>{open}</div>
          </div>
        }
      />
    );
  }
  return (
    <Figure
      label="Licence credits"
      value={
        figures.length === 0 ? (
          <span className="warn">no number given</span>
        ) : (
          formatNumber(figures.reduce((sum, credits) => sum + credits, 0))
        )
      }
      unit={
        figures.length === 0
          ? undefined
          : `in ${formatNumber(figures.length)} of ${countOf(readings.length, 'licence')}`
      }
      note={
        <div className="credits-notes">
          {silent > 0 && <div className="warn">{formatNumber(silent)} gave no number</div>}
          <div>
            {readings.length > 1 && 'oldest '}
            <Age since={oldest.at} format={formatAge} />
          </div>
          <div>{open}</div>
        </div>
      }
    />
  );
}

/** What was sent from this console today, as caps count it. */
function Spent({ overview }: { overview: CreditsOverview }) {
  const { spentThisRun, spentToday, unpricedToday, openToday } = overview;
  return (
    <p className="sm t2">
      Sent by this console today: <span className="m tn">{formatCredits(spentToday)}</span>,{' '}
      {formatNumber(spentThisRun)} since the program started
      {unpricedToday > 0 && `; ${countOf(unpricedToday, 'call')} without a published price`}
      {openToday > 0 && <span className="warn">; {countOf(openToday, 'call')} open</span>}
    </p>
  );
}

interface OverviewFiguresProps extends Pick<BalanceFiguresProps, 'at' | 'view' | 'ledger'> {
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
