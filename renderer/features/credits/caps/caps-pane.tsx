import { type ReactNode, useEffect, useRef } from 'react';
import type { BalanceSample, CreditsOverview } from '../../../../shared/domain/credits/credits.ts';
import { formatNumber } from '../../../lib/text/format.ts';
import { type CapName, capLabels } from './caps.ts';
import { CapsForm } from './caps-form.tsx';

interface CapsPaneProps {
  connectionId: string;
  overview: CreditsOverview;
  editing: boolean;
  onEdit: (editing: boolean) => void;
  /** The figures without the sentences on what they mean. */
  brief?: boolean;
}

/** What may be spent, and how much of it is. */
export function CapsPane({ connectionId, overview, editing, onEdit, brief = false }: CapsPaneProps) {
  const { caps, spentThisRun, spentToday, openToday } = overview;
  const change = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(editing);
  useEffect(() => {
    if (wasEditing.current && !editing) change.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  const open = openToday > 0 ? `, ${formatNumber(openToday)} of today’s calls open` : '';
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
          <SpendCap name="perDay" used={spentToday} cap={caps.perDay} more={open} brief={brief} />
          <SpendCap name="perRun" used={spentThisRun} cap={caps.perRun} brief={brief} />
          <MinimumBalance least={caps.floor} balance={newestFigure(overview.samples)} brief={brief} />
        </>
      )}
      <div className="col g6 xs t3 credits-caps-notes">
        {brief ? (
          <p>Caps count what was sent, not what the service books.</p>
        ) : (
          <p>
            Caps are checked in this program before anything is sent. They follow the key: calls of another connection
            with the same key count as well.
          </p>
        )}
      </div>
    </section>
  );
}

/** The figure that a minimum balance is compared with, where there is one: the key's, else the account's. */
export function newestFigure(samples: readonly BalanceSample[]): number | null {
  const newest = (source: BalanceSample['source']) =>
    samples
      .filter((sample) => sample.source === source && sample.credits !== null)
      .sort((a, b) => b.at.localeCompare(a.at))[0];
  return (newest('rest-key') ?? newest('soap-account'))?.credits ?? null;
}

interface LineProps {
  name: CapName;
  note: ReactNode;
  brief: boolean;
  children?: ReactNode;
}

const Line = ({ name, note, brief, children }: LineProps) => (
  <div className="credits-cap">
    <div className={brief ? 'row between wrap sm g4' : 'credits-cap-head'}>
      <span className="m">{capLabels[name].label}</span>
      {note}
    </div>
    {children}
    {!brief && <p className="xs t3">{capLabels[name].note}</p>}
  </div>
);

/** Where the bar is, its words stand above it: nothing is told by its length alone. */
const Bar = ({ part, of }: { part: number; of: number }) => (
  <div className="meter" aria-hidden="true">
    <i style={{ width: `${of === 0 ? 100 : Math.min(100, Math.max(0, (part / of) * 100))}%` }} />
  </div>
);

interface SpendCapProps {
  name: CapName;
  used: number;
  cap: number | null;
  more?: string;
  brief: boolean;
}

function SpendCap({ name, used, cap, more = '', brief }: SpendCapProps) {
  if (cap === null)
    return (
      <Line
        name={name}
        brief={brief}
        note={
          <span className="t2">
            no cap, {formatNumber(used)} sent{more}
          </span>
        }
      />
    );
  const reached = used >= cap;
  return (
    <Line
      name={name}
      brief={brief}
      note={
        <span className={reached ? 'warn m' : 't2'}>
          <b className="credits-cap-figure">{formatNumber(used)}</b> of {formatNumber(cap)}
          {!brief && ' credits'}
          {reached && ', reached'}
          {more}
        </span>
      }
    >
      <Bar part={used} of={cap} />
    </Line>
  );
}

function MinimumBalance({ least, balance, brief }: { least: number | null; balance: number | null; brief: boolean }) {
  if (least === null) return <Line name="floor" brief={brief} note={<span className="t2">none</span>} />;
  if (balance === null) {
    return (
      <Line name="floor" brief={brief} note={<span className="t2">{formatNumber(least)}</span>}>
        <p className="xs warn">No balance is read yet, so no paid call is sent.</p>
      </Line>
    );
  }
  const reached = balance <= least;
  return (
    <Line
      name="floor"
      brief={brief}
      note={
        <span className={reached ? 'warn m' : 't2'}>
          {reached
            ? `${formatNumber(least)}, reached`
            : `${formatNumber(least)}, last reading ${formatNumber(balance - least)} above it`}
        </span>
      }
    >
      <Bar part={least} of={balance} />
    </Line>
  );
}
