import { TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useMemo, useState } from 'react';
import { checkPostcode } from '../../../../shared/domain/address/postcode.ts';
import { protocolNames } from '../../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import type { Provenance, SearchAnswer, SearchResult } from '../../../../shared/domain/lookup/lookup.ts';
import { withoutEnd } from '../../../../shared/domain/lookup/order-results.ts';
import { searchWords } from '../../../../shared/domain/text/search-words.ts';
import { drawable } from '../../../../shared/domain/text/visible-text.ts';
import { Cached } from '../../../components/marks.tsx';
import { PriceNote } from '../../../components/money/price-button.tsx';
import { TableActions } from '../../../components/table/table-actions.tsx';
import { copiedRows, type TextColumn } from '../../../components/table/table-text.ts';
import { VirtualList } from '../../../components/table/virtual-list.tsx';
import { useLatestProvenance } from '../../../lib/answers/use-provenance.ts';
import { countOf, formatDate, formatNumber, formatPrice, formatWhen } from '../../../lib/text/format.ts';
import { useShortcut } from '../../../lib/window/shortcuts.ts';
import { AnswerNotice } from '../answer/answer-notice.tsx';
import type { LookupState } from '../lookup-state.ts';
import { searchPrice } from '../prices.ts';
import { describeSource } from '../source-messages.ts';

interface ResultsPaneProps {
  answer: SearchAnswer;
  cachedIds: ReadonlySet<string>;
  /** What opening a row without a saved answer costs. */
  price: ShownPrice;
  state: LookupState;
  onChange: (patch: Partial<LookupState>) => void;
  onOpen: (result: SearchResult) => void;
  filterBox: RefObject<HTMLInputElement | null>;
  width: number;
  onAskAgain: () => void;
  /** The way back to the list that this one was opened from. */
  back: ReactNode;
  /** Shown under the head: what is missing from the list, and how to get it. */
  notice: ReactNode;
}

/** Characters of a row that are drawn; its width cuts it long before. */
const longestRow = 300;

/** "34 premises, 4 saved", or how many of them are shown. */
function formatCounts(answer: SearchAnswer, shown: number, cached: number): string {
  const all = answer.results.length;
  const kinds = new Set(answer.results.map(({ kind }) => kind));
  const what = countOf(all, kinds.has('group') ? 'result' : kinds.has('street') ? 'street' : 'premise');
  if (shown < all) return `${formatNumber(shown)} of ${what}`;
  const cut = answer.truncated
    ? `first ${formatNumber(all)}${answer.total === null ? '' : ` of ${formatNumber(answer.total)}`}`
    : what;
  return cached > 0 ? `${cut}, ${formatNumber(cached)} saved` : cut;
}

/** The search's results along the street, filtered on this computer; each row says what opening it costs. */
export function ResultsPane(props: ResultsPaneProps) {
  const { answer, cachedIds, price, state, onChange, onOpen, filterBox, width, notice, onAskAgain, back } = props;
  const shown = useMemo(() => filterResults(answer.results, state.filter), [answer, state.filter]);
  const cached = useMemo(
    () => answer.results.filter(({ kind, premiseId }) => kind === 'premise' && cachedIds.has(premiseId)).length,
    [answer, cachedIds],
  );
  // Two rows may have one id; the filter changes no row's place in the answer, by which it stays marked.
  const places = useMemo(() => new Map(answer.results.map((result, index) => [result, index])), [answer]);
  // The letters that are typed next would else choose a row, and Enter open it.
  useShortcut('find', () => (filterBox.current?.checkVisibility() ? filterBox.current.select() : false));
  // The keys go on from the row they are on.
  const [activeRow, setActiveRow] = useState(-1);
  const active =
    state.activeId !== null && shown[activeRow]?.premiseId === state.activeId
      ? activeRow
      : shown.findIndex((result) => result.premiseId === state.activeId);
  return (
    <section className="col lookup-list" aria-label="Results" style={{ '--list-w': `${width}px` }}>
      <div className="subbar">
        <h2 className="m sm trunc lookup-asked">{answer.text}</h2>
        <span className="t2 grow trunc">{formatCounts(answer, shown.length, cached)}</span>
        <TextInput
          ref={filterBox}
          className="low results-filter"
          placeholder="Filter"
          aria-label="Filter the results"
          value={state.filter}
          onChange={(event) => onChange({ filter: event.currentTarget.value, activeId: null })}
          leftSection={<IconFilter size={13} className="ti" aria-hidden="true" />}
        />
      </div>
      <SourceLine answer={answer} onAskAgain={onAskAgain} back={back} />
      {answer.sharedEnd ? (
        <p className="xs t3 trunc lookup-end" title={drawable(answer.sharedEnd)}>
          All in {drawable(answer.sharedEnd, longestRow)}
        </p>
      ) : (
        // In a line of its own, which is never cut: the rows have no room for it beside their place.
        answer.of.kind !== 'streets' && (
          <p className="xs t3 lookup-end">Opening one that is not saved: {formatPrice(price)}</p>
        )
      )}
      <AnswerNotice answer={answer.provenance} />
      {notice}
      {shown.length === 0 ? (
        <div className="grow pad sm t2" role="status">
          No results match “{state.filter}”.{' '}
          <button type="button" className="link" onClick={() => onChange({ filter: '' })}>
            Show all {formatNumber(answer.results.length)}
          </button>
        </div>
      ) : (
        <VirtualList
          items={shown}
          label={`Results for ${answer.text}`}
          keyOf={(result) => `${result.premiseId}/${places.get(result)}`}
          active={active}
          onActiveChange={(index) => {
            setActiveRow(index);
            onChange({ activeId: shown[index]?.premiseId ?? null });
          }}
          onOpen={onOpen}
          textOf={lineOf}
          copyText={(results) => copiedRows(resultColumns, results, false)}
          isSelected={(result) => result.premiseId === state.premise?.id}
          renderItem={(result) => (
            <ResultRow
              result={result}
              end={answer.sharedEnd}
              cached={cachedIds.has(result.premiseId)}
              price={answer.sharedEnd === '' ? null : price}
            />
          )}
        />
      )}
      <div className="footbar hints">
        <span className="trunc grow">↑↓ move, Enter opens</span>
        <TableActions label={`Results for ${answer.text}`} columns={resultColumns} rows={shown} link />
        <SavedUntil provenance={answer.provenance} />
      </div>
    </section>
  );
}

