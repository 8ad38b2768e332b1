import type { Forecast, RunOut } from '../../../../shared/domain/credits/credits-history.ts';
import {
  countOf,
  dayMonth,
  formatCredits,
  formatDate,
  formatNumber,
  formatRate,
  formatWhen,
  formatWhole,
} from '../../../lib/text/format.ts';
import { Figure } from './figure.tsx';

/** "10 Jan", with the year if it is more than eleven months away, on either side. */
export function shortDay(day: string): string {
  const at = new Date(`${day}T00:00:00`);
  return Math.abs(at.getTime() - Date.now()) < 330 * 86_400_000 ? dayMonth.format(at) : formatDate(day);
}

/** When credits run out, as a range, at this console's rate and at the account's. */
export function RunOutFigures({ forecast }: { forecast: Forecast | undefined }) {
  return (
    <>
      <RunOutFigure label="Lasts to, console’s rate" forecast={forecast} runOut={forecast?.console ?? null} />
      <RunOutFigure label="Lasts to, account’s rate" forecast={forecast} runOut={forecast?.account ?? null} />
    </>
  );
}

interface RunOutFigureProps<R extends RunOut | null> {
  label: string;
  forecast: Forecast | undefined;
  runOut: R;
}

function RunOutFigure({ label, forecast, runOut }: RunOutFigureProps<RunOut | null>) {
  const expires = forecast?.expires ?? null;
  const quiet = (value: string, note?: string) => (
    <Figure label={label} value={<span className="t2">{value}</span>} {...(note === undefined ? {} : { note })} />
  );
  const unlessExpired = expires === null ? '' : `; expire ${shortDay(expires)}`;
  if (forecast === undefined) return quiet('not worked out');
  if (runOut === null) return quiet('not known yet', 'no balance is known');
  switch (runOut.kind) {
    case 'expired':
      return (
        <Figure
          label={label}
          value={<span className="warn">expired</span>}
          note={`${shortDay(runOut.on)}, by the date that came with the last reading`}
        />
      );
    case 'not-enough-data':
      return quiet('not known yet', `${countOf(runOut.days, 'whole day')} known; three are needed${unlessExpired}`);
    case 'nothing-spent':
      return quiet('not in sight', `${nothingSpentText(runOut.days, forecast.unpriced)}${unlessExpired}`);
    case 'runs-out':
      return <RunsOut label={label} forecast={forecast} runOut={runOut} />;
  }
}

/** Of what was spent in so many days, with the calls that it leaves out. */
export const nothingSpentText = (days: number, unpriced: number): string =>
  unpriced === 0
    ? `nothing spent in ${countOf(days, 'day')}`
    : `no cost known in ${countOf(days, 'day')}, ${countOf(unpriced, 'call')} of unknown cost`;

type RunsOutOf = Extract<RunOut, { kind: 'runs-out' }>;

function RunsOut({ label, forecast, runOut }: RunOutFigureProps<RunsOutOf>) {
  const expires = forecast?.expires ?? null;
  const from = forecast?.from;
  const { likely, perDay, days, unused, noRange } = runOut;
  return (
    <Figure
      label={label}
      value={runOutText(runOut, expires)}
      note={
        <div className="credits-notes">
          <div title={from ? startText(from) : undefined}>
            {formatRate(perDay)}, last {countOf(days, 'day')}
            {likely !== null && noRange === null && `; likely ${shortDay(likely)}`}
          </div>
          {forecast !== undefined && forecast.unpriced > 0 && (
            <div>{countOf(forecast.unpriced, 'call')} of unknown cost not counted</div>
          )}
          {noRange !== null && <div className={noRange === 'changing' ? 'warn' : undefined}>{noRangeText(runOut)}</div>}
          {unused && unused.most > 0 && expires !== null && (
            <div className="warn">
              {formatWhole(unused.least) === formatWhole(unused.most)
                ? formatWhole(unused.likely)
                : `${formatWhole(unused.least)} to ${formatWhole(unused.most)}`}{' '}
              expire unused {shortDay(expires)}
            </div>
          )}
        </div>
      }
    />
  );
}

/** "from 4,000 read 20 Oct 09:12, less 2,800 spent since": what the days are counted from. */
function startText({ credits, at, spentSince }: NonNullable<Forecast['from']>): string {
  const since = spentSince > 0 ? `, less ${formatNumber(spentSince)} spent since` : '';
  return `from ${formatNumber(credits)} read ${formatWhen(at)}${since}`;
}

/** Why there is only a likely day and no range. */
function noRangeText({ noRange, days, lately }: RunsOutOf): string {
  if (noRange === 'few-days') return `No range: ${countOf(days, 'whole day')} known; 21 are needed.`;
  return `No range: spending is changing. The last 7 days cost ${formatRate(lately ?? 0)}.`;
}

function runOutText({ earliest, likely, latest, noRange }: RunsOutOf, expires: string | null): string {
  const never = expires === null ? 'not in ten years' : 'not before they expire';
  if (noRange !== null) return likely === null ? never : `about ${shortDay(likely)}`;
  if (earliest === null) return never;
  if (latest === null) return `${shortDay(earliest)} at the earliest`;
  return earliest === latest ? shortDay(earliest) : `${shortDay(earliest)}–${shortDay(latest)}`;
}

/** How the forecast is made, in the words of the rule itself. */
export function ForecastMethod({ forecast }: { forecast: Forecast | undefined }) {
  if (!forecast?.from || (forecast.console?.kind !== 'runs-out' && forecast.account?.kind !== 'runs-out')) return null;
  const { credits, label, at, spentSince } = forecast.from;
  return (
    <details className="credits-method">
      <summary>How this is forecast</summary>
      <p>
        From {formatCredits(credits)} by {label}, read {formatWhen(at)}
        {spentSince > 0 && `, less ${formatCredits(spentSince)} that this console spent since`}. The last 28 whole days
        count, or as many as there are; with fewer than three days there is no forecast. Top-ups are not counted as
        spending. From 14 days on each day ahead is expected to cost the mean of its weekday. From 21 days on there is a
        range, which holds four outcomes in five if days go on as they were. Where spending rises or falls over the days
        seen, no range is given. The account’s rate counts what no call of this console explains, shared out over the
        time in which it happened; after the last reading it is taken to go on.
      </p>
    </details>
  );
}
