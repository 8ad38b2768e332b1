import { formatNumber, formatWhen } from '../../lib/format.ts';

interface TipProps {
  active?: boolean;
  label?: unknown;
  payload?: readonly { name?: unknown; value?: unknown; dataKey?: unknown }[];
  /** How the place on the axis is written; a moment unless given. */
  labelText?: (label: unknown) => string;
}

const valueText = (value: unknown): string =>
  Array.isArray(value) ? value.map((one) => formatNumber(Number(one))).join(' to ') : formatNumber(Number(value));

/** What stands under the pointer. Everything in it is in the table as well. */
export function ChartTip({ active, label, payload = [], labelText }: TipProps) {
  const shown = payload.filter(({ value }) => value !== undefined && value !== null && value !== 0);
  if (!active || shown.length === 0) return null;
  const head = labelText ? labelText(label) : formatWhen(new Date(Number(label)).toISOString());
  return (
    <div className="credits-tip">
      <div className="xs t2">{head}</div>
      {shown.map(({ name, value, dataKey }) => (
        <div key={String(dataKey)} className="row between g12 sm">
          <span>{String(name)}</span>
          <span className="tn m">{valueText(value)}</span>
        </div>
      ))}
    </div>
  );
}
