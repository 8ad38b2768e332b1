import type { OperationAnswer } from '../../../../shared/contract/operations.ts';
import { Fields } from '../../../components/fields.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import type { TableColumn } from '../../../components/table/table-columns.ts';
import { countOf, formatNumber } from '../../../lib/text/format.ts';

type FieldOf = OperationAnswer['fields'][number];

const columns: readonly TableColumn<FieldOf>[] = [
  { id: 'path', head: 'Field', value: ({ path }) => path, width: 240 },
  { id: 'value', head: 'Value', value: ({ value }) => value, width: 260, grow: true },
];
const listUpTo = 120;

/** Every value with the path it stands at. */
export function AnswerFields({ answer }: { answer: OperationAnswer }) {
  const { fields, fieldCount } = answer;
  if (fields.length <= listUpTo)
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even where nothing in it is
      <section className="ops-scroll pad" aria-label="Fields" tabIndex={0}>
        {fields.length === 0 ? (
          <p className="t2">The answer holds no values.</p>
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
            The first {formatNumber(fields.length)} of {countOf(fieldCount, 'value')}. The table and the raw text hold
            them all.
          </span>
        </div>
      )}
    </div>
  );
}
