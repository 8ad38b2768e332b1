import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { NotRead, NotReadAgain } from '../../../components/read-failure.tsx';
import { machinesQuery } from '../../../lib/licences/machines.ts';
import { followScans } from '../../../lib/licences/scans.ts';
import { followBulks } from '../bulk-run.ts';
import { bulkCalls, movesPlace } from '../bulk-store.ts';
import { changeMoves, useMoves } from '../moves-store.ts';
import { bulkQuery } from '../queries.ts';
import { FindMachine } from './find-machine.tsx';
import { MovesView } from './moves-view.tsx';
import './moves.css';

/** Moves everything of a machine that no longer exists: it is found by an approximate name, and what it was seen with goes to another. */
export function MovesPage({ connection }: { connection: Connection }) {
  const connectionId = connection.id;
  const client = useQueryClient();
  useEffect(() => followBulks(client), [client]);
  useEffect(followScans, []);
  const machines = useQuery(machinesQuery(connectionId));
  const latest = useQuery(bulkQuery(connectionId, true));
  const { shown } = useMoves(connectionId);
  const bulk = latest.data?.bulk ?? null;
  if (!machines.data || !latest.data) return <NotRead of={[machines, latest]} />;
  return (
    <>
      <NotReadAgain of={[machines, latest]} />
      {bulk && (bulk.state === 'running' || shown === bulk.id) ? (
        <MovesView
          key={bulk.id}
          bulk={bulk}
          machines={machines.data.machines}
          onLeave={() => {
            bulkCalls.dismiss(movesPlace(connectionId));
            changeMoves(connectionId, { shown: null });
          }}
        />
      ) : (
        <FindMachine connection={connection} machines={machines.data.machines} earlier={bulk} />
      )}
    </>
  );
}
