import { Button, Checkbox } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OpenedSetup } from '../../../shared/contract/setup.ts';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatDate } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { refreshSetUp } from './queries.ts';
import { countOfRows, orphans, suggested, sumText, untickedConnections } from './setup-rows.ts';
import { SetupTable } from './setup-table.tsx';
import { UndoImport } from './undo-import.tsx';
import { nameOfWanted, WantedKeys } from './wanted-keys.tsx';

interface ImportViewProps {
  opened: OpenedSetup;
  onOpened: (opened: OpenedSetup) => void;
  onClose: () => void;
}

/** Compares a set-up file with what is here: changes are chosen line by line and then made all at once. */
export function ImportView({ opened, onOpened, onClose }: ImportViewProps) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState(() => suggested(opened.rows));
  const [onlyChanges, setOnlyChanges] = useState(false);
  const [taken, setTaken] = useState<number | null>(null);
  const [undone, setUndone] = useState<string | null>(null);
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const [imports, setImports] = useState(0);
  const show = (next: OpenedSetup) => {
    setChosen(suggested(next.rows));
    onOpened(next);
  };
  const take = useMutation({
    mutationFn: (rows: string[]) => call('setup.import', { importId: opened.importId, rows }),
    meta: { subject: `Importing ${opened.fileName}` },
    onSuccess: ({ changes, opened: next }) => {
      setTaken(changes);
      setUndone(null);
      announce(`${countOf(changes, 'change')} imported.`);
      show(next);
      setImports((now) => now + 1);
      refreshSetUp(client);
    },
  });
  const look = useMutation({
    mutationFn: () => call('setup.look', { importId: opened.importId }),
    onSuccess: (next) => {
      take.reset();
      show(next);
    },
  });
  const lookAgain = useMutation({
    mutationFn: () => call('setup.look', { importId: opened.importId }),
    onSuccess: onOpened,
  });
  const onUndone = (said: string) => {
    setTaken(null);
    setUndone(said);
    look.mutate();
  };

  const { rows } = opened;
  const unticked = untickedConnections(rows, chosen);
  const keys = opened.keys.filter(({ connection }) => !unticked.has(connection));
  const locked = orphans(rows, unticked);
  const ids = rows.filter(({ id, open }) => open && chosen.has(id) && !locked.has(id)).map(({ id }) => id);
  const count = countOfRows(rows.filter(({ id }) => ids.includes(id)));
  const shown = onlyChanges ? rows.filter(({ open, state }) => open || state === 'refused') : rows;
  const wanted = keys.filter(({ state }) => state !== 'here');
  const given = wanted.filter((key) => key.connectionId === null && typed.get(nameOfWanted(key))?.trim()).length;
  const later = wanted.length - given;
  const onChoose = (some: readonly string[], wanted: boolean) =>
    setChosen((now) => {
      const next = new Set(now);
      for (const id of some) {
        if (wanted) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  const error = take.error ?? look.error ?? lookAgain.error;

  return (
    <div className="beside setup-beside">
      <div className="col setup-main">
        <div className="subbar">
          <span className="m" role="status">
            {sumText(rows)}
          </span>
          <span className="t2 trunc">saved {formatDate(opened.savedAt)}</span>
          <span className="grow" />
          <Checkbox
            label="Only what changes"
            checked={onlyChanges}
            onChange={(event) => setOnlyChanges(event.currentTarget.checked)}
          />
        </div>
        {undone !== null && (
          <Notice tone="good" announce>
            {undone}
          </Notice>
        )}
        {taken !== null && (
          <Notice tone="good" announce action={<UndoImport onUndone={onUndone} />}>
            {countOf(taken, 'change')} imported. It can be undone for 30 days or until the next import, here or under
            Settings, Set-up file.
          </Notice>
        )}
        {error && (
          <div className="pad">
            <Failure
              error={errorOf(error)}
              actions={<Button onClick={() => look.mutate()}>Look at it again · free</Button>}
            />
          </div>
        )}
        <div className="table-scroll">
          <SetupTable
            label="What the file would change"
            rows={shown}
            chosen={chosen}
            onChoose={onChoose}
            locked={locked}
            compared
          />
          {shown.length === 0 && (
            <p className="pad t2">
              {rows.length === 0 ? 'There is nothing in this file.' : 'This file changes nothing here.'}
            </p>
          )}
        </div>
        <div className="footbar two-notes">
          <span className="t2">
            Nothing is removed. Of two caps the stricter one is ticked; whatever else differs stays until you tick it.
          </span>
        </div>
      </div>
      <aside className="col pane-r insetbg setup-side" aria-label="Keys">
        <div className="setup-side-body">
          <WantedKeys
            keys={keys}
            typed={typed}
            onTyped={(name, value) => setTyped((now) => new Map(now).set(name, value))}
            imports={imports}
            onSaved={() => {
              lookAgain.mutate();
              refreshSetUp(client);
            }}
          />
        </div>
        <div className="col g6 pane-t pad">
          <Button
            variant="filled"
            fullWidth
            loading={take.isPending}
            disabled={ids.length === 0}
            onClick={() => take.mutate(ids)}
          >
            {count === 0 ? 'Nothing is ticked' : `Import ${countOf(count, 'change')} · free`}
          </Button>
          <Button fullWidth onClick={onClose}>
            {taken === null ? 'Cancel' : 'Close'}
          </Button>
          {given > 0 && <span className="xs t2">{countOf(given, 'key')} to be saved with the connection</span>}
          {later > 0 && <span className="xs t2">{countOf(later, 'key')} can be given later</span>}
        </div>
      </aside>
    </div>
  );
}
