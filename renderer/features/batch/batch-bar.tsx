import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Batch } from '../../../shared/domain/batch.ts';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
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
      <nav className="row g6 batch-crumbs" aria-label="Where this is">
        <button type="button" className="bare t3 m" onClick={onLookup}>
          Lookup
        </button>
        <IconChevronRight size={15} className="ti t3 fixed" aria-hidden="true" />
        <button type="button" className="bare t3 m" onClick={back}>
          Batch
        </button>
        <IconChevronRight size={15} className="ti t3 fixed" aria-hidden="true" />
      </nav>
      <ScreenTitle className="grow">
        <MiddleCut text={drawable(name)} />
      </ScreenTitle>
      <BatchSteps now={table ? 0 : data ? stepOf(data) : 1} />
    </>
  );
}
