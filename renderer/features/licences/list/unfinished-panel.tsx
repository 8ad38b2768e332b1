import { useQuery } from '@tanstack/react-query';
import type { LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import { Notice } from '../../../components/notice.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { unfinishedChangesQuery } from '../../../lib/calls/queries.ts';
import { legible } from '../../../lib/text/legible.ts';
import { changeTitle, describeRunning } from '../change/change-messages.ts';
import type { Flow } from '../flow.ts';
import { type At, showChange } from '../flow.ts';

interface UnfinishedPanelProps {
  at: At;
  flow: Flow;
}

/** Changes that stopped half-way or are under way, above everything else on the screen. */
export function UnfinishedPanel({ at, flow }: UnfinishedPanelProps) {
  const read = useQuery(unfinishedChangesQuery());
  const changes = read.data?.changes ?? [];
  if (!read.error && changes.length === 0) return null;
  return (
    <section className="unfinished" aria-label="Unfinished changes">
      <ReadFailure of={read} subject="Unfinished changes" />
      {changes.map((change) => {
        const now = flow.change?.id === change.id ? flow.change : change;
        return (
          <Notice
            key={change.id}
            {...(now.state === 'running' ? {} : { tone: 'warn' as const })}
            action={
              <button type="button" className="link" onClick={() => showChange(at.connectionId, now)}>
                {now.state === 'running' ? 'Show' : 'Read, finish or undo'}
                <span className="spoken">: {legible(changeTitle(now))}</span>
              </button>
            }
          >
            <UnfinishedText change={now} elsewhere={change.connectionId !== at.connectionId} />
          </Notice>
        );
      })}
    </section>
  );
}

function UnfinishedText({ change, elsewhere }: { change: LicenceChange; elsewhere: boolean }) {
  const at = change.steps.find((step) => step.state === 'running');
  return (
    <>
      <span className="m">
        {change.state === 'running' ? 'Under way' : 'Unfinished'}: {legible(changeTitle(change))}
      </span>
      {elsewhere && <span className="t2"> on {legible(change.connectionName)}</span>}
      {change.state === 'running' && at ? `, step ${at.number} of ${change.steps.length}. ` : '. '}
      <span className="t2">{legible(change.state === 'running' ? describeRunning(change) : change.conclusion)}</span>
    </>
  );
}
