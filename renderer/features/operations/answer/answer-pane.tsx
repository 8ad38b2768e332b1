import { IconApi } from '@tabler/icons-react';
import { useState } from 'react';
import type { HistoryRow, OperationAnswer, OperationForm } from '../../../../shared/contract/operations.ts';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { Fields } from '../../../components/fields.tsx';
import { Cached } from '../../../components/marks.tsx';
import { SpendNote } from '../../../components/money/money-claims.tsx';
import { Notice } from '../../../components/notice.tsx';
import { RawView } from '../../../components/raw-text/raw-view.tsx';
import { EmptyState, UnderWay } from '../../../components/state.tsx';
import { TabBar, TabPanel } from '../../../components/tab-bar.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import type { TableColumn } from '../../../components/table/table-columns.ts';
import { useLatestProvenance } from '../../../lib/answers/use-provenance.ts';
import { countOf, formatNumber, formatStop, formatTime, formatWhen } from '../../../lib/text/format.ts';
import { type Asked, askedOf, askedOtherwise, changeForm, fillForm, formKey, useForm } from '../form-state.ts';
import { freshPrice } from '../fresh-price.ts';
import { openStored, type RunInput, runKey, runs } from '../runs.ts';
import { AnswerTable } from './answer-table.tsx';
import { HistoryView } from './history-view.tsx';
import { RunFailure } from './run-failure.tsx';
import { TimingsPart } from './timings-part.tsx';

type View = 'table' | 'fields' | 'raw' | 'history';
const views: readonly { id: View; label: string }[] = [
  { id: 'table', label: 'Table' },
  { id: 'fields', label: 'Fields' },
  { id: 'raw', label: 'Raw' },
  { id: 'history', label: 'History' },
];

interface AnswerPaneProps {
  connection: Connection;
  form: OperationForm;
  onRun: (input: RunInput) => void;
}

/** A single record is easier to read as a list of fields than as a table. */
const bestView = ({ tables }: OperationAnswer): View =>
  tables.length === 1 && (tables[0]?.rows ?? 0) === 1 && (tables[0]?.columns.length ?? 0) > 3 ? 'fields' : 'table';

/** The answer of the operation chosen: as a table, as fields, raw; how long it took and what it cost; and the calls before it. */
export function AnswerPane({ connection, form, onRun }: AnswerPaneProps) {
  const connectionId = connection.id;
  const key = runKey(connection, form);
  const calls = runs.use(key);
  const { running, answer, failure } = calls;
  const [view, setView] = useState<View>('table');
  const [storedFailure, setStoredFailure] = useState<string | null>(null);
  const [seen, setSeen] = useState<{ key: string; calls: typeof calls } | null>(null);
  // Not in an effect: when the screen is shown again all of them run, and another view may have been chosen by then.
  if (key !== seen?.key || calls !== seen.calls) {
    setSeen({ key, calls });
    // What could not be opened says nothing of what came after it.
    setStoredFailure(null);
    // A new answer, not a new object of the same, chooses its view.
    if (answer && answer.answerId !== seen?.calls.answer?.answerId)
      setView((now) => (now === 'raw' ? now : bestView(answer)));
    if (running || failure) setView((now) => (now === 'history' ? 'table' : now));
  }

  const open = async ({ call, asked }: HistoryRow) => {
    if (!asked) return;
    const error = await openStored(key, call.id, asked);
    setStoredFailure(error === null ? null : `${error.message} ${error.next}`);
    if (error === null) setView('table');
  };
  const use = ({ asked }: HistoryRow) => {
    if (asked) fillForm(connectionId, form.name, asked);
  };
  const again = (row: HistoryRow) => {
    if (!row.asked) return;
    use(row);
    changeForm(formKey(connectionId, form.name), { dataset: row.asked.dataset });
    onRun({
      connectionId,
      operation: form.name,
      dataset: row.asked.dataset,
      fields: row.asked.fields,
      cache: 'reload',
    });
  };
  const rows = answer?.tables.reduce((sum, table) => sum + table.rows, 0) ?? 0;
  const idBase = 'operation-answer';
  const body = () => {
    if (running)
      return (
        <UnderWay
          doing={`Calling ${form.name}`}
          since={running.since}
          onStop={() => runs.stop(key)}
          foot={formatStop(freshPrice(form, running.request))}
        />
      );
    if (failure)
      return (
        <RunFailure
          error={failure.error}
          price={freshPrice(form, failure.request)}
          onAskAgain={() => onRun({ ...failure.request, cache: 'reload' })}
          onLeave={() => runs.dismiss(key)}
        />
      );
    return null;
  };
  const instead = view === 'history' ? null : body();
  return (
    <section className="ops-answer col" aria-label="Answer">
      <div className="subbar g16">
        <TabBar tabs={views} value={view} onChange={setView} label="Answer as" idBase={idBase} collapse={false} />
        <span className="grow" />
        {answer && view !== 'history' && !running && !failure && (
          <>
            <SavedMark answer={answer} />
            <span className="t2">{countOf(rows, 'row')}</span>
          </>
        )}
      </div>
      {storedFailure !== null && (
        <div className="pad">
          <Notice tone="warn" announce>
            {storedFailure}
          </Notice>
        </div>
      )}
      {answer && !instead && view !== 'history' && (
        <AskedNote connectionId={connectionId} form={form} asked={answer.asked} />
      )}
      {views.map(({ id }) => (
        <TabPanel key={id} idBase={idBase} id={id} value={view} keep={false}>
          {id === 'history' ? (
            <HistoryView
              connectionId={connectionId}
              form={form}
              onOpen={open}
              onUse={use}
              onAskAgain={again}
              busy={running !== null}
            />
          ) : instead ? (
            instead
          ) : answer ? (
            <>
              {id === 'table' && <AnswerTable key={answer.answerId} answer={answer} />}
              {id === 'fields' && <AnswerFields answer={answer} />}
              {id === 'raw' && <RawView key={answer.answerId} answerId={answer.answerId} />}
            </>
          ) : (
            <EmptyState icon={<IconApi size={24} stroke={1.5} />} title="No answer is shown">
              {form.writes
                ? 'This operation is called under Licences only.'
                : 'Fill in the form and call. The answer appears here as a table, as fields and as it came.'}
            </EmptyState>
          )}
        </TabPanel>
      ))}
      {answer && !instead && view !== 'history' && (
        <>
          <TimingsPart answer={answer} />
          <AnswerFoot answer={answer} />
        </>
      )}
    </section>
  );
}

