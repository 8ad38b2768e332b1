import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import { publishedPrice } from '../../../shared/domain/credits/published-price.ts';
import { errorCodes } from '../../../shared/errors.ts';
import { CopiedNote } from '../../components/copied-note.tsx';
import { Fields } from '../../components/fields.tsx';
import { Mono } from '../../components/marks.tsx';
import { ClaimSentences, toneOfClaims } from '../../components/money/money-claims.tsx';
import { PriceButton } from '../../components/money/price-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { PaneHead } from '../../components/pane-head.tsx';
import { evidenceQuery } from '../../lib/answers/use-evidence.ts';
import { useArrivalFocus } from '../../lib/window/pane-focus.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { useCopy } from '../../lib/window/use-copy.ts';
import { callText, factsOf } from './call-messages.ts';

/** Operations that open one premise, whose answer Lookup shows again or asks for. */
const opensPremise: Readonly<Record<string, 'rest' | 'soap'>> = { GetPremise: 'rest', GetPremiseAddress: 'soap' };

interface CallDetailProps {
  call: CallRecord;
  /** The address of the premise it was about, where that is saved; null: it is not. */
  address: string | null;
  /** The connection in use is the call's own: what it asked can be asked again. */
  isCurrent: boolean;
  onClose: () => void;
}

/** All that the log keeps of one call, what may be said of its cost, and the ways on: the free one first. */
export function CallDetail({ call, address, isCurrent, onClose }: CallDetailProps) {
  const title = useArrivalFocus();
  const { copied, copy } = useCopy();
  const known = errorCodes[call.errorCode as keyof typeof errorCodes];
  const evidence = useQuery({ ...evidenceQuery(call.id), enabled: call.expectedCredits !== 0 });
  const claims = evidence.data?.claims ?? [];
  const tone = toneOfClaims(claims);
  return (
    <section className="call-detail" aria-label={`${call.operation} ${call.subject}`}>
      <PaneHead title={address ?? call.operation} titleRef={title} closeLabel="Close the call" onClose={onClose} />
      <div className="call-body">
        {isCurrent && <WaysOn call={call} isSaved={address !== null} />}
        {known && (
          <Notice tone={call.outcome === 'unknown' ? 'warn' : 'danger'}>
            <span className="m">{known.what}</span> <span className="t2">{known.next}</span>
          </Notice>
        )}
        {claims.length > 0 && (
          <div className={tone === undefined ? 'notice' : `notice ${tone}`}>
            <div className="col g4">
              <ClaimSentences claims={claims} />
            </div>
          </div>
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

/** The saved answer for nothing, and asking again at its price. What is only put into a form names no price: its button there does. */
function WaysOn({ call, isSaved }: { call: CallRecord; isSaved: boolean }) {
  const go = useGo();
  const protocol = opensPremise[call.operation];
  if (protocol) {
    return (
      <div className="row wrap">
        {isSaved && (
          <PriceButton
            price={{ kind: 'credits', credits: 0 }}
            main
            onClick={() => go('lookup', { premise: call.subject })}
          >
            Open the saved answer
          </PriceButton>
        )}
        <PriceButton
          price={publishedPrice(call.operation)}
          onClick={() => go('lookup', { premise: call.subject, again: protocol })}
        >
          Ask again
        </PriceButton>
      </div>
    );
  }
  if (call.operation === 'Search') {
    return (
      <div className="row wrap">
        <Button onClick={() => go('lookup', { text: call.subject, focus: 'search' })}>
          Put it into the search box
        </Button>
      </div>
    );
  }
  if (call.operation === 'GetCredits') return null;
  return (
    <div className="row wrap">
      <Button onClick={() => go('lookup', { tab: 'operations', operation: call.operation })}>Open its form</Button>
    </div>
  );
}
