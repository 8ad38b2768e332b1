import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { formatWhen } from '../../lib/text/format.ts';
import { shapeKey, shapeQuery } from './queries.ts';

/** Says that the service has begun to answer in the other of the two published shapes, until it is put away. */
export function ShapeNotice({ connectionId }: { connectionId: string }) {
  const client = useQueryClient();
  const { data } = useQuery(shapeQuery(connectionId));
  const dismiss = useMutation({
    mutationFn: () => call('lookup.dismiss-shape-change', { connectionId }),
    onSuccess: () => client.invalidateQueries({ queryKey: shapeKey(connectionId) }),
  });
  if (!data?.change) return null;
  const { from, to, at } = data.change;
  return (
    <div className="pad pane-b">
      <Notice
        tone="warn"
        announce
        action={
          <button type="button" className="link" disabled={dismiss.isPending} onClick={() => dismiss.mutate()}>
            Put away
          </button>
        }
      >
        <span className="m">This service now answers in shape {to}.</span> It answered in shape {from} until{' '}
        {formatWhen(at)}. Integrations that read shape {from} may break; both are read here. The way to the UPRN is
        planned anew: {to === 'A' ? 'geo data has it again.' : 'geo data no longer has it.'}
      </Notice>
      {dismiss.error && <Failure error={errorOf(dismiss.error)} />}
    </div>
  );
}