/** What the answer was asked with, beside a form that says something else: the two are not of one question. */
function AskedNote({ connectionId, form, asked }: { connectionId: string; form: OperationForm; asked: Asked }) {
  const state = useForm(formKey(connectionId, form.name));
  const otherwise = askedOtherwise(form, asked, askedOf(connectionId, form, state));
  return (
    otherwise !== null && (
      <div className="pad">
        <Notice>
          This answer was asked with other values than the form has now: <b>{otherwise}</b>.
        </Notice>
      </div>
    )
  );
}

/** Whether the answer was shown for nothing and would be again: one opened from the history may not be saved, or no longer. */
function SavedMark({ answer }: { answer: OperationAnswer }) {
  const { cached, cachedFor } = useLatestProvenance(answer.provenance);
  return cached && cachedFor !== 'no' && <Cached>saved, free</Cached>;
}

/** "today 09:41:07 GMT". */
function momentOf(iso: string): string {
  const day = formatWhen(iso).replace(/ \d{2}:\d{2}$/, '');
  return day === iso ? iso : `${day} ${formatTime(iso)}`;
}

/** Where the answer came from, when, its price and what the balance did. */
function AnswerFoot({ answer }: { answer: OperationAnswer }) {
  const provenance = useLatestProvenance(answer.provenance);
  const shape =
    provenance.shape === null
      ? ''
      : `, ${provenance.shape.length === 1 ? `shape ${provenance.shape}` : provenance.shape}`;
  return (
    <div className="footbar ops-foot">
      <SpendNote expected={provenance.expectedCredits} claims={provenance.claims} />
      <span className="t2 tn nowrap">{momentOf(provenance.at)}</span>
      <span className="t2 nowrap" title={`Paid by ${provenance.paidBy}`}>
        {provenance.keyLastFour ? `key ••${provenance.keyLastFour}` : provenance.paidBy}
      </span>
      <span className="grow" />
      <span className="t2 nowrap">
        HTTP {answer.status}
        {shape}
      </span>
    </div>
  );
}

type FieldOf = OperationAnswer['fields'][number];

const columns: readonly TableColumn<FieldOf>[] = [
  { id: 'path', head: 'Field', value: ({ path }) => path, width: 240 },
  { id: 'value', head: 'Value', value: ({ value }) => value, width: 260, grow: true },
];
const listUpTo = 120;

/** Every value with its path. */
function AnswerFields({ answer }: { answer: OperationAnswer }) {
  const { fields, fieldCount } = answer;
  if (fields.length <= listUpTo)
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is
      <section className="ops-scroll pad" aria-label="Fields" tabIndex={0}>
        {fields.length === 0 ? (
          <p className="t2">The answer contains no values.</p>
        ) : (
          <Fields labelWidth={210} rows={fields.map(({ path, value }) => ({ key: path, label: path, value }))} />
        )}
      </section>
    );
  return (
    <div className="col grow">
      <DataTable
        label={countOf(fields.length, 'field')}
        widthsKey="operations/fields"
        columns={columns}
        rows={fields}
        keyOf={({ path }) => path}
        tight
      />
      {fieldCount > fields.length && (
        <div className="footbar">
          <span className="t2">
            The first {formatNumber(fields.length)} of {countOf(fieldCount, 'value')}. The raw text holds them all.
          </span>
        </div>
      )}
    </div>
  );
}
