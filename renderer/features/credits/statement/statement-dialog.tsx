import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { type Accounting, noAccounting } from '../../../../shared/domain/credits/accounting.ts';
import { wholeTable } from '../../../../shared/domain/row-filter.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Failure } from '../../../components/failure.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { printTable } from '../../../components/table/print-table.tsx';
import { saveTable } from '../../../components/table/save-table.ts';
import { cellText, headText, type TextColumn } from '../../../components/table/table-text.ts';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { wholeDays } from '../../../lib/text/day-range.ts';
import { formatMoment, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { ledgerKey } from '../queries.ts';
import { type StatementRow, statementColumns, statementRows } from './statement.ts';

const monthsBack = 24;
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

interface StatementDialogProps {
  connectionId: string;
  connectionName: string;
  /** Labels of the keys that can have a cost centre. */
  keys: readonly string[];
  onClose: () => void;
}

/** A month in figures, to save and to print: what is published, what the balance did, what is not known. */
export function StatementDialog({ connectionId, connectionName, keys, onClose }: StatementDialogProps) {
  const [now] = useState(() => new Date());
  const months = Array.from({ length: monthsBack }, (_, back) => new Date(now.getFullYear(), now.getMonth() - back, 1));
  const [back, setBack] = useState(0);
  const month = months[back] ?? now;
  const { from, to } = wholeDays(month, new Date(month.getFullYear(), month.getMonth() + 1, 0));
  const client = useQueryClient();
  const accountingKey = ['credits', 'accounting', connectionId];
  const accounting = useQuery({
    queryKey: accountingKey,
    queryFn: () => call('credits.accounting', { connectionId }),
  });
  const said = accounting.data ?? noAccounting;
  const facts = useQuery({
    queryKey: [...ledgerKey(connectionId), 'statement', from],
    queryFn: async ({ signal }) => {
      const sumsOf = (some: readonly string[]) =>
        call('credits.ledger-sums', { connectionId, filter: { ...wholeTable, from, to, keys: [...some] } }, { signal });
      const { keys: paying } = await call('credits.ledger-choices', { connectionId });
      const { balances } = await call('credits.reconcile', { connectionId, from, to });
      const byKey = [];
      for (const key of paying) byKey.push({ key, sums: await sumsOf([key]) });
      return { byKey, balances, all: await sumsOf([]), paying };
    },
  });
  const { copied, report } = useCopy();
  const title = `Statement of ${monthName.format(month)}, ${connectionName}`;
  const columns = statementColumns(said);
  const rows = facts.data ? statementRows({ ...facts.data, accounting: said }) : [];
  // Here the parts are headings; a file and a printed sheet have them as a column.
  const shown = columns.filter(
    ({ id }) => id !== 'part' && (id !== 'centre' || rows.some(({ centre }) => centre !== '')),
  );
  return (
    <Dialog title="Statement" size={920} closeLabel="Close the statement" onClose={onClose}>
      <div className="row wrap">
        <Select
          aria-label="Month"
          w={180}
          data-autofocus
          value={String(back)}
          onChange={(value) => setBack(Number(value))}
          data={months.map((one, index) => ({ value: String(index), label: monthName.format(one) }))}
        />
        <span className="grow" />
        <CopiedNote copied={copied} />
        <Button
          disabled={rows.length === 0 || !accounting.data}
          leftSection={<IconPrinter size={15} className="ti" aria-hidden="true" />}
          onClick={() => report(() => printTable(title, columns, rows), 'Not printed')}
        >
          Print…
        </Button>
        <Button
          variant="filled"
          disabled={rows.length === 0 || !accounting.data}
          leftSection={<IconDownload size={15} className="ti" aria-hidden="true" />}
          onClick={() => report(() => saveTable(title, columns, rows), 'Not saved')}
        >
          Save as CSV…
        </Button>
      </div>
      <ReadFailure of={[facts, accounting]} />
      <p className="sm t2">
        A price is what is published. A fall is what the balance did, and may have other causes than this console’s
        calls.
        {facts.data &&
          ` As known ${formatMoment(new Date(facts.dataUpdatedAt).toISOString())}; a later reading may show more.`}
      </p>
      {facts.isPending ? (
        <p className="sm t3" aria-busy="true">
          Adding up the month…
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is
        <section className="statement" aria-label={title} tabIndex={0}>
          <table className="tbl tight sticky-head">
            <thead>
              <tr>
                {shown.map((column) => (
                  <th key={column.id} scope="col" className={column.kind === 'number' ? 'num' : undefined}>
                    {headText(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <Fragment key={`${row.part}/${row.item}`}>
                  {row.part !== rows[index - 1]?.part && (
                    <tr className="group">
                      <th scope="colgroup" colSpan={shown.length}>
                        {row.part}
                      </th>
                    </tr>
                  )}
                  <tr className={row.total ? 'm' : undefined}>
                    {shown.map((column) => (
                      <td
                        key={column.id}
                        className={column.kind === 'number' ? 'num' : column.id === 'note' ? 't2 wraps' : 'wraps'}
                      >
                        {legible(shownText(column, row))}
                      </td>
                    ))}
                  </tr>
                </Fragment>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {accounting.data && (
        <AccountingForm
          key={connectionId}
          connectionId={connectionId}
          accounting={accounting.data}
          labels={[...new Set([...keys, ...(facts.data?.paying ?? [])])]}
          onSaved={(saved) => client.setQueryData(accountingKey, saved)}
        />
      )}
    </Dialog>
  );
}

/** A figure with thousands commas, as everywhere on the screen; a file has none. */
function shownText(column: TextColumn<StatementRow>, row: StatementRow): string {
  const value = column.value(row);
  return typeof value === 'number' ? formatNumber(value) : cellText(column, row);
}

interface AccountingFormProps {
  connectionId: string;
  accounting: Accounting;
  labels: readonly string[];
  onSaved: (saved: Accounting) => void;
}

/** Pounds per credit and the cost centre of each key: stored here, sent nowhere. */
function AccountingForm({ connectionId, accounting, labels, onSaved }: AccountingFormProps) {
  const [pounds, setPounds] = useState<number | string>(accounting.poundsPerCredit ?? '');
  const [centres, setCentres] = useState<Record<string, string>>(
    Object.fromEntries(accounting.centres.map(({ label, centre }) => [label, centre])),
  );
  const save = useMutation({
    mutationFn: () =>
      call('credits.save-accounting', {
        connectionId,
        accounting: {
          // While it is being typed "0.10" is a text.
          poundsPerCredit: pounds === '' ? null : Number(pounds),
          centres: Object.entries(centres)
            .filter(([, centre]) => centre.trim() !== '')
            .map(([label, centre]) => ({ label, centre: centre.trim() })),
        },
      }),
    meta: { subject: 'Saving pounds a credit and cost centres', connectionId },
    onSuccess: onSaved,
  });
  return (
    <details>
      <summary className="sm">Pounds a credit and cost centres</summary>
      <form
        className="col g8 statement-form"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <NumberInput
          label="Pounds a credit"
          description="As on your invoice. Empty: no pounds are shown."
          w={180}
          min={0}
          max={1000}
          decimalScale={5}
          value={pounds}
          onChange={(value) => {
            setPounds(value);
            save.reset();
          }}
        />
        {labels.map((label) => (
          <TextInput
            key={label}
            label={`Cost centre of ${label}`}
            w={280}
            maxLength={60}
            value={centres[label] ?? ''}
            onChange={(event) => {
              setCentres({ ...centres, [label]: event.currentTarget.value });
              save.reset();
            }}
          />
        ))}
        <div className="row">
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          {save.isSuccess && <span className="sm good">Saved</span>}
        </div>
        {save.error && <Failure error={errorOf(save.error)} />}
      </form>
    </details>
  );
}
