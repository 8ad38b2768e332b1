import type { JournalEntry } from '../../../../shared/domain/licence-journal.ts';
import type { MachineHoldings } from '../../../../shared/domain/licence-machines.ts';
import { Fields } from '../../../components/fields.tsx';
import { PaneHead } from '../../../components/pane-head.tsx';
import { formatMoment } from '../../../lib/text/format.ts';
import { useArrivalFocus } from '../../../lib/window/pane-focus.ts';
import { eventWords, machinesOf } from './journal-messages.ts';

const holdings = (list: readonly MachineHoldings[]) =>
  list.map(({ machine, licenceNumbers }) => `${machine}: ${licenceNumbers.join(', ') || 'nothing'}`).join('; ');

/** Everything that one entry of the journal holds. */
export function EntryDetail({ entry, onClose }: { entry: JournalEntry; onClose: () => void }) {
  const title = useArrivalFocus();
  return (
    <section className="licence-detail" aria-label={`Entry ${entry.sequence}`}>
      <PaneHead title={`Entry ${entry.sequence}`} titleRef={title} closeLabel="Close the entry" onClose={onClose} />
      <div className="licence-body">
        <Fields
          labelWidth={110}
          rows={[
            { label: 'Time', value: formatMoment(entry.at) },
            { label: 'By', value: entry.by },
            { label: 'What', value: eventWords[entry.event] },
            { label: 'Step', value: entry.step === null ? 'none' : String(entry.step) },
            { label: 'Text', value: entry.text },
            { label: 'Change', value: <span className="mono wrapped">{entry.changeId}</span> },
            { label: 'Connection', value: entry.connectionName },
            { label: 'Licence', value: entry.licenceNumber },
            { label: 'Machine', value: machinesOf(entry) },
            { label: 'Read before', value: holdings(entry.before) || 'not read' },
            { label: 'Read after', value: holdings(entry.after) || 'not read' },
            { label: 'State after', value: entry.state },
            { label: 'Verdict', value: entry.verdict ?? 'none yet' },
            { label: 'Hash', value: <span className="mono wrapped">{entry.hash}</span> },
            {
              label: 'Hash before',
              value: <span className="mono wrapped">{entry.previousHash || 'none: the first entry'}</span>,
            },
          ]}
        />
      </div>
    </section>
  );
}
