import { ActionIcon, Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { LedgerEntry } from '../../../../shared/domain/credits/credits.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { Fields } from '../../../components/fields.tsx';
import { Mono } from '../../../components/marks.tsx';
import { CallEvidence, ReadBalance } from '../../../components/money/call-evidence.tsx';
import { ClaimQuote, moneyText } from '../../../components/money/money-claims.tsx';
import { WaysOn } from '../../../components/money/ways-on.tsx';
import { PaneHead } from '../../../components/pane-head.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import { formatCredits, formatMoment, formatNumber } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { useArrivalFocus } from '../../../lib/window/pane-focus.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { useCreditsEvidence } from '../use-credits-evidence.ts';
import { entryText, fallText } from './entry-text.ts';

interface EntryPaneProps {
  connectionId: string;
  entry: LedgerEntry;
  formatSubject: (subject: string) => string;
  onNote: (entry: LedgerEntry) => void;
  onClose: () => void;
}

/** One entry beside the ledger: its claims, what they said before, the facts behind them, and what can be done. */
export function EntryPane({ connectionId, entry, formatSubject, onNote, onClose }: EntryPaneProps) {
  const title = useArrivalFocus();
  const go = useGo();
  const { copied, copy } = useCopy();
  const { kind, operation, subject, callId, madeUp, note } = entry;
  const address = formatSubject(subject);
  const opened = useRef(false);
  useEffect(() => {
    // The focus stays in the table, so what opened beside it is announced.
    if (!opened.current) announce(madeUp ? 'Made up for the demo connection.' : moneyText(entry.claims));
    opened.current = true;
  }, [madeUp, entry.claims]);
  return (
    <section className="ledger-entry" aria-label={`${operation} ${address}`.trim()}>
      <PaneHead
        title={kind === 'movement' || address === '' ? operation : address}
        titleRef={title}
        closeLabel="Close the entry"
        onClose={onClose}
      >
        <ActionIcon
          aria-label="Copy the entry"
          title="Copy the entry"
          onClick={() => copy(entryText(entry), 'the entry')}
        >
          <IconCopy size={15} className="ti" aria-hidden="true" />
        </ActionIcon>
        {copied && <CopiedNote copied={copied} />}
      </PaneHead>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is */}
      <section className="call-body" aria-label="The entry" tabIndex={0}>
        {madeUp ? <p className="sm t2">Made up for the demo connection.</p> : <ClaimQuote claims={entry.claims} />}
        {note !== '' && <p className="sm">Your note: “{note}”</p>}
        {callId !== null && !madeUp && <EvidencePart connectionId={connectionId} callId={callId} />}
        <div className="col g6">
          <h3 className="h">{kind === 'movement' ? 'The movement' : 'The call'}</h3>
          <Fields labelWidth={108} rows={factsOf(entry)} />
        </div>
      </section>
      <div className="ledger-entry-foot">
        {kind === 'movement' ? (
          <Button onClick={() => onNote(entry)}>{note === '' ? 'Say what it was…' : 'Change your note…'}</Button>
        ) : (
          !madeUp && <WaysOn operation={operation} subject={subject} isSaved={address !== subject} />
        )}
        {callId !== null && !madeUp && (
          <Button variant="subtle" color="gray" onClick={() => go('activity', { call: callId })}>
            Show in Activity
          </Button>
        )}
      </div>
    </section>
  );
}

/** The facts in the row or beside it. A reading that a charge of the call may still change is not its balance after. */
function factsOf(entry: LedgerEntry) {
  const { at, since, kind, operation, paidBy, expected, balanceBefore, balanceAfter, person, callId, madeUp } = entry;
  const balance = (credits: number | null) => (credits === null ? 'not known' : formatNumber(credits));
  if (kind === 'movement')
    return [
      { label: 'Seen', value: formatMoment(at) },
      ...(since === null ? [] : [{ label: 'Since', value: formatMoment(since) }]),
      { label: 'Balance before', value: balance(balanceBefore) },
      { label: 'Balance after', value: balance(balanceAfter) },
      { label: 'Read with', value: paidBy },
    ];
  return [
    { label: 'Sent', value: formatMoment(at) },
    { label: 'Operation', value: operation },
    { label: 'Asked for', value: entry.subject },
    { label: 'Paid by', value: paidBy },
    { label: 'Person', value: person || 'not recorded' },
    { label: 'Published price', value: formatCredits(expected, 'not published') },
    // For a call that was made, the evidence above has these facts.
    ...(madeUp
      ? [
          { label: 'Fall seen', value: fallText(entry) },
          { label: 'Balance before', value: balance(balanceBefore) },
          { label: 'Balance after', value: balance(balanceAfter) },
        ]
      : []),
    ...(callId === null ? [] : [{ label: 'Call', value: <Mono>{callId}</Mono> }]),
  ];
}

/** What was read and sent around the call, and the reading that may show more of it. */
function EvidencePart({ connectionId, callId }: { connectionId: string; callId: string }) {
  const known = useCreditsEvidence(connectionId, callId);
  const { evidence, isOpen, underWay } = known;
  return (
    <div className="col g6">
      <h3 className="h">Evidence</h3>
      <CallEvidence {...known} factsOnly />
      {evidence.data && isOpen && (
        <div className="row wrap">
          <ReadBalance {...known} />
          {underWay && <Waiting call={underWay} />}
        </div>
      )}
    </div>
  );
}
