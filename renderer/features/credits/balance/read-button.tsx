import { IconRefresh } from '@tabler/icons-react';
import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { type At, readBalance, useReading } from './read-balances.ts';
import { missingFor, sourcePrice } from './sources.ts';

/** Reads the free source. Those without a published price have their own buttons, each on its own figure. */
export function ReadButton({ at, view, onRead }: { at: At; view: ConnectionView; onRead: () => void }) {
  const { running } = useReading(at.connectionId, 'rest-key');
  const missing = missingFor('rest-key', view);
  return (
    <PriceButton
      price={sourcePrice('rest-key')}
      disabled={missing !== null || running !== null}
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
