import type { UseQueryResult } from '@tanstack/react-query';
import type { CreditsOverview } from '../../../shared/domain/credits.ts';
import { AlertsPane } from './alerts-pane.tsx';
import { CapsPane } from './caps-pane.tsx';

export interface CapsAndAlertsProps {
  connectionId: string;
  overview: UseQueryResult<CreditsOverview>;
  editing: boolean;
  onEdit: (editing: boolean) => void;
  full: boolean;
}

/** What may be spent and when somebody is told; on its own tab both can be changed. */
export function CapsAndAlerts({ connectionId, overview, editing, onEdit, full }: CapsAndAlertsProps) {
  return (
    <>
      {overview.data && (
        <CapsPane
          connectionId={connectionId}
          overview={overview.data}
          editing={full && editing}
          onEdit={onEdit}
          brief={!full}
        />
      )}
      {overview.error && !overview.data && (
        <p className="pad sm t2">
          The caps could not be read, with the figures.{' '}
          <button type="button" className="link" onClick={() => void overview.refetch()}>
            Read the caps again
          </button>
        </p>
      )}
      <AlertsPane connectionId={connectionId} editing={full} />
    </>
  );
}
