import { Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { OpenTable } from '../../../../shared/domain/batch.ts';
import { Dot } from '../../../components/marks.tsx';
import { Notice } from '../../../components/notice.tsx';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { batchCalls, useBatchForm, useRowsRead } from '../batch-store.ts';
import { planTable } from '../runs.ts';
import { readAs } from '../take-table.ts';
import { ColumnTable } from './column-table.tsx';
import { KindChoice, WantChoice } from './kind-and-wants.tsx';
import { ReadBar } from './read-bar.tsx';

/** The open table: how it was read, what its columns are, what is in it and what is wanted. Nothing here is sent. */
export function TableView({ connectionId, table }: { connectionId: string; table: OpenTable }) {
  const client = useQueryClient();
  const { wants } = useBatchForm(connectionId);
  const { running } = batchCalls.use(connectionId);
  const busy = running !== null;
  const rowsRead = useRowsRead(connectionId);
  return (
    <section className="batch-fill" aria-label="Table">
      <ReadBar connectionId={connectionId} table={table} busy={busy} />
      <div className="batch-scroll">
        <ColumnTable
          table={table}
          disabled={busy}
          onRole={(index, role) => void readAs(connectionId, { roles: [{ index, role }] })}
        />
        <Recognised table={table} />
        <div className="batch-choices">
          {table.earlier && (
            <Notice>
              This is the result file of an earlier batch: {countOf(table.earlier.done, 'row')} with an answer{' '}
              {table.earlier.done === 1 ? 'is' : 'are'} not asked again, whatever you want to know now,{' '}
              {formatNumber(table.earlier.notDone)} not done.
              {table.earlier.unknown > 0 &&
                ` ${countOf(table.earlier.unknown, 'row')} with an unknown outcome may have cost credits, and can be ticked in the result to be asked again.`}
            </Notice>
          )}
          <KindChoice table={table} disabled={busy} onKind={(kind) => void readAs(connectionId, { kind })} />
          <WantChoice connectionId={connectionId} table={table} />
        </div>
      </div>
      <div className="footbar actions batch-foot">
        <span className="t2 grow">
          Nothing has been sent.{' '}
          {rowsRead === null ? (
            <>
              Of {countOf(table.saved, 'row')} something is saved already, not counting repeats;{' '}
              {countOf(table.malformed, 'row')} cannot be asked.
            </>
          ) : (
            <>
              {running?.request === 'plan' ? 'Planned' : 'Read'} so far: {formatNumber(rowsRead)} of{' '}
              {countOf(table.rows, 'row')}.{' '}
              <button type="button" className="link" onClick={() => batchCalls.stop(connectionId)}>
                Stop
              </button>
            </>
          )}
        </span>
        <Button
          variant="filled"
          loading={running?.request === 'plan'}
          disabled={busy || wants.length === 0 || table.rows === 0}
          rightSection={<IconArrowRight size={15} className="ti" aria-hidden="true" />}
          onClick={() => void planTable(client, connectionId)}
        >
          Plan · free
        </Button>
      </div>
    </section>
  );
}

/** By what the columns were recognised, and what is odd in them. */
function Recognised({ table }: { table: OpenTable }) {
  const notes = table.columns.flatMap(({ name, notes: ofColumn }) => ofColumn.map((note) => `${name}: ${note}`));
  return (
    <div className="batch-recognised sm">
      <div className="row wrap g16">
        {table.columns.some(({ by }) => by === 'name') && (
          <span className="mark t2">
            <Dot tone="good" />
            by name and content
          </span>
        )}
        {table.columns.some(({ by }) => by === 'content') && (
          <span className="mark t2">
            <Dot tone="accent" />
            by content only: please check
          </span>
        )}
        <span className="grow" />
        {table.why.map((why) => (
          <span key={why} className="t3">
            {legible(why)}
          </span>
        ))}
      </div>
      {notes.map((note) => (
        <p key={note} className="warn">
          {legible(note)}
        </p>
      ))}
    </div>
  );
}
