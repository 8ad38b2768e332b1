import { IconRefresh } from '@tabler/icons-react';
import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { type At, readBalance, useReads } from './read-balances.ts';
import { missingFor, sourcePrice } from './sources.ts';

/** Reads the free source. Those without a published price have their own buttons, each on its own figure. */
export function ReadButton({ at, view, onRead }: { at: At; view: ConnectionView; onRead: () => void }) {
  const reads = useReads(at.connectionId);
  const missing = missingFor('rest-key', view);
  const busy = reads.underWay['rest-key'] !== undefined;
  return (
    <PriceButton
      price={sourcePrice('rest-key')}
      disabled={missing !== null || busy}
      title={missing === null ? undefined : `The connection has no ${missing}`}
      leftSection={<IconRefresh size={15} className="ti" aria-hidden="true" />}
      onClick={() => {
        onRead();
        void readBalance(at, 'rest-key');
      }}
    >
      Read balance
    </PriceButton>
  );
}
