import type { UseQueryResult } from '@tanstack/react-query';
import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import type { CreditsOverview } from '../../../../shared/domain/credits.ts';
import { AlertsPane } from './alerts-pane.tsx';
import { isCapped } from './caps.ts';
import { CapsPane } from './caps-pane.tsx';
import { SeparateKeys } from './separate-keys.tsx';
import { UnpricedOperations } from './unpriced-operations.tsx';

export interface CapsAndAlertsProps {
  view: ConnectionView;
  overview: UseQueryResult<CreditsOverview>;
  editing: boolean;
  onEdit: (editing: boolean) => void;
  full: boolean;
}

/** What may be spent and when somebody is told; on its own tab both can be changed. */
export function CapsAndAlerts({ view, overview, editing, onEdit, full }: CapsAndAlertsProps) {
  const connectionId = view.connection.id;
  return (
    <>
      <div className="credits-caps-side">
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
        {full && overview.data && (
          <UnpricedOperations connectionId={connectionId} capped={isCapped(overview.data.caps)} />
        )}
        {full && <SeparateKeys view={view} />}
      </div>
      <AlertsPane connectionId={connectionId} editing={full} />
    </>
  );
}
