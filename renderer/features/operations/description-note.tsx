import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Connection } from '../../../shared/domain/connection.ts';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { listKey } from './queries.ts';

/** Whether the service's description has been read; without it nobody knows what else the service can do. */
export function DescriptionNote({ connection, describedAt }: { connection: Connection; describedAt: string | null }) {
  const client = useQueryClient();
  const read = useMutation({
    mutationFn: () => call('connections.read-description', { connectionId: connection.id }),
    onSuccess: ({ operationsFound, onlyInDescription }) => {
      announce(`Description read: ${countOf(operationsFound, 'operation')}, ${onlyInDescription.length} not published`);
      return client.invalidateQueries({ queryKey: listKey(connection.id) });
    },
  });
  if (connection.soapUrl === '' || (describedAt !== null && !read.error)) return null;
  return (
    <div className="ops-description pane-t">
      {read.error ? (
        <p className="xs danger" role="status">
          {errorOf(read.error).message} {errorOf(read.error).next}
        </p>
      ) : (
        <p className="xs t3">The service’s description has not been read; it may know more operations.</p>
      )}
      <Button className="small" loading={read.isPending} onClick={() => read.mutate()}>
        Read the description · free
      </Button>
    </div>
  );
}
