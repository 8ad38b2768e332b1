import { Button, TextInput } from '@mantine/core';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { type Batch, type BatchRow, type RowResult, rowResults } from '../../../../shared/domain/batch.ts';
import { countedText, unreadClaims } from '../../../../shared/domain/text/figures.ts';
import { ClaimSentences } from '../../../components/money/money-claims.tsx';
import { EmptyState } from '../../../components/state.tsx';
import { capital, countOf, formatDate, formatElapsed, formatNumber } from '../../../lib/text/format.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { answeredRows, formatCreditBounds, resultNames } from '../messages.ts';
import { BatchFailure, CountBar, Facets } from '../parts.tsx';
import { type Again, batchRowsQuery, type RowFilter, rowsOfPage } from '../queries.ts';
import { RowsTable } from '../rows/rows-table.tsx';
import { SaveDialog } from '../save/save-dialog.tsx';
import { ForgetRows } from './forget-rows.tsx';
import { NotDone } from './not-done.tsx';
import { SeveralPane } from './several-pane.tsx';

type FacetId = 'all' | RowResult;
/** A batch that has ended: what became of the rows, those not done, and the file. */
export function ResultView({ batch }: { batch: Batch }) {
  const client = useQueryClient();
  const go = useGo();
  const [facet, setFacet] = useState<FacetId>('all');
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const [active, setActive] = useState(-1);
  const [opened, setOpened] = useState(false);
  const [again, setAgain] = useState(noneTicked);
  const [saving, setSaving] = useState(false);
  const filter = useMemo(
    (): RowFilter => ({
      ...(facet === 'all' ? {} : { result: [facet] }),
      ...(search === '' ? {} : { search }),
    }),
    [facet, search],
  );
  const page = useQuery({
    ...batchRowsQuery(batch.id, filter, Math.floor(Math.max(0, active) / rowsOfPage)),
    placeholderData: keepPreviousData,
  });
  const total = page.data?.total ?? 0;
  const row = active < 0 || page.isPlaceholderData ? undefined : page.data?.rows[active % rowsOfPage];
  const isOpen =
    row !== undefined && (row.result === 'several' || row.chosenBy !== '') && (facet === 'several' || opened);
  // A result file does not hold the premises that fit.
  const isOfFile = isOpen && row.source?.kind === 'earlier-file';
  const choosing = isOpen && !isOfFile;
  const show = (next: FacetId) => {
    setFacet(next);
    setActive(next === 'several' ? 0 : -1);
    setOpened(false);
  };
  const move = (index: number, of = total) => setActive(Math.min(Math.max(0, index), Math.max(0, of - 1)));
  /** Stays at a chosen row, or at the next if it has left the list, perhaps with rows before it that say the same. On if it is open again. */
  const moveFrom = async (chosen: number, open: boolean) => {
    for (let number = Math.floor(active / rowsOfPage); number >= 0; number -= 1) {
      const read = await client.fetchQuery(batchRowsQuery(batch.id, filter, number)).catch(() => null);
      // The table says why: the row is chosen all the same.
      if (read === null) return;
      const at = read.rows.findIndex((one) => (open ? one.row > chosen : one.row >= chosen));
      if (at === 0 && number > 0) continue;
      move(number * rowsOfPage + (at === -1 ? read.rows.length : at), read.total);
      return;
    }
  };
  if (batch.forgotten) return <Forgotten batch={batch} />;
  const notAsked = facet === 'not-asked';
  return (
    <section className="batch-fill" aria-label="Result">
      {!(facet === 'several' && choosing) && <ResultHead batch={batch} />}
      <BatchFailure of={batch.id} />
      <div className="subbar tall batch-bar">
        <Facets<FacetId>
          label="Rows by result"
          value={facet}
          onChange={show}
          facets={[
            { id: 'all', label: 'All', count: batch.plan.rows.total },
            ...rowResults
              .filter((name) => batch.results[name] > 0 || name === facet)
              .map((name) => ({
                id: name,
                label: capital(resultNames[name]),
                count: batch.results[name],
                swatch: name,
              })),
          ]}
        />
        <span className="grow" />
        {notAsked && batch.progress.failed > 0 && (
          <Button variant="subtle" onClick={() => setAgain({ ...again, failed: { all: !again.failed.all, but: [] } })}>
            {again.failed.all ? 'Untick every failed row' : 'Tick every failed row'}
          </Button>
        )}
        <TextInput
          className="low"
          aria-label="Find in the rows"
          placeholder="Find"
          w={130}
          leftSection={<IconSearch size={13} className="ti t3" aria-hidden="true" />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value.slice(0, 200));
            setActive(-1);
          }}
        />
        <Button
          variant={facet === 'several' ? 'default' : 'filled'}
          leftSection={<IconDownload size={15} className="ti" aria-hidden="true" />}
          onClick={() => setSaving(true)}
        >
          Save result…
        </Button>
      </div>
      <RowsTable
        key={`${facet}/${search}`}
        batch={batch}
        filter={filter}
        reasons={notAsked}
        active={active}
        onActive={(index) => setActive(index)}
        onOpen={() => setOpened(true)}
        {...(notAsked ? { ticks: ticksOf(batch, again, setAgain) } : {})}
        onWhatWasSent={(call) => go('activity', { call })}
        empty={
          <EmptyState
            title={search === '' ? 'No row of this kind is left' : `No row contains “${search}”`}
            actions={<Button onClick={() => (search === '' ? show('all') : setTyped(''))}>Show all rows</Button>}
          />
        }
      />
      {choosing && (
        <SeveralPane
          batch={batch}
          row={row.row}
          index={active}
          total={facet === 'several' ? total : 0}
          onMove={move}
          onChosen={(open) => moveFrom(row.row, open)}
          onClose={() => {
            setOpened(false);
            if (facet === 'several') show('all');
          }}
        />
      )}
      {isOfFile && (
        <p className="pane-t pad t2">
          Row {formatNumber(row.row)} is as an earlier result file has it, without the premises that fit. One can be
          chosen in the batch that saved the file, while its rows are kept; or empty the row’s ac_progress in the file
          to have it asked again.
        </p>
      )}
      {!choosing && (
        <div className="footbar actions batch-foot">
          <NotDone batch={batch} again={again} onDone={() => setAgain(noneTicked)}>
            <ForgetRows batch={batch} />
          </NotDone>
        </div>
      )}
      {saving && (
        <SaveDialog
          batch={batch}
          filter={filter}
          filterName={[facet === 'all' ? '' : resultNames[facet], search === '' ? '' : `“${search}”`]
            .filter((part) => part !== '')
            .join(', ')}
          row={row?.row ?? null}
          onClose={() => setSaving(false)}
        />
      )}
    </section>
  );
}

