import { Button, Checkbox, SegmentedControl, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { priceOfCalls } from '../../../shared/domain/credits/published-price.ts';
import {
  type BulkField,
  bulkFieldNames,
  bulkFields,
  mapRows,
  readRowRequest,
} from '../../../shared/domain/licences/licence-bulk.ts';
import type { ChangeKind } from '../../../shared/domain/licences/licence-change.ts';
import { Elapsed } from '../../components/elapsed.tsx';
import { PriceButton } from '../../components/money/price-button.tsx';
import { StopWaiting } from '../../components/waiting.tsx';
import { machineReads } from '../../lib/licences/machines.ts';
import { countOf } from '../../lib/text/format.ts';
import { planTable } from './bulk-run.ts';
import { type BulkFlow, bulkCalls, changeBulk, type Draft } from './bulk-store.ts';

/** Rows shown from the beginning, and as many of those after them that cannot be used. */
const shownRows = 6;

/** Which column says what, with the first rows as they are understood. Nothing is sent before planning. */
export function MapForm({ connectionId, flow, draft }: { connectionId: string; flow: BulkFlow; draft: Draft }) {
  const client = useQueryClient();
  const change = (patch: Partial<Draft>) => changeBulk(connectionId, { draft: { ...draft, ...patch } });
  const widest = Math.max(...draft.rows.map((row) => row.length));
  const columns = Array.from({ length: widest }, (_, index) => ({
    value: String(index),
    label: draft.headed ? draft.rows[0]?.[index]?.trim() || `Column ${index + 1}` : `Column ${index + 1}`,
  }));
  const rows = mapRows(draft.headed ? draft.rows.slice(1) : draft.rows, draft.mapping);
  const requests = rows.map((row) => readRowRequest(row, draft.kind));
  const usable = requests.filter((request) => typeof request !== 'string');
  const unusable = rows.filter((_, index) => index >= shownRows && typeof requests[index] === 'string');
  const machines = new Set(
    usable.flatMap((request) => (typeof request === 'string' ? [] : [request.from, request.to])),
  );
  machines.delete(null);
  const operations = ['GetLicenseList', ...machineReads(machines.size)];
  const setColumn = (field: BulkField, value: string | null) => {
    const { [field]: _, ...rest } = draft.mapping;
    change({ mapping: value === null ? rest : { ...rest, [field]: Number(value) } });
  };
  const planning = flow.busy?.request === 'plan' ? flow.busy : null;
  return (
    <section className="bulk-map" aria-label="Columns">
      <div>
        <h2 className="title">{draft.source}</h2>
        <p className="t2">
          {countOf(rows.length, 'row')}, {usable.length} of them usable. Say which column is which. Spaces at the ends
          are removed; otherwise names are sent exactly as written.
        </p>
      </div>
      <div className="row wrap g12 bottom">
        {bulkFields.map((field) => (
          <Select
            key={field}
            label={bulkFieldNames[field]}
            value={draft.mapping[field] === undefined ? null : String(draft.mapping[field])}
            onChange={(value) => setColumn(field, value)}
            data={columns}
            clearable
            rightSectionProps={{}}
            placeholder="none"
            w={168}
          />
        ))}
      </div>
      <div className="row wrap g12">
        <Checkbox
          label="The first row names the columns"
          checked={draft.headed}
          onChange={(event) => change({ headed: event.currentTarget.checked })}
        />
        <span className="row g6">
          <span className="sm t2" id="bulk-kind">
            Rows that name no change
          </span>
          <SegmentedControl
            aria-labelledby="bulk-kind"
            value={draft.kind}
            onChange={(value) => change({ kind: value as ChangeKind })}
            data={[
              { value: 'register', label: 'register' },
              { value: 'unregister', label: 'unregister' },
              { value: 'move', label: 'move' },
            ]}
          />
        </span>
      </div>
      <table className="tbl tight" aria-label="The first rows as they are understood, and rows that cannot be used">
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Licence</th>
            <th scope="col">Change</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
          </tr>
        </thead>
        <tbody>
          {[...rows.slice(0, shownRows), ...unusable.slice(0, shownRows)].map((row) => {
            const request = requests[row.row - 1];
            return (
              <tr key={row.row}>
                <td>{row.row}</td>
                {typeof request === 'string' || request === undefined ? (
                  <td colSpan={4} className="warn">
                    {request}
                  </td>
                ) : (
                  <>
                    <td>{request.licence}</td>
                    <td>{request.kind}</td>
                    <td className="mono">{request.from ?? 'no machine'}</td>
                    <td className="mono">{request.to ?? 'no machine'}</td>
                  </>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="row wrap">
        <PriceButton
          main
          price={priceOfCalls(operations)}
          disabled={usable.length === 0 || flow.busy !== null}
          onClick={() => void planTable(connectionId, client)}
        >
          {`Read ${countOf(machines.size, 'machine')} and plan`}
        </PriceButton>
        <Button disabled={planning !== null} onClick={() => changeBulk(connectionId, { draft: null })}>
          Discard
        </Button>
        {planning && (
          <span className="row sm" role="status">
            Reading the list and each machine once <Elapsed since={planning.since} />
            <StopWaiting onStop={() => bulkCalls.stop(connectionId)} />
          </span>
        )}
      </div>
      <p className="xs t3">Reads only. Nothing is changed before you confirm the plan.</p>
    </section>
  );
}
