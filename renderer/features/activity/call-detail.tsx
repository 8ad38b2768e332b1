import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import { errorCodes } from '../../../shared/errors.ts';
import { CopiedNote } from '../../components/copied-note.tsx';
import { Fields } from '../../components/fields.tsx';
import { Mono } from '../../components/marks.tsx';
import { Notice } from '../../components/notice.tsx';
import { PaneHead } from '../../components/pane-head.tsx';
import { useArrivalFocus } from '../../lib/window/pane-focus.ts';
import { useCopy } from '../../lib/window/use-copy.ts';
import { callText, factsOf } from './call-messages.ts';

/** All that the log keeps of one call. */
export function CallDetail({ call, onClose }: { call: CallRecord; onClose: () => void }) {
  const title = useArrivalFocus();
  const { copied, copy } = useCopy();
  const known = errorCodes[call.errorCode as keyof typeof errorCodes];
  return (
    <section className="call-detail" aria-label={`${call.operation} ${call.subject}`}>
      <PaneHead title={call.operation} titleRef={title} closeLabel="Close the call" onClose={onClose} />
      <div className="call-body">
        {known && (
          <Notice tone={call.outcome === 'unknown' ? 'warn' : 'danger'}>
            <span className="m">{known.what}</span> <span className="t2">{known.next}</span>
          </Notice>
        )}
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
          {copied && <CopiedNote copied={copied} />}
        </div>
      </div>
    </section>
  );
}
