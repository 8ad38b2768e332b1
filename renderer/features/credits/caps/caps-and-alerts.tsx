import { Checkbox } from '@mantine/core';
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import type { CreditsOverview } from '../../../../shared/domain/credits/credits.ts';
import { Failure } from '../../../components/failure.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { about, errorOf } from '../../../lib/calls/errors.ts';
import { countOf } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { refreshCredits, separateQuery } from '../queries.ts';
import { AlertsPane } from './alerts-pane.tsx';
import { type CapName, cappedBy } from './caps.ts';
import { CapsPane } from './caps-pane.tsx';
import { UnpricedOperations } from './unpriced-operations.tsx';

interface CapsAndAlertsProps {
  view: ConnectionView;
  overview: UseQueryResult<CreditsOverview>;
  /** The cap that is being changed; null: none. */
  editing: CapName | null;
  onEdit: (editing: CapName | null) => void;
  full: boolean;
}

/** What may be spent and when somebody is notified; on its own tab both can be changed. */
export function CapsAndAlerts({ view, overview, editing, onEdit, full }: CapsAndAlertsProps) {
  const connectionId = view.connection.id;
  return (
    <>
      <div className="credits-caps-side">
        {overview.data && (
          <CapsPane
            connectionId={connectionId}
            overview={overview.data}
            editing={full ? editing : null}
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
        {full && overview.data && <UnpricedOperations connectionId={connectionId} capped={cappedBy(overview.data)} />}
        {full && <SeparateKeys view={view} />}
      </div>
      <AlertsPane connectionId={connectionId} secrets={view.secrets} editing={full} />
    </>
  );
}

/** Where a person says whether each key has a balance of its own; nothing for a connection with one key. */
function SeparateKeys({ view }: { view: ConnectionView }) {
  const client = useQueryClient();
  const connectionId = view.connection.id;
  const keys = view.secrets.filter(({ role }) => role === 'lookup-key' || role === 'master-key').length;
  const separate = useQuery({ ...separateQuery(connectionId), enabled: keys > 1 });
  const say = useMutation({
    mutationFn: (wanted: boolean) => call('credits.say-separate', { connectionId, separate: wanted }),
    meta: { subject: 'Saying whether the keys have separate balances', connectionId },
    onSuccess: (now) => {
      client.setQueryData(separateQuery(connectionId).queryKey, now);
      announce(now.separate ? 'Each key has a balance of its own.' : 'The keys may share one balance.');
      refreshCredits(client, connectionId);
    },
  });
  if (keys < 2) return null;
  return (
    <section className="credits-separate" aria-labelledby="credits-separate-title">
      <h2 className="h" id="credits-separate-title">
        Keys
      </h2>
      <ReadFailure of={separate} subject="Keys" />
      {say.error && <Failure error={about('Keys', errorOf(say.error))} />}
      {separate.data && (
        <Checkbox
          label="These keys have separate balances"
          description={`This connection has ${countOf(keys, 'key')}. As long as nobody has said that their balances are separate, a call with one key may have caused a fall that another key shows, and the sentences in the ledger allow for that. Ticking this works out the ledger again.`}
          checked={separate.data.separate}
          disabled={say.isPending}
          onChange={(event) => say.mutate(event.currentTarget.checked)}
        />
      )}
    </section>
  );
}
