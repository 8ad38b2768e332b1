import { IconAlertTriangle, IconArrowRight, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import type { LookupText } from '../../../../shared/domain/lookup/lookup-text.ts';
import { Cached } from '../../../components/marks.tsx';
import { PriceNote } from '../../../components/money/price-button.tsx';
import { formatWhen } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { placeQuery } from '../queries.ts';
import type { BoxAction, BoxActions } from './box-actions.ts';

interface BoxPanelProps {
  id: string;
  noteId: string;
  read: LookupText;
  /** Nothing was typed for a while, or Enter was pressed: doubts about the text are shown only then. */
  hasPaused: boolean;
  /** Whether the saved answers that fit this very text have been read. */
  isSavedKnown: boolean;
  /** Nothing is sent before the search that is shown has ended. */
  busy: boolean;
  actions: BoxActions;
  /** Shown here because the panel covers what is under the box. */
  pasteNote: string | null;
  onDo: (action: BoxAction) => void;
  /** Puts a correction into the box. */
  onUse: (text: string) => void;
  /** Arrow up from the first row, or Escape. */
  onBack: () => void;
}

/** Whether a row would ask the service. Saved answers are free and local. */
const asksService = ({ kind }: BoxAction): boolean => kind === 'search' || kind === 'streets' || kind === 'open';

/** Under the box: what the text is taken for, corrections, and what is saved of it. Typing sends nothing. */
export function BoxPanel(props: BoxPanelProps) {
  const { id, noteId, read, hasPaused, isSavedKnown, busy, actions, pasteNote, onDo, onUse, onBack } = props;
  const isDoubted = read.kind === 'no-postcode';
  const shown = !isDoubted || hasPaused;
  const corrections = shown ? actions.corrections : [];
  // What is local is offered at once; rows that would ask the service wait for the pause.
  const rows = shown ? actions.rows : actions.rows.filter((action) => !asksService(action));
  return (
    <section
      id={id}
      className="box-panel"
      aria-label="What is typed"
      onKeyDown={(event) => moveByArrows(event, onBack)}
    >
      {shown && (
        <p
          id={noteId}
          className={`row g6 sm box-note ${isDoubted ? 'warn' : read.kind === 'postcode' ? 'good' : 't2'}`}
        >
          {isDoubted && <IconAlertTriangle size={14} className="ti fixed" aria-hidden="true" />}
          {read.kind === 'postcode' && <IconCircleCheck size={14} className="ti fixed" aria-hidden="true" />}
          <span>{noteOf(read, isSavedKnown ? rows : null)}</span>
        </p>
      )}
      {pasteNote !== null && (
        <p className="sm box-note warn" role="status">
          {pasteNote}
        </p>
      )}
      {corrections.length > 0 && (
        <div className="row wrap g6 box-corrections">
          {corrections.map((text) => (
            <button key={text} type="button" className="suggest" onClick={() => onUse(text)}>
              Use {text}
              <IconArrowRight size={13} className="ti" aria-hidden="true" />
            </button>
          ))}
        </div>
      )}
      {read.kind === 'place' && <PlaceLines text={read.text} />}
      {rows.length > 0 && (
        <ul className="plain">
          {rows.map((action) => (
            <li key={keyOf(action)}>
              <button
                type="button"
                className="bare box-row"
                disabled={busy && asksService(action)}
                onClick={() => onDo(action)}
              >
                <Row action={action} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** `rows` null: what is saved for this text is not known. */
function noteOf(read: LookupText, rows: readonly BoxAction[] | null): string {
  if (read.kind === 'number' && rows && !rows.some(({ kind }) => kind === 'saved-premise'))
    return `${read.reason} No saved address has it.`;
  if (read.kind === 'place' && rows && rows.length > 0) return `${read.reason} The nearest saved addresses are below.`;
  if (read.kind === 'unknown-here')
    return `${read.reason} Ask the caller for a postcode, a street with a town, or a building.`;
  return read.reason;
}

const keyOf = (action: BoxAction): string =>
  action.kind === 'saved-search' ? action.answerId : action.kind === 'saved-premise' ? action.premiseId : action.label;

function Row({ action }: { action: BoxAction }) {
  switch (action.kind) {
    case 'saved-search':
      return (
        <>
          <span className="m nowrap trunc">{legible(action.label)}</span>
          <span className="grow sm t3 trunc">
            {action.interface === 'soap' ? 'SOAP' : 'REST'}, {formatWhen(action.at)}
          </span>
          <Cached>saved, open free</Cached>
        </>
      );
    case 'saved-premise':
      return (
        <>
          {action.found && <span className="m nowrap">{action.found}</span>}
          <span className="grow trunc">{legible(action.label)}</span>
          <Cached>saved, open free</Cached>
        </>
      );
    case 'batch':
      return (
        <>
          <span className="grow trunc">{action.label}</span>
          <span className="xs t3 nowrap">its plan and price come first</span>
        </>
      );
    case 'search':
      return (
        <>
          <span className="grow trunc">{legible(action.label)}</span>
          <PriceNote price={action.way.price} />
        </>
      );
    default:
      return (
        <>
          <span className="grow trunc">{legible(action.label)}</span>
          {action.price.kind === 'not-published' ? (
            <span className="xs t3 nowrap">price not published</span>
          ) : (
            <PriceNote price={action.price} />
          )}
        </>
      );
  }
}

/** A place in the other notations, calculated on this computer. */
function PlaceLines({ text }: { text: string }) {
  const { data } = useQuery(placeQuery(text));
  if (!data) return null;
  return (
    <dl className="box-place sm">
      {(
        [
          ['Latitude, longitude', `${data.latitude}, ${data.longitude}`],
          ['Grid reference', data.gridReference],
          ['Easting, northing', `${data.easting}, ${data.northing}`],
        ] as const
      ).map(([label, value]) => (
        <div key={label} className="row">
          <dt className="t3">{label}</dt>
          <dd className="tn m">{value}</dd>
        </div>
      ))}
      <div className="xs t3">{data.method}</div>
    </dl>
  );
}

/** Arrows, Home and End move between the buttons; up from the first one goes back to the box. */
function moveByArrows(event: KeyboardEvent<HTMLElement>, onBack: () => void): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:enabled')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (event.key === 'Escape' || to === -1) {
    event.preventDefault();
    event.stopPropagation();
    onBack();
    return;
  }
  if (to === undefined) return;
  event.preventDefault();
  buttons[Math.min(to, buttons.length - 1)]?.focus();
}
