import { Button } from '@mantine/core';
import { IconClipboardText, IconFileImport, IconTableImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { ariaShortcut, shortcutText } from '../../../lib/window/shortcuts.ts';
import { changeBatchForm } from '../batch-store.ts';
import { batchListQuery } from '../queries.ts';
import { saveSample } from '../runs.ts';
import { openSample, openTable } from '../take-table.ts';
import { EarlierBatches } from './earlier-batches.tsx';

const can: readonly { rows: string; asks: string; credits: string }[] = [
  { rows: 'Postcodes', asks: 'does it exist · all premises', credits: '0 to 1' },
  {
    rows: 'Addresses, one column or several',
    asks: 'does it exist · in full · coordinates · UPRN · UDPRN',
    credits: '0 to 3',
  },
  { rows: 'Premise ids', asks: 'in full · coordinates · UPRN', credits: '0 to 2' },
  { rows: 'UDPRNs', asks: 'in full · coordinates · UPRN', credits: '0 to 2' },
  { rows: 'Organisations with a town', asks: 'in full · coordinates · UPRN · UDPRN', credits: '0 to 3' },
];

const how: readonly [string, string][] = [
  ['Before', 'The plan shows the rows, the calls, and the fewest and most credits. You set the limit.'],
  ['During', 'Pause or stop at any moment, and carry on later. A row with an answer is not asked again.'],
  ['After', 'Your columns in their order, the answers beside them, and a price for each row.'],
];

/** Shown if nothing is open: ways to open a table, what can be asked for it, and earlier batches. */
export function BatchStart({ connectionId }: { connectionId: string }) {
  // Read anew at each visit, since a command may have begun or ended one.
  const list = useQuery({ ...batchListQuery(connectionId), refetchOnMount: 'always' });
  return (
    <div className="beside batch-start">
      <div className="batch-start-main">
        <section className="batch-drop" aria-labelledby="batch-drop-title">
          <IconTableImport size={34} stroke={1.3} className="t3 fixed" aria-hidden="true" />
          <div className="grow">
            <h2 className="title" id="batch-drop-title">
              Drop a table anywhere in this window
            </h2>
            <p className="t2">CSV, TSV or Excel. The price comes first.</p>
          </div>
          <div className="row wrap">
            <Button
              leftSection={<IconClipboardText size={15} className="ti" aria-hidden="true" />}
              onClick={() => changeBatchForm(connectionId, { pasting: true })}
              aria-keyshortcuts={ariaShortcut('paste')}
            >
              Paste <kbd className="batch-kbd">{shortcutText('paste')}</kbd>
            </Button>
            <Button
              variant="filled"
              leftSection={<IconFileImport size={15} className="ti" aria-hidden="true" />}
              onClick={() => void openTable(connectionId)}
            >
              Open a table…
            </Button>
          </div>
        </section>
        <section>
          <div className="row between">
            <h3 className="h">What it can do</h3>
            <span className="row g16">
              <button type="button" className="link sm" onClick={() => void openSample(connectionId)}>
                Try it with a sample
              </button>
              <button type="button" className="link sm" onClick={() => void saveSample(connectionId)}>
                Save a sample file…
              </button>
            </span>
          </div>
          <table className="tbl batch-can" aria-label="What it can do">
            <colgroup>
              <col className="rows" />
              <col />
              <col className="price" />
            </colgroup>
            <thead>
              <tr>
                <th scope="col">In your table</th>
                <th scope="col">What you can ask for</th>
                <th scope="col" className="num">
                  Credits a row
                </th>
              </tr>
            </thead>
            <tbody>
              {can.map(({ rows, asks, credits }) => (
                <tr key={rows}>
                  <td className="m wraps">{rows}</td>
                  <td className="t2 wraps">{asks}</td>
                  <td className="num">{credits}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="sm t3 batch-under">
            0 where the answer is saved already, where an earlier row asks the same, or where the search is free over
            SOAP and nothing else is asked for. Published prices.
          </p>
        </section>
        <section>
          <h3 className="h">How it goes</h3>
          <dl className="batch-how sm">
            {how.map(([when, what]) => (
              <div key={when}>
                <dt className="t3">{when}</dt>
                <dd className="t2">{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <aside className="col pane-r insetbg" aria-label="Earlier batches">
        {list.error ? (
          <div className="pad">
            <ReadFailure of={list} />
          </div>
        ) : (
          <EarlierBatches connectionId={connectionId} batches={list.data?.batches ?? null} />
        )}
      </aside>
    </div>
  );
}