/** The choice at the start: every failed row, and none with an unknown outcome. */
const noneTicked: Again = { unknown: [], failed: { all: true, but: [] } };

const toggled = (rows: readonly number[], row: number): number[] =>
  rows.includes(row) ? rows.filter((one) => one !== row) : [...rows, row].sort((a, b) => a - b);

/** Equal rows go with the first of them. */
const firstOf = ({ row, source }: BatchRow): number => (source?.kind === 'same' ? source.row : row);

/**
 * What may be run again: waiting or stopped rows are ticked, failed ones unless a person unticks them, an unknown one only by a person, a
 * malformed one not at all.
 */
function ticksOf(batch: Batch, again: Again, setAgain: (again: Again) => void) {
  const { unknown, failed } = again;
  return {
    ticked: (row: BatchRow) =>
      row.progress === 'unknown'
        ? unknown.includes(firstOf(row))
        : row.progress === 'failed'
          ? failed.all !== failed.but.includes(firstOf(row))
          : row.progress !== 'malformed',
    fixed: ({ progress }: BatchRow) => {
      if (batch.elsewhere) return 'another window or command is running it';
      if (progress === 'malformed') return 'to be corrected in the table';
      return progress === 'unknown' || progress === 'failed' ? null : 'among the not done';
    },
    toggle: (row: BatchRow) =>
      setAgain(
        row.progress === 'unknown'
          ? { ...again, unknown: toggled(unknown, firstOf(row)) }
          : { ...again, failed: { ...failed, but: toggled(failed.but, firstOf(row)) } },
      ),
  };
}

/** How many rows have a result, the credits counted, and what the balance did meanwhile. */
function ResultHead({ batch }: { batch: Batch }) {
  const { plan, credits, startedAt, endedAt, progress } = batch;
  const { total } = plan.rows;
  const out = Object.values(progress).reduce((sum, count) => sum + count, 0);
  const took = startedAt && endedAt ? `, ${formatElapsed(Date.parse(endedAt) - Date.parse(startedAt))}` : '';
  return (
    <section className="batch-result-head" aria-label="Summary">
      <div className="col batch-result-rows">
        <p className="row baseline wrap">
          <span className="fig">
            {formatNumber(answeredRows(batch))} of {formatNumber(total)}
          </span>
          <span className="t2">
            {total === 1 ? 'row has' : 'rows have'} a result. {countOf(total, 'row')} in, {countOf(out, 'row')} out.
          </span>
        </p>
        <CountBar parts={rowResults.map((name) => ({ name, count: batch.results[name] }))} />
      </div>
      <div className="col g4 sm">
        <p>
          {credits.counted === null ? (
            <span className="danger">{capital(countedText(null))}</span>
          ) : (
            <>
              <span className="b">{formatNumber(credits.counted)}</span>{' '}
              <span className="t2">of {countOf(credits.limit, 'credit')} counted</span>
            </>
          )}
          <span className="t2">
            {took}
            {batch.again > 0 && `, asked again after 429: ${formatNumber(batch.again)}`}
            {credits.earlier && `; by the earlier file another ${formatCreditBounds(credits.earlier)}`}
          </span>
        </p>
        {batch.claims ? (
          <ClaimSentences claims={batch.claims} className="t2" />
        ) : (
          <p className="danger">{unreadClaims}</p>
        )}
      </div>
    </section>
  );
}

/** Shown once the rows' texts are removed; the counts stay. */
function Forgotten({ batch }: { batch: Batch }) {
  return (
    <section className="batch-fill" aria-label="Result">
      <ResultHead batch={batch} />
      <ul className="plain pad col g4">
        {rowResults
          .filter((name) => batch.results[name] > 0)
          .map((name) => (
            <li key={name}>
              <span className="b">{formatNumber(batch.results[name])}</span> {resultNames[name]}
            </li>
          ))}
      </ul>
      <EmptyState title="The rows of this batch are no longer kept">
        Only its counts are. A result file that you saved can be opened here again.
        {batch.endedAt && ` It ended on ${formatDate(batch.endedAt)}.`}
      </EmptyState>
    </section>
  );
}
