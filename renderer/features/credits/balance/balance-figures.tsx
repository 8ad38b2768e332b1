import type { UseQueryResult } from '@tanstack/react-query';
import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import type { BalanceSample, CreditsOverview, LicenceCredits } from '../../../../shared/domain/credits/credits.ts';
import type { Forecast } from '../../../../shared/domain/credits/credits-history.ts';
import { Age } from '../../../components/elapsed.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import type { ReadableSource } from '../../../lib/calls/ask-balance.ts';
import { isReadWith } from '../../../lib/connection/is-read-with.ts';
import { countOf, formatAge, formatNumber, formatWhen } from '../../../lib/text/format.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import type { LoadedLedger } from './compare-samples.ts';
import { Figure } from './figure.tsx';
import type { At } from './read-balances.ts';
import { RunOutFigures } from './run-out-figures.tsx';
import { Asking, OlderKeyFigure, SourceFigure } from './source-figure.tsx';
import { missingFor } from './sources.ts';

interface BalanceFiguresProps {
  at: At;
  view: ConnectionView;
  overview: CreditsOverview;
  ledger: LoadedLedger;
  forecast: Forecast | undefined;
}

/** What is left by each source, side by side, and what was sent. */
function BalanceFigures({ at, view, overview, ledger, forecast }: BalanceFiguresProps) {
  const go = useGo();
  const newest = (source: BalanceSample['source']) =>
    overview.samples.filter((sample) => sample.source === source).sort((a, b) => b.at.localeCompare(a.at));
  const byKey = newest('rest-key');
  const key = byKey.find((sample) => isReadWith(sample, view.secrets)) ?? null;
  const olderKeys = byKey.filter((sample) => sample !== key);

  const figure = (source: ReadableSource, sample: BalanceSample | null, against: BalanceSample | null) => (
    <SourceFigure
      at={at}
      view={view}
      source={source}
      sample={sample}
      against={against}
      ledger={ledger}
      missing={missingFor(source, view)}
    />
  );
  return (
    <div className="figures credits-figures">
      {figure('rest-key', key, null)}
      {olderKeys.map((sample) => (
        <OlderKeyFigure
          key={`${sample.label} ${sample.keyLastFour}`}
          sample={sample}
          known={isReadWith(sample, view.secrets)}
        />
      ))}
      {figure('soap-account', newest('soap-account')[0] ?? null, key)}
      <LicenceFigure read={overview.licences} onOpen={() => go('licences')} />
      <RunOutFigures forecast={forecast} />
    </div>
  );
}

/** The whole answer of ServiceTest, as it came: its wording is not published, so no figure is parsed from it. */
export function ServiceTest({ at, view, overview }: Pick<BalanceFiguresProps, 'at' | 'view' | 'overview'>) {
  const said =
    overview.samples.filter(({ source }) => source === 'service-test').sort((a, b) => b.at.localeCompare(a.at))[0] ??
    null;
  return (
    <section className="credits-service-test" aria-label="Service test">
      <h2 className="h">Service test</h2>
      <p className="sm t2">
        Asks the service to report on itself. {said ? <Age since={said.at} format={formatWhen} /> : 'Not asked yet.'}
      </p>
      {said?.text != null && (
        <blockquote className="sel sm">
          {said.text === '' ? <span className="t3">empty text</span> : `“${said.text}”`}
        </blockquote>
      )}
      <div className="row wrap">
        <Asking
          at={at}
          view={view}
          missing={missingFor('service-test', view)}
          source="service-test"
          never={said === null}
        />
      </div>
    </section>
  );
}

/** Each licence holds its own credits, so the sum is over those that sent a number, and only one, and says how many. */
export function LicenceFigure({ read, onOpen }: { read: LicenceCredits | null; onOpen: () => void }) {
  const open = (
    <button type="button" className="link" onClick={onOpen}>
      Open Licences
    </button>
  );
  if (!read) {
    return (
      <Figure
        label="Licence credits"
        value={<span className="t2">not known yet</span>}
        note={
          <div className="credits-notes">
            <div>Read with the licences.</div>
            <div>{open}</div>
          </div>
        }
      />
    );
  }
  const none = read.differing === 0 ? 'no number given' : 'no single number given';
  const silent = read.licences - read.figures - read.differing;
  return (
    <Figure
      label="Licence credits"
      value={read.figures === 0 ? <span className="warn">{none}</span> : formatNumber(read.credits)}
      unit={read.figures === 0 ? undefined : read.credits === 1 ? 'credit' : 'credits'}
      note={
        <div className="credits-notes">
          <div>
            {`in ${formatNumber(read.figures)} of ${countOf(read.licences, 'licence')}`},{' '}
            <Age since={read.readAt} format={formatAge} />
          </div>
          <div>
            {silent > 0 && <span className="warn">{formatNumber(silent)} gave no number. </span>}
            {read.differing > 0 && <span className="warn">Records of {formatNumber(read.differing)} differ. </span>}
            {open}
          </div>
        </div>
      }
    />
  );
}

interface OverviewFiguresProps extends Pick<BalanceFiguresProps, 'at' | 'view' | 'ledger'> {
  overview: UseQueryResult<CreditsOverview>;
  forecast: UseQueryResult<Forecast>;
}

/** What is left and how long it lasts, or why that could not be worked out. */
export function OverviewFigures({ at, view, ledger, overview, forecast }: OverviewFiguresProps) {
  return (
    <>
      {overview.data && (
        <BalanceFigures at={at} view={view} overview={overview.data} ledger={ledger} forecast={forecast.data} />
      )}
      {overview.error && (
        <div className="credits-failures">
          <ReadFailure of={overview} subject="Figures not read" />
        </div>
      )}
      {forecast.error && (
        <div className="credits-failures">
          <ReadFailure of={forecast} subject="Forecast not made" />
        </div>
      )}
    </>
  );
}
