import { type ReactNode, useEffect, useRef } from 'react';
import type { BalanceReading, CreditsOverview } from '../../../shared/domain/credits.ts';
import { formatNumber } from '../../lib/format.ts';
import { capWords } from './caps.ts';
import { CapsForm } from './caps-form.tsx';

export interface CapsPaneProps {
  connectionId: string;
  overview: CreditsOverview;
  editing: boolean;
  onEdit: (editing: boolean) => void;
  /** The figures without the sentences on what they mean. */
  brief?: boolean;
}

/** What may be spent, and how much of it is. */
export function CapsPane({ connectionId, overview, editing, onEdit, brief = false }: CapsPaneProps) {
  const { caps, spentThisRun, spentToday, unsettledToday } = overview;
  const change = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(editing);
  useEffect(() => {
    if (wasEditing.current && !editing) change.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  return (
    <section className="credits-caps" aria-labelledby="credits-caps-title">
      <div className="row between">
        <h2 className="h" id="credits-caps-title">
          Caps
        </h2>
        {!editing && (
          <button type="button" className="link sm" ref={change} onClick={() => onEdit(true)}>
            Change<span className="spoken"> the caps</span>
          </button>
        )}
      </div>
      {editing ? (
        <CapsForm connectionId={connectionId} caps={caps} onDone={() => onEdit(false)} />
      ) : (
        <>
          <SpendCap label={capWords.perDay.label} used={spentToday} cap={caps.perDay} />
          <SpendCap label={capWords.perRun.label} used={spentThisRun} cap={caps.perRun} />
          <Floor floor={caps.floor} balance={newestFigure(overview.readings)} />
        </>
      )}
      {!brief && (
        <div className="col g6 xs t3 credits-caps-notes">
          <p>Checked in this program before anything is sent. A call held back costs nothing.</p>
          <p>
            A call whose price is not published is in no sum, so only the floor can hold it back, once the balance is
            down to it.
          </p>
          {unsettledToday > 0 && <p>Unsettled calls count in full.</p>}
        </div>
      )}
    </section>
  );
}

/** The figure a floor is held against where there is one: the key's, else the account's. */
function newestFigure(readings: readonly BalanceReading[]): number | null {
  const newest = (source: BalanceReading['source']) =>
    readings
      .filter((reading) => reading.source === source && reading.credits !== null)
      .sort((a, b) => b.at.localeCompare(a.at))[0];
  return (newest('rest-key') ?? newest('soap-account'))?.credits ?? null;
}

const Line = ({ label, note, children }: { label: string; note: ReactNode; children?: ReactNode }) => (
  <div className="credits-cap">
    <div className="row between wrap sm g4">
      <span className="m">{label}</span>
      {note}
    </div>
    {children}
  </div>
);

/** Where the bar is, its words stand above it: nothing is told by its length alone. */
const Bar = ({ part, of }: { part: number; of: number }) => (
  <div className="meter" aria-hidden="true">
    <i style={{ width: `${of === 0 ? 100 : Math.min(100, Math.max(0, (part / of) * 100))}%` }} />
  </div>
);

function SpendCap({ label, used, cap }: { label: string; used: number; cap: number | null }) {
  if (cap === null) return <Line label={label} note={<span className="t2">no cap, {formatNumber(used)} spent</span>} />;
  const reached = used >= cap;
  return (
    <Line
      label={label}
      note={
        <span className={reached ? 'warn m' : 't2'}>
          {formatNumber(used)} of {formatNumber(cap)}
          {reached && ', reached'}
        </span>
      }
    >
      <Bar part={used} of={cap} />
    </Line>
  );
}

function Floor({ floor, balance }: { floor: number | null; balance: number | null }) {
  const { label } = capWords.floor;
  if (floor === null) return <Line label={label} note={<span className="t2">no floor</span>} />;
  if (balance === null) {
    return (
      <Line label={label} note={<span className="t2">{formatNumber(floor)}</span>}>
        <p className="xs warn">No balance is read yet, so the floor holds nothing back.</p>
      </Line>
    );
  }
  const reached = balance <= floor;
  return (
    <Line
      label={label}
      note={
        <span className={reached ? 'warn m' : 't2'}>
          {reached
            ? `${formatNumber(floor)}, reached`
            : `${formatNumber(floor)}, ${formatNumber(balance - floor)} above it`}
        </span>
      }
    >
      <Bar part={floor} of={balance} />
    </Line>
  );
}
