import { Button, Loader } from '@mantine/core';
import { Failure } from '../../../components/failure.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { Elapsed } from '../../../components/state.tsx';
import type { Flow } from '../flow.ts';
import { type At, dismissFailure, readLicences, stopWaiting } from '../flow.ts';
import { listPrice } from '../prices.ts';

/** A read of the list that is under way or failed, above the list last seen, which stays. */
export function ReadState({ at, flow, hasList }: { at: At; flow: Flow; hasList: boolean }) {
  if (flow.busy?.doing === 'read' && hasList) {
    return (
      <div className="subbar" aria-busy="true">
        <Loader size={12} aria-hidden="true" />
        <span className="m">Reading the licences</span>
        <Elapsed since={flow.busy.since} />
        <button type="button" className="link" onClick={() => stopWaiting(at.connectionId)}>
          Stop waiting
        </button>
        <span className="t3">
          Below is what was read last. Its price is not published: stopping takes nothing back.
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
