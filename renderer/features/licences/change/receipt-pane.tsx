import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type LicenceChange, nameLicence } from '../../../../shared/domain/licences/licence-change.ts';
import { drawable } from '../../../../shared/domain/text/visible-text.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { Failure } from '../../../components/failure.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { formatMoment } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { type At, type Flow, resumeChange } from '../flow.ts';
import { describeCheck } from '../journal/journal-messages.ts';
import { checkPrice, planPrice } from '../prices.ts';
import { journalCheckQuery } from '../queries.ts';
import { undoText } from './change-messages.ts';
import { Pair } from './confirm-pane.tsx';
import { UnderWayLine } from './under-way-line.tsx';
import { VerdictTag } from './verdict-tag.tsx';

/** A change that has ended: its receipt, the journal's check, and what can still be done. */
export function ReceiptPane({ at, flow, change }: { at: At; flow: Flow; change: LicenceChange }) {
  const { copied, copy } = useCopy();
  const check = useQuery(journalCheckQuery(change.journal?.hash ?? change.id));
  const busy = flow.busy !== null;
  const undo = undoText(change);
  return (
    <>
      <div className="row between">
        <h3 className="h pane-title">Receipt</h3>
        <VerdictTag change={change} />
      </div>
      <Receipt change={change} />
      <div className="col g4">
        <Button
          className="wide"
          leftSection={<IconCopy size={15} className="ti" aria-hidden="true" />}
          onClick={() =>
            copy(
              call('licences.receipt', { changeId: change.id }).then(({ text }) => text),
              'the receipt',
            )
          }
        >
          Copy
        </Button>
        {copied && <CopiedNote copied={copied} />}
      </div>
      {change.offers.includes('check') && (
        <PriceButton
          className="wide"
          price={checkPrice(change.kind)}
          disabled={busy}
          onClick={() => void resumeChange(at, change, 'check')}
        >
          Check again
        </PriceButton>
      )}
      {change.offers.includes('undo') && (
        <div className="col g4">
          <PriceButton
            className="wide"
            price={planPrice(change.kind)}
            disabled={busy}
            leftSection={<IconArrowBackUp size={15} className="ti" aria-hidden="true" />}
            onClick={() => void resumeChange(at, change, 'undo')}
          >
            {undo.verb}
          </PriceButton>
          <p className="xs t3">{legible(undo.what)} Planning reads; nothing is written before you confirm that plan.</p>
        </div>
      )}
      <UnderWayLine at={at} flow={flow} />
      {flow.failure && flow.failure.doing !== 'read' && flow.failure.doing !== 'ask' && (
        <Failure error={flow.failure.error} />
      )}
      {check.data && (
        <Notice tone={check.data.intact ? 'good' : 'danger'}>
          {check.data.intact ? `Journal checked: ${describeCheck(check.data)}.` : describeCheck(check.data)}
        </Notice>
      )}
      {check.error && <Failure error={errorOf(check.error)} />}
    </>
  );
}

function Receipt({ change }: { change: LicenceChange }) {
  const said = change.serviceText;
  return (
    <dl className="receipt">
      <Pair label="Licence">
        {change.licenceReference.trim()
          ? `${nameLicence(change)}, id ${change.licenceNumber}`
          : `id ${change.licenceNumber}`}
      </Pair>
      {change.fromMachine !== null && <Pair label="From">{change.fromMachine}</Pair>}
      <Pair label={change.fromMachine === null ? 'Machine' : 'To'}>{change.machine}</Pair>
      {change.finishedAt && <Pair label="Closed">{formatMoment(change.finishedAt)}</Pair>}
      <Pair label="By">{change.by}</Pair>
      <Pair label="Connection">{change.connectionName}</Pair>
      {change.undoOf !== null && <Pair label="Undoes">an earlier change</Pair>}
      <Pair label="The service said">
        {said.length === 0 ? 'nothing' : said.map((text) => `“${drawable(text)}”`).join(', ')}
      </Pair>
      {change.journal && (
        <>
          <Pair label="Journal">
            {change.journal.first === change.journal.last
              ? `entry ${change.journal.first}`
              : `entries ${change.journal.first} to ${change.journal.last}`}
          </Pair>
          <div className="sm hash">
            <dt className="t2">Entry hash, SHA-256</dt>
            <dd className="mono sel">{change.journal.hash.replace(/(.{4})(?=.)/g, '$1 ')}</dd>
          </div>
        </>
      )}
    </dl>
  );
}
