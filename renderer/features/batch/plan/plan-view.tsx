import { useState } from 'react';
import type { Batch } from '../../../../shared/domain/batch.ts';
import { Mono } from '../../../components/marks.tsx';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { formatCreditBounds, questionOf } from '../messages.ts';
import { type BarPart, CountBar } from '../parts.tsx';
import { SaveDialog } from '../save/save-dialog.tsx';
import { PlanSide } from './plan-side.tsx';
import { PlanStages } from './plan-stages.tsx';

/** What will be sent, before anything is: a heading that sums it up, the rows, the stages, and at the right what it may spend. */
export function PlanView({ batch }: { batch: Batch }) {
  const { plan } = batch;
  return (
    <div className="beside batch-plan">
      <div className="batch-plan-main">
        <div>
          <h2 className="headline">
            {questionOf(batch)}: {formatCreditBounds(plan.credits)}
          </h2>
          <p className="t2">Nothing has been sent yet. Change the table or what you want to know, and plan again.</p>
        </div>
        <PlanRows batch={batch} />
        <PlanStages plan={plan} />
        {plan.malformed.length > 0 && <NotAsked batch={batch} />}
      </div>
      <PlanSide batch={batch} />
    </div>
  );
}

/** How many rows need a search first: saved answers may already say which premise a row is. */
function formatSearches({ kind, plan }: Batch): string {
  const search = plan.stages.find(({ stage }) => stage === 'search' || stage === 'search-free');
  if (!search) return 'without a search';
  const { most } = search.calls;
  return kind === 'organisations' ? countOf(most, 'search', 'searches') : `${countOf(most, 'postcode')} to search`;
}

/** The kinds of row; they add up to the rows of the table. */
function PlanRows({ batch }: { batch: Batch }) {
  const { rows } = batch.plan;
  const parts: (BarPart & { word: string; under: string })[] = [
    {
      name: 'ask',
      count: rows.ask,
      word: 'to ask',
      under: formatSearches(batch),
    },
    { name: 'done', count: rows.saved, word: 'saved already', under: 'free' },
    { name: 'same', count: rows.same, word: 'same as an earlier row', under: 'asked once' },
    { name: 'malformed', count: rows.malformed, word: 'malformed', under: 'not asked' },
    ...(rows.unknown
      ? [{ name: 'unknown', count: rows.unknown, word: 'with an unknown outcome', under: 'asked only by a tick' }]
      : []),
  ];
  return (
    <section aria-label="Rows of the table">
      <CountBar parts={parts} />
      <ul className="plain batch-plan-rows">
        {parts.map(({ name, count, word, under }) => (
          <li key={name} className="row top">
            <span className={`swatch ${name}`} aria-hidden="true" />
            <span>
              <span className="b">{formatNumber(count)}</span> {word}
              <span className="sm t3 block">{under}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const shownFirst = 3;

/** Rows that cannot be asked, each with its reason. */
function NotAsked({ batch }: { batch: Batch }) {
  const { malformed, rows } = batch.plan;
  const [all, setAll] = useState(false);
  const [saving, setSaving] = useState(false);
  const shown = all ? malformed : malformed.slice(0, shownFirst);
  const hidden = malformed.length - shown.length;
  const beyond = rows.malformed - malformed.length;
  return (
    <section>
      <div className="row between">
        <h3 className="h">{countOf(rows.malformed, 'row')} will not be asked</h3>
        <button type="button" className="link sm" onClick={() => setSaving(true)}>
          Save these rows…
        </button>
      </div>
      <table className="tbl tight batch-bad" aria-label="Rows that will not be asked">
        <colgroup>
          <col className="row-number" />
          <col />
          <col className="reason" />
          <col className="code" />
        </colgroup>
        <tbody>
          {shown.map(({ row, given, reason, code }) => (
            <tr key={row}>
              <td className="t3 tn">row {formatNumber(row)}</td>
              <td title={given}>{given === '' ? <span className="t3">empty line</span> : <Mono>{given}</Mono>}</td>
              <td title={reason}>{legible(reason)}</td>
              <td className="t3">
                <Mono>{code}</Mono>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <button type="button" className="link sm batch-more" onClick={() => setAll(true)}>
          {beyond > 0 ? `Show the first ${formatNumber(malformed.length)}` : `${formatNumber(hidden)} more`}
        </button>
      )}
      {all && beyond > 0 && (
        <p className="sm t3 batch-under">{formatNumber(beyond)} more are in the file that “Save these rows” writes.</p>
      )}
      {saving && (
        <SaveDialog
          batch={batch}
          filter={{ progress: ['malformed'] }}
          filterName="malformed"
          row={malformed[0]?.row ?? null}
          onClose={() => setSaving(false)}
        />
      )}
    </section>
  );
}
