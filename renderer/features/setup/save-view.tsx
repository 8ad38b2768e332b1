import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { SetupExport } from '../../../shared/contract/setup.ts';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { SavedNote } from '../../components/saved-note.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatBytes } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { announce } from '../../lib/window/announce.ts';
import { countOfRows, orphans } from './setup-rows.ts';
import { SetupTable } from './setup-table.tsx';

/** What would be in the file, before it is saved: each line can be left out. */
export function SaveView({ prepared, onClose }: { prepared: SetupExport; onClose: () => void }) {
  const { rows, leftOut, searched, unread, exportId } = prepared;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(rows.map(({ id }) => id)));
  const locked = orphans(rows, chosen);
  const without = rows.filter(({ id }) => !chosen.has(id) || locked.has(id)).map(({ id }) => id);
  const save = useMutation({
    mutationFn: () => call('setup.save', { exportId, without }),
    meta: { subject: 'Saving the set-up' },
    onSuccess: ({ saved, fileName }) => announce(saved ? `Saved in ${fileName}` : 'Nothing was saved.'),
  });
  const onChoose = (some: readonly string[], wanted: boolean) =>
    setChosen((now) => (wanted ? new Set([...now, ...some]) : new Set([...now].filter((id) => !some.includes(id)))));
  const count = countOfRows(rows.filter(({ id }) => !without.includes(id)));
  const { data } = save;
  return (
    <div className="beside setup-beside">
      <div className="col setup-main">
        <div className="subbar">
          <span className="m" role="status">
            {countOf(count, 'thing')} in the file
          </span>
          <span className="t3">{without.length === 0 ? formatBytes(prepared.bytes) : 'some left out'}</span>
        </div>
        <div className="table-scroll">
          <SetupTable
            label="What the file contains"
            rows={rows}
            chosen={chosen}
            onChoose={onChoose}
            locked={locked}
            compared={false}
          />
          {rows.length === 0 && (
            <p className="pad t2">
              Nothing is set up here yet. The demo connection is not part of a set-up: each program makes its own.
            </p>
          )}
        </div>
      </div>
      <aside className="col pane-r insetbg setup-side" aria-label="The file">
        <div className="setup-side-body">
          <div>
            <h2 className="h">What is not in it</h2>
            <ul className="sm t2 setup-not">
              <li>Keys: of each only its label and its last four</li>
              <li>This computer’s addresses and folders, and its name unless it is among the machines</li>
              <li>Calls, answers, the ledger and the journal</li>
              <li>The demo connection, and what is set up under Settings</li>
            </ul>
          </div>
          {leftOut.length > 0 && (
            <Notice tone="warn">
              Left out, because it contains what looks like a key:
              <ul className="setup-not">
                {leftOut.map((one, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two places may read alike, and none moves
                  <li key={index}>{legible(one)}</li>
                ))}
              </ul>
            </Notice>
          )}
          <p className="sm t2">
            {searched === 0
              ? 'No key could be searched for.'
              : `Searched for ${countOf(searched, 'key')}: none is in it.`}
            {unread > 0 &&
              ` ${countOf(unread, 'key')} could not be read, so ${unread === 1 ? 'it was' : 'they were'} not searched for.`}
          </p>
          {data && <SavedNote saved={data.saved}>{`Saved in ${data.fileName}, ${formatBytes(data.bytes)}.`}</SavedNote>}
          {save.error && <Failure error={errorOf(save.error)} />}
        </div>
        <div className="col g6 pane-t pad">
          <Button
            variant="filled"
            fullWidth
            loading={save.isPending}
            disabled={count === 0}
            leftSection={<IconDownload size={15} className="ti" aria-hidden="true" />}
            onClick={() => save.mutate()}
          >
            Save the file…
          </Button>
          <Button fullWidth onClick={onClose}>
            {data?.saved ? 'Close' : 'Cancel'}
          </Button>
        </div>
      </aside>
    </div>
  );
}
