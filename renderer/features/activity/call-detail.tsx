import { Button } from '@mantine/core';
import { IconCopy, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import { errorCodes } from '../../../shared/errors.ts';
import { CopiedNote } from '../../components/copied-note.tsx';
import { Fields } from '../../components/fields.tsx';
import { Mono } from '../../components/marks.tsx';
import { ClaimQuote } from '../../components/money/money-claims.tsx';
import { WaysOn } from '../../components/money/ways-on.tsx';
import { Notice } from '../../components/notice.tsx';
import { PaneHead } from '../../components/pane-head.tsx';
import { evidenceQuery } from '../../lib/answers/use-evidence.ts';
import { connectionsQuery } from '../../lib/calls/queries.ts';
import { useConnectionDialogs } from '../../lib/connection/connection-dialogs.ts';
import { useArrivalFocus } from '../../lib/window/pane-focus.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { useCopy } from '../../lib/window/use-copy.ts';
import { callText, factsOf } from './call-messages.ts';

interface CallDetailProps {
  call: CallRecord;
  /** The address of the call's premise; null: not saved. */
  address: string | null;
  /** Whether the connection in use is the call's, so that the same can be asked again. */
  isCurrent: boolean;
  onClose: () => void;
}

/** The key that a refused call was paid by; null if it was removed, if several keys have its label, and on the demo connection. */
function keyOf({ connectionId, paidBy }: CallRecord, connections: readonly ConnectionView[]) {
  const view = connections.find(({ connection }) => connection.id === connectionId);
  const [key, ...others] = view?.secrets.filter(({ label }) => label === paidBy) ?? [];
  return view && view.connection.kind !== 'demo' && key && others.length === 0 ? { view, id: key.id } : null;
}

/** Everything the log has of one call, the claims about its cost, and what can be done next, the free first. */
export function CallDetail({ call, address, isCurrent, onClose }: CallDetailProps) {
  const go = useGo();
  const title = useArrivalFocus();
  const { copied, copy } = useCopy();
  const known = errorCodes[call.errorCode as keyof typeof errorCodes];
  const evidence = useQuery({ ...evidenceQuery(call.id), enabled: call.expectedCredits !== 0 });
  const dialogs = useConnectionDialogs();
  const connections = useQuery(connectionsQuery()).data?.connections ?? [];
  const key = dialogs && call.errorCode === 'credentials-refused' ? keyOf(call, connections) : null;
  const claims = evidence.data?.claims ?? [];
  return (
    <section className="call-detail" aria-label={`${call.operation} ${call.subject}`}>
      <PaneHead title={address ?? call.operation} titleRef={title} closeLabel="Close the call" onClose={onClose} />
      <div className="call-body">
        {isCurrent && <WaysOn operation={call.operation} subject={call.subject} isSaved={address !== null} />}
        {known && (
          <Notice
            tone={call.outcome === 'unknown' ? 'warn' : 'danger'}
            action={
              key && (
                <Button onClick={() => dialogs?.replaceKey({ view: key.view, why: known.what, secretId: key.id })}>
                  Replace the key…
                </Button>
              )
            }
          >
            <span className="m">{known.what}</span> <span className="t2">{known.next}</span>
          </Notice>
        )}
        {claims.length > 0 && <ClaimQuote claims={claims} />}
        <Fields
          labelWidth={116}
          rows={factsOf(call).map(({ label, value, note }) => ({
            label,
            value: value && (
              <>
                {label === 'Call' || label === 'Code' ? <Mono>{value}</Mono> : value}{' '}
                {note && <span className="t3 xs">{note}</span>}
              </>
            ),
          }))}
        />
        <div className="row wrap">
          <Button
            leftSection={<IconCopy size={15} className="ti" aria-hidden="true" />}
            onClick={() => copy(callText(call), 'the call')}
          >
            Copy the call
          </Button>
          <Button
            leftSection={<IconFileText size={15} className="ti" aria-hidden="true" />}
            onClick={() => go('support', { call: call.id, from: 'activity' })}
          >
            Support file…
          </Button>
          {copied && <CopiedNote copied={copied} />}
        </div>
      </div>
    </section>
  );
}
