import { Button } from '@mantine/core';
import { IconFileExport, IconFileImport } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { OpenedSetup, SetupExport } from '../../../shared/contract/setup.ts';
import { Breadcrumbs } from '../../components/breadcrumbs.tsx';
import { Failure } from '../../components/failure.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { Notice } from '../../components/notice.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { connectionsQuery } from '../../lib/calls/queries.ts';
import { countOf, formatWhen } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { useGo, useRouteParams } from '../../lib/window/routes.tsx';
import { ImportView } from './import-view.tsx';
import { lastImportQuery } from './queries.ts';
import { SaveView } from './save-view.tsx';
import { UndoImport } from './undo-import.tsx';
import './setup.css';

type View = { kind: 'start' } | { kind: 'save'; prepared: SetupExport } | { kind: 'import'; opened: OpenedSetup };

/** What is set up, as one file without keys: saved for a colleague or another computer, or imported from one. */
export function SetupScreen() {
  const go = useGo();
  const [view, setView] = useState<View>({ kind: 'start' });
  const { data: connections } = useQuery(connectionsQuery());
  const prepare = useMutation({
    mutationFn: () => call('setup.prepare', {}),
    onSuccess: (prepared) => setView({ kind: 'save', prepared }),
  });
  const open = useMutation({
    mutationFn: () => call('setup.open', {}),
    onSuccess: ({ opened }) => {
      if (opened) setView({ kind: 'import', opened });
    },
  });
  const begin = (one: 'save' | 'import') => {
    const [begun, other] = one === 'save' ? [prepare, open] : [open, prepare];
    other.reset();
    begun.mutate();
  };
  useRouteParams('setup', 'setup', ({ do: wanted }) => {
    if (wanted === 'save' || wanted === 'import') begin(wanted);
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (view.kind !== 'start') heading.current?.focus();
  }, [view.kind]);
  const show = (next: View) => {
    prepare.reset();
    open.reset();
    setView(next);
  };
  const back = () => show({ kind: 'start' });
  const title =
    view.kind === 'import' ? view.opened.fileName : view.kind === 'save' ? 'Save the set-up' : 'Set-up file';
  const error = prepare.error ?? open.error;
  const isFirst = connections?.connections.length === 0;

  return (
    <>
      <div className="pagebar">
        <Breadcrumbs
          places={[
            isFirst
              ? { name: 'Set up', onOpen: () => go('first-run') }
              : { name: 'Settings', label: 'Back to the settings', onOpen: () => go('settings') },
            ...(view.kind === 'start' ? [] : [{ name: 'Set-up file', onOpen: back }]),
          ]}
        />
        <ScreenTitle ref={heading}>
          <MiddleCut text={title} />
        </ScreenTitle>
      </div>
      {error && (
        <div className="pad pane-b">
          <Failure error={errorOf(error)} />
        </div>
      )}
      {view.kind === 'save' && <SaveView key={view.prepared.exportId} prepared={view.prepared} onClose={back} />}
      {view.kind === 'import' && (
        <ImportView
          key={view.opened.importId}
          opened={view.opened}
          onOpened={(opened) => show({ kind: 'import', opened })}
          onClose={back}
        />
      )}
      {view.kind === 'start' && (
        <div className="setup-start">
          <p className="t2">
            Connections, caps and alerts, machines, labels, views, notes, reminders and saved lookups as one file. Keys
            and folders of this computer are left out, so it can be handed to a colleague or taken to another computer.
          </p>
          <div className="row wrap g12">
            <Button
              leftSection={<IconFileImport size={15} className="ti" aria-hidden="true" />}
              loading={open.isPending}
              onClick={() => begin('import')}
            >
              Import a set-up…
            </Button>
            <Button
              leftSection={<IconFileExport size={15} className="ti" aria-hidden="true" />}
              loading={prepare.isPending}
              onClick={() => begin('save')}
            >
              Save this set-up…
            </Button>
          </div>
          <p className="sm t3">Both are shown first, line by line, and cost no credits.</p>
          <LastImport />
        </div>
      )}
    </>
  );
}

function LastImport() {
  const { data } = useQuery(lastImportQuery());
  const [undone, setUndone] = useState<string | null>(null);
  const last = data?.last;
  if (!last) return undone && <Notice tone="good">{undone}</Notice>;
  return (
    <Notice action={<UndoImport key={last.at} onUndone={setUndone} />}>
      Last import: {legible(last.fileName)}, {formatWhen(last.at)}, {countOf(last.changes, 'change')}.
    </Notice>
  );
}
