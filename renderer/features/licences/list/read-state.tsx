import { Button, Loader } from '@mantine/core';
import { IconLicense } from '@tabler/icons-react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Failure } from '../../../components/failure.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { EmptyState, State, UnderWay } from '../../../components/state.tsx';
import { StopWaiting } from '../../../components/waiting.tsx';
import { useCompletion } from '../../../lib/connection/connection-dialogs.ts';
import { missingForLicences } from '../../../lib/connection/missing-for-licences.ts';
import { useConnection } from '../../../lib/connection/use-connection.ts';
import { formatWhen } from '../../../lib/text/format.ts';
import { type At, dismissFailure, type Flow, readLicences, stopWaiting } from '../flow.ts';
import { listPrice } from '../prices.ts';

/** A read of the list that is under way or failed, above the list last seen, which stays. */
export function ReadState({ at, flow, hasList }: { at: At; flow: Flow; hasList: boolean }) {
  if (flow.busy?.doing === 'read' && hasList) {
    return (
      <div className="subbar" aria-busy="true">
        <Loader size={12} aria-hidden="true" />
        <span className="m">Reading the licences</span>
        <Elapsed since={flow.busy.since} />
        <StopWaiting onStop={() => stopWaiting(at.connectionId)} />
        <span className="t3">
          Below is what was read last. Its price is not published. Once it is sent, stopping does not take it back.
        </span>
      </div>
    );
  }
  if (flow.failure?.doing !== 'read') return null;
  return (
    <div className="pad pane-b">
      <Failure
        error={flow.failure.error}
        actions={
          <>
            <PriceButton price={listPrice()} disabled={flow.busy !== null} onClick={() => void readLicences(at)}>
              Read again
            </PriceButton>
            <Button variant="subtle" color="gray" onClick={() => dismissFailure(at.connectionId)}>
              {hasList ? 'Show what was read last' : 'Close'}
            </Button>
          </>
        }
      />
    </div>
  );
}

interface NoLicencesProps {
  at: At;
  connection: Connection;
  flow: Flow;
  /** null: the list was never read. */
  readAt: string | null;
}

/** If no licence can be listed: never read, being read for the first time, or an account without any. */
export function NoLicences({ at, connection, flow, readAt }: NoLicencesProps) {
  const again = (
    <PriceButton main price={listPrice()} disabled={flow.busy !== null} onClick={() => void readLicences(at)}>
      Read licences
    </PriceButton>
  );
  const view = useConnection();
  const missing = missingForLicences(view);
  const completion = useCompletion(view, missing);
  if (missing !== null)
    return (
      <State
        kind="cannot-act"
        icon={<IconLicense size={24} stroke={1.5} />}
        title={`Licences need ${missing.words}`}
        actions={
          <Button variant="filled" onClick={completion.open}>
            {completion.label}
          </Button>
        }
      >
        They are read over SOAP with the account’s own credentials, which your provider has.
      </State>
    );
  const reading = flow.busy?.doing === 'read' ? flow.busy : null;
  // The failure above and the page bar already have a button that reads again.
  if (readAt === null && flow.failure?.doing === 'read') return null;
  if (readAt === null) {
    if (reading) {
      return (
        <UnderWay
          doing={`Reading the licences of ${connection.name}`}
          since={reading.since}
          onStop={() => stopWaiting(connection.id)}
          foot="The price of this call is not published."
        />
      );
    }
    return (
      <EmptyState
        icon={<IconLicense size={24} stroke={1.5} />}
        title={`The licences of ${connection.name} have not been read yet`}
        actions={again}
        foot="Saved on this computer afterwards, so that you can see them without a network."
      >
        One call reads them all: their seats, credits and expiry.
      </EmptyState>
    );
  }
  return (
    <State
      kind="nothing"
      icon={<IconLicense size={24} stroke={1.5} />}
      title="The service named no licences"
      actions={again}
    >
      Its answer named none, read {formatWhen(readAt)}.
    </State>
  );
}