/** What is saved, copied and printed of a result. */
const resultColumns: readonly TextColumn<SearchResult>[] = [
  { id: 'premise', head: 'Premise', value: ({ premiseId }) => premiseId },
  { id: 'organisation', head: 'Organisation', value: ({ organisation }) => organisation },
  { id: 'line', head: 'Address', value: ({ line }) => line },
  { id: 'kind', head: 'Kind', value: ({ kind }) => kind },
];
const lineOf = ({ organisation, line }: SearchResult): string => [organisation, line].filter(Boolean).join(', ');

function SavedUntil({ provenance }: { provenance: Provenance }) {
  const { expiresAt, cachedFor } = useLatestProvenance(provenance);
  if (cachedFor === 'run') return <span className="nowrap">Saved until the program ends</span>;
  return expiresAt ? <span className="nowrap">Saved until {formatDate(expiresAt)}</span> : null;
}

interface SourceLineProps {
  answer: SearchAnswer;
  onAskAgain: () => void;
  back: ReactNode;
}

/** Over which interface the list came and when, and the way to ask for it anew, at its price. */
function SourceLine({ answer, onAskAgain, back }: SourceLineProps) {
  const { provenance, text, of } = answer;
  const price = searchPrice({ text, of, maxResults: answer.maxResults, interface: provenance.interface });
  return (
    <div className="row xs lookup-source">
      {back}
      <span className="t3 grow trunc" title={describeSource(provenance)}>
        {protocolNames[provenance.interface]}, {formatWhen(provenance.at)}
      </span>
      <button type="button" className="link nowrap" onClick={onAskAgain}>
        Search again · {formatPrice(price)}
      </button>
    </div>
  );
}

interface ResultRowProps {
  result: SearchResult;
  /** Said once above the list. */
  end: string;
  cached: boolean;
  /** null: said once above the list. */
  price: ShownPrice | null;
}

/** A line's street, and its town and postcode, which stay visible if the rows are in several towns. */
function splitPlace(line: string): { street: string; place: string } {
  const parts = line.split(/,\s*/);
  const last = parts.at(-1) ?? '';
  if (parts.length < 3 || checkPostcode(last).state === 'not-a-postcode') return { street: line, place: '' };
  return { street: parts.slice(0, -2).join(', '), place: parts.slice(-2).join(' ') };
}

/** A row: the part of the line that distinguishes it; the whole line is its accessible name and its tooltip. */
function ResultRow({ result, end, cached, price }: ResultRowProps) {
  const line = drawable(withoutEnd(result.line, end), longestRow);
  const organisation = drawable(result.organisation, longestRow);
  const { street, place } = end === '' ? splitPlace(line) : { street: line, place: '' };
  return (
    <>
      <span className="trunc grow" title={[organisation, drawable(result.line)].filter(Boolean).join(', ')}>
        {organisation && <span className="t2">{organisation}, </span>}
        {street}
      </span>
      {place && <span className="sm t2 trunc result-place">{place}</span>}
      {result.kind === 'group' ? (
        <span className="xs t3">group</span>
      ) : result.kind === 'street' ? (
        <span className="xs good nowrap">premises, free</span>
      ) : cached ? (
        <Cached />
      ) : (
        price && <PriceNote price={price} />
      )}
    </>
  );
}

/** The results that contain every word typed, in any order and case. Local: costs nothing. */
function filterResults(results: readonly SearchResult[], filter: string): readonly SearchResult[] {
  const words = searchWords(filter);
  if (words.length === 0) return results;
  return results.filter((result) => {
    const text = `${result.organisation} ${result.line} ${result.premiseId}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
