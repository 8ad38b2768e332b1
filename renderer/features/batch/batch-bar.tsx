import { useQuery } from '@tanstack/react-query';
import type { Batch } from '../../../shared/domain/batch.ts';
import { Breadcrumbs } from '../../components/breadcrumbs.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { showBatches, useBatchForm } from './batch-store.ts';
import { type BatchStep, BatchSteps } from './parts.tsx';
import { batchQuery } from './queries.ts';
import { leaveTable } from './take-table.ts';

/** Whether a table or a batch is open for a connection: its bar then replaces the tabs. */
export const useBatchOpen = (connectionId: string): boolean => useBatchForm(connectionId).view !== 'start';

const stepOf = ({ state }: Batch): BatchStep =>
  state === 'planned' ? 1 : state === 'done' || state === 'stopped' ? 3 : 2;

/** The way back at the left, the steps of the batch at the right. */
export function BatchBar({ connectionId, onLookup }: { connectionId: string; onLookup: () => void }) {
  const form = useBatchForm(connectionId);
  const { data } = useQuery({ ...batchQuery(form.batchId ?? ''), enabled: form.view === 'batch' });
  const table = form.view === 'table';
  const name = table ? (form.table?.name ?? '') : (data?.name ?? '');
  const back = () => (table ? leaveTable(connectionId) : showBatches(connectionId));
  return (
    <>
      <Breadcrumbs
        places={[
          { name: 'Lookup', onOpen: onLookup },
          { name: 'Batch', onOpen: back },
        ]}
      />
      <ScreenTitle className="grow">
        <MiddleCut text={name} />
      </ScreenTitle>
      {(table || data) && <BatchSteps now={data && !table ? stepOf(data) : 0} />}
    </>
  );
}
