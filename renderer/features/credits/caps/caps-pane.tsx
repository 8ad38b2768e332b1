import { type ReactNode, useEffect, useRef } from 'react';
import type { CapCount, CapSource, CreditsOverview } from '../../../../shared/domain/credits/credits.ts';
import { formatCredits, formatNumber, formatWhen } from '../../../lib/text/format.ts';
import { CapForm } from './cap-form.tsx';
import { type CapName, capLabels, sourceText } from './caps.ts';

interface CapsPaneProps {
  connectionId: string;
  overview: CreditsOverview;
  /** The one that is being changed; null: none. */
  editing: CapName | null;
  onEdit: (editing: CapName | null) => void;
  /** The figures without the sentences on what they mean. */
  brief: boolean;
}

/** What may be spent, and how much of it has been. */
export function CapsPane({ connectionId, overview, editing, onEdit, brief }: CapsPaneProps) {
  const { caps, counts } = overview;
  const line: Line = (name, note, bar, aside = null, source = null) => (
    <CapLine
      name={name}
      brief={brief}
      note={note}
      aside={aside}
      source={source}
      editing={editing === name}
      onEdit={onEdit}
    >
      {editing === name ? (
        <CapForm connectionId={connectionId} name={name} caps={caps} onDone={() => onEdit(null)} />
      ) : (
        bar
      )}
    </CapLine>
  );
  return (
    <section className="credits-caps" aria-labelledby="credits-caps-title">
      <div className="row between">
        <h2 className="h" id="credits-caps-title">
          Caps
        </h2>
        {brief && (
          <button type="button" className="link sm" onClick={() => onEdit('perDay')}>
            Change<span className="spoken"> the caps</span>
          </button>
        )}
      </div>
      {(['perDay', 'perRun'] as const).map((name) => {
        const count = counts[name];
        return (
          <div key={name}>
            {line(
              name,
              <Spent count={count} brief={brief} />,
              <SpendBar count={count} />,
              openText(count),
              count.source,
            )}
          </div>
        );
      })}
      <MinimumBalance
        least={caps.floor}
        source={overview.floorSource}
        figure={overview.compared}
        brief={brief}
        line={line}
      />
      {!brief && overview.sharedCaps.length > 0 && <SharedCaps shared={overview.sharedCaps} />}
      <div className="col g6 xs t3 credits-caps-notes">
        {brief ? (
          <p>
            Caps count every paid call sent, unless a reading of its balance shows no fall, and not what the service
            books.
          </p>
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

const openText = ({ cap, open }: CapCount): string | null =>
  cap !== null && open > 0 ? `${formatNumber(open)} of them still open` : null;

type Line = (name: CapName, note: ReactNode, bar: ReactNode, aside?: ReactNode, source?: CapSource | null) => ReactNode;

interface CapLineProps {
  name: CapName;
  note: ReactNode;
  /** At the right, before the button that changes it. */
  aside: ReactNode;
  /** Who set it; null: nobody has. */
  source: CapSource | null;
  brief: boolean;
  editing: boolean;
  onEdit: (editing: CapName | null) => void;
  children?: ReactNode;
}

/** One cap: its figure, its bar, one sentence of what counts. */
function CapLine({ name, note, aside, source, brief, editing, onEdit, children }: CapLineProps) {
  const { label, change: words, note: counts } = capLabels[name];
  const change = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(editing);
  useEffect(() => {
    if (wasEditing.current && !editing) change.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  return (
    <div className="credits-cap">
      <div className={brief ? 'row between wrap sm g4' : 'credits-cap-head'}>
        <span className="m">{label}</span>
        {note}
        {!brief && (
          <span className="row g12 sm t2">
            {aside}
            {!editing && (
              <button type="button" className="link" ref={change} onClick={() => onEdit(name)}>
                Change<span className="spoken"> {words}</span>
              </button>
            )}
          </span>
        )}
      </div>
      {children}
      {!brief && (
        <p className="xs t2">
          {counts} {source && <span className="t3">{sourceText(source)}</span>}
        </p>
      )}
    </div>
  );
}

/** How much of a cap is used, as a text with all that the bar below shows. */
function Spent({ count: { cap, counted, source }, brief }: { count: CapCount; brief: boolean }) {
  if (cap === null) return <span className="t2">no cap, {formatCredits(counted)} counted</span>;
  const reached = counted >= cap;
  return (
    <span className={reached ? 'warn m' : 't2'}>
      <b className="credits-cap-figure">{formatNumber(counted)}</b> of {formatNumber(cap)}
      {!brief && ' credits'}
      {reached && ', reached'}
      {source?.kind === 'policy' && !brief && ', of all connections'}
    </span>
  );
}

const share = (part: number, of: number): number => (of === 0 ? 100 : Math.min(100, Math.max(0, (part / of) * 100)));

/** Filled: sent. Hatched: the part of it of which a charge may still come. */
function SpendBar({ count: { cap, counted, open } }: { count: CapCount }) {
  if (cap === null) return null;
  return (
    <div className="meter thick" aria-hidden="true">
      <i style={{ width: `${share(counted - open, cap)}%` }} />
      <i className="hatched" style={{ width: `${share(counted, cap) - share(counted - open, cap)}%` }} />
    </div>
  );
}

interface MinimumBalanceProps {
  least: number | null;
  source: CapSource | null;
  figure: CreditsOverview['compared'];
  brief: boolean;
  line: Line;
}

function MinimumBalance({ least, source, figure, brief, line }: MinimumBalanceProps) {
  if (least === null) return line('floor', <span className="t2">none</span>, null);
  if (figure === null)
    return line(
      'floor',
      <span className="t2">{formatNumber(least)}</span>,
      <p className="xs warn">
        This connection has read no figure of this balance. Until one is read, no paid call that draws on it is sent.
      </p>,
      null,
      source,
    );
  const { credits: balance, at } = figure;
  const reached = balance <= least;
  // A little more than the larger of the two, so that neither is at the very end of the bar.
  const whole = Math.max(balance, least) * 1.04;
  return line(
    'floor',
    <span className={reached ? 'warn m' : 't2'}>
      <b className="credits-cap-figure">{formatNumber(balance)}</b>
      {brief ? `, stop at ${formatNumber(least)}` : `, read ${formatWhen(at)}, stop at ${formatNumber(least)}`}
      {reached && ', reached'}
    </span>,
    <div className="meter thick" aria-hidden="true">
      <i style={{ width: `${share(balance, whole)}%` }} />
      <b style={{ left: `${share(least, whole)}%` }} />
    </div>,
    reached ? null : `${formatNumber(balance - least)} above it`,
    source,
  );
}

/** Caps of other connections with a key of this one: they apply to that key's calls from here too, and are changed there. */
function SharedCaps({ shared }: { shared: CreditsOverview['sharedCaps'] }) {
  return (
    <div className="credits-cap credits-shared-caps">
      <h3 className="sm m">Caps of other connections with the same key</h3>
      <ul className="plain">
        {shared.map(({ name, keys, counts, floor }) => (
          <li key={name} className="sm">
            <span className="m">{name}</span>
            <span className="t2">, for calls with {keys.join(' and ')}: </span>
            {[
              ...(['perDay', 'perRun'] as const).flatMap((which) => {
                const { cap, counted } = counts[which];
                if (cap === null) return [];
                return [`${capLabels[which].label.toLowerCase()} ${formatNumber(counted)} of ${formatNumber(cap)}`];
              }),
              ...(floor === null ? [] : [`minimum balance ${formatNumber(floor)}`]),
            ].join(', ')}
          </li>
        ))}
      </ul>
      <p className="xs t3">These stop calls from here too. They are changed under their own connection.</p>
    </div>
  );
}
