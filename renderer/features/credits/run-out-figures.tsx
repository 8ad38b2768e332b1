import type { Forecast, RunOut } from '../../../shared/domain/credits-history.ts';
import { Figure } from '../../components/figure.tsx';
import { countOf, formatDate, formatNumber } from '../../lib/format.ts';

const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** "10 Jan", with the year where it is not one of the next eleven months. */
function shortDay(day: string): string {
  const at = new Date(`${day}T00:00:00`);
  return at.getTime() - Date.now() < 330 * 86_400_000 ? dayMonth.format(at) : formatDate(day);
}

/** When credits run out, as a range, at this console's rate and at the account's. */
export function RunOutFigures({ forecast }: { forecast: Forecast | undefined }) {
  return (
    <>
      <RunOutFigure
        label="Runs out, this console’s rate"
        runOut={forecast?.console ?? null}
        expires={forecast?.expires ?? null}
      />
      <RunOutFigure
        label="Runs out, account’s rate"
        runOut={forecast?.account ?? null}
        expires={forecast?.expires ?? null}
      />
    </>
  );
}

function RunOutFigure({ label, runOut, expires }: { label: string; runOut: RunOut | null; expires: string | null }) {
  if (runOut === null) return <Figure label={label} value={<span className="t2">no balance read</span>} />;
  if (runOut.kind === 'not-enough-data') {
    return (
      <Figure
        label={label}
        value={<span className="t2">not enough data</span>}
        note={`${countOf(runOut.days, 'whole day')} known; three are needed`}
      />
    );
  }
  if (runOut.kind === 'nothing-spent') {
    return (
      <Figure
        label={label}
        value={<span className="t2">not in sight</span>}
        note={`nothing spent in ${countOf(runOut.days, 'day')}`}
      />
    );
  }
  const { earliest, likely, latest, perDay, days, unused } = runOut;
  const lost = unused && unused.most > 0 && expires !== null;
  return (
    <Figure
      label={label}
      value={rangeText(earliest, latest, expires)}
      note={
        <div className="credits-notes">
          <div>
            {formatNumber(perDay)} {perDay === 1 ? 'credit' : 'credits'} a day, last {countOf(days, 'day')}
            {likely !== null && `; likely ${shortDay(likely)}`}
          </div>
          {lost && (
            <div className="warn">
              {unused.least === unused.most
                ? formatNumber(unused.likely)
                : `${formatNumber(unused.least)} to ${formatNumber(unused.most)}`}{' '}
              expire unused {shortDay(expires)}
            </div>
          )}
        </div>
      }
    />
  );
}

function rangeText(earliest: string | null, latest: string | null, expires: string | null): string {
  if (earliest === null) return expires === null ? 'not in ten years' : 'not before they expire';
  if (latest === null) return `${shortDay(earliest)} at the earliest`;
  return earliest === latest ? shortDay(earliest) : `${shortDay(earliest)}–${shortDay(latest)}`;
}

/** How the forecast is made, in the words of the rule itself. */
export function ForecastMethod({ forecast }: { forecast: Forecast | undefined }) {
  const ranges = [forecast?.console, forecast?.account].filter((one) => one?.kind === 'range');
  if (!forecast?.from || ranges.length === 0) return null;
  const byWeekday = ranges.some((one) => one?.kind === 'range' && one.byWeekday);
  return (
    <details className="credits-method">
      <summary>How this is forecast</summary>
      <p>
        From {formatNumber(forecast.from.credits)} credits by {forecast.from.label}. The last 28 whole days count, or as
        many as there are; under three nothing is said. Credits that came in are no spend.{' '}
        {byWeekday
          ? 'Each day ahead is expected to cost the mean of its weekday.'
          : 'Each day ahead is expected to cost the mean of all days, until each weekday was seen twice.'}{' '}
        The range holds four outcomes in five if days go on as they were. The account’s rate counts what no call of this
        console explains, shared out over the time in which it happened.
      </p>
    </details>
  );
}
