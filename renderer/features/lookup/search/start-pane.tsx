import { IconMapSearch } from '@tabler/icons-react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../../shared/domain/credits.ts';
import { Failure } from '../../../components/failure.tsx';
import { Held } from '../../../components/marks.tsx';
import { EmptyState } from '../../../components/state.tsx';
import { errorOf } from '../../../lib/calls/errors.ts';
import { formatPrice, formatWhen } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { useHeldPremises, usePremise } from '../premise/use-premise.ts';

const mostShown = 8;

/** Before the first search: what the box takes, what it costs, and what is held and free to open. */
export function StartPane({ connection, price }: { connection: Connection; price: ShownPrice | null }) {
  const held = useHeldPremises(connection);
  const { open } = usePremise(connection);
  const latest = [...held.premises].sort((a, b) => b.at.localeCompare(a.at)).slice(0, mostShown);
  return (
    <div className="lookup-start">
      <EmptyState
        icon={<IconMapSearch size={24} stroke={1.5} />}
        title="Look up an address"
        foot={price ? `A search: ${formatPrice(price)}. Opening what is saved: free.` : undefined}
      >
        Type a postcode, a street, a business or a building, then press Enter. Typing asks nobody and costs nothing.
      </EmptyState>
      {held.error ? (
        <div className="pad">
          <Failure error={errorOf(held.error)} />
        </div>
      ) : (
        latest.length > 0 && (
          <section className="lookup-lately" aria-label="Recent, free to open again">
            <h2 className="h">Recent, free to open again</h2>
            <ul className="plain">
              {latest.map((premise) => (
                <li key={premise.premiseId}>
                  <button
                    type="button"
                    className="bare lookup-held-row"
                    onClick={() => void open(premise.premiseId, premise.line, { heldShown: true })}
                  >
                    <span className="trunc grow">{legible(premise.line)}</span>
                    <span className="xs t3 nowrap">{formatWhen(premise.at)}</span>
                    <Held />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )
      )}
    </div>
  );
}
