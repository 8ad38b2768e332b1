import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ChannelOutput, EventPayload } from '../../shared/contract.ts';
import { drawable } from '../../shared/domain/text/visible-text.ts';
import { type Place, placeIds, places } from '../../shared/places.ts';
import { call } from '../lib/calls/bridge.ts';
import {
  cachedPremisesQuery,
  recentPremisesQuery,
  refreshLocal,
  runningCallsQuery,
  unfinishedChangesQuery,
} from '../lib/calls/queries.ts';
import { selectConnection } from '../lib/connection/select-connection.ts';
import { runCommand } from '../lib/window/commands.ts';
import { useLongTasks } from '../lib/window/long-tasks.ts';
import { part } from '../lib/window/part.tsx';
import { type ScreenId, useGo, useScreen, useWalk } from '../lib/window/routes.tsx';
import { isUnderDialog, useShortcut, useShortcuts } from '../lib/window/shortcuts.ts';
import { useProblemsFocused } from './focus-problem.ts';
import { useBalance } from './frame/balance.ts';
import { Frame } from './frame/frame.tsx';
import { runningTasks, stopTask } from './frame/running-tasks.ts';
import { useFocusKept } from './keep-focus.ts';
import { useMainEvents } from './main-events.ts';
import { openNewWindow } from './new-window.ts';
import { ConnectionDialogsProvider } from './notices/connection-dialogs.tsx';
import { FailureWays } from './notices/failure-ways.tsx';
import { PartNotice } from './notices/part-notice.tsx';
import { Screens } from './screens/visited-screens.tsx';

const nothing = () => null;
const Notices = part(async () => (await import('./notices/notices.tsx')).Notices, nothing);
const Background = part(async () => (await import('./background.tsx')).Background, nothing);
const ShortcutOverlay = part(
  async () => (await import('../features/help/shortcut-overlay.tsx')).ShortcutOverlay,
  nothing,
);
const Palette = part(async () => (await import('./palette/palette.tsx')).Palette, nothing);

const recentCount = 5;

/** The premises opened last whose answer is still saved: free to open again. */
function recentOf(ids: readonly string[], premises: typeof noPremises): { id: string; label: string }[] {
  const wanted = new Set(ids);
  const lines = new Map(premises.flatMap(({ premiseId, line }) => (wanted.has(premiseId) ? [[premiseId, line]] : [])));
  return ids.flatMap((id) => (lines.has(id) ? { id, label: drawable(lines.get(id) ?? '') } : [])).slice(0, recentCount);
}
const otherTitles: Partial<Record<ScreenId, string>> = { help: 'Help', setup: 'Set-up file', support: 'Support file' };
/** The place marked in the navigation while a screen outside it is shown. */
const belongsTo: Partial<Record<ScreenId, Place>> = { setup: 'settings', support: 'activity' };
/** Screens that are shown even if no connection is set up. */
const beforeSetUp: ReadonlySet<ScreenId> = new Set(['first-run', 'help', 'setup']);
const titleOf = (screen: ScreenId) =>
  places.find((place) => place.id === screen)?.label ?? otherTitles[screen] ?? 'Set up';

interface ConsoleFrameProps {
  list: ChannelOutput<'connections.list'>;
}

/** The frame filled from the main process, with the shortcuts, the palette and the screens in it. */
export function ConsoleFrame({ list }: ConsoleFrameProps) {
  const client = useQueryClient();
  const go = useGo();
  const screen = useScreen();
  const walk = useWalk();
  const [finding, setFinding] = useState(false);
  const [listing, setListing] = useState(false);
  const used = list.connections.find((view) => view.connection.id === list.selectedId) ?? null;
  const current = used?.connection ?? null;
  const currentId = current?.id ?? null;
  const cached = useQuery({ ...cachedPremisesQuery(currentId ?? ''), enabled: currentId !== null });
  const opened = useQuery({ ...recentPremisesQuery(currentId ?? ''), enabled: currentId !== null });
  const unfinished = useQuery(unfinishedChangesQuery());
  const running = useQuery(runningCallsQuery());
  const long = useLongTasks();
  const balance = useBalance(used);
  const premises = cached.data?.premises ?? noPremises;
  // The frame is drawn anew with each call that begins or ends, and there may be a hundred thousand premises.
  const recent = useMemo(() => recentOf(opened.data?.premiseIds ?? [], premises), [opened.data, premises]);
  const changes = unfinished.data?.changes ?? [];
  const changesKnown = unfinished.data !== undefined && !unfinished.error;
  const tasks = runningTasks(running.data ?? [], changes, long);

  // Without a connection only the screens of `beforeSetUp` have something to show.
  const enabled = list.connections.length > 0;
  const goTo = (place: Place) => {
    // If Licences is already shown, go back from the opened licence to the list.
    if (enabled) go(place, place === 'licences' && screen === place ? { show: 'list' } : undefined);
  };
  const goToSearch = () => {
    if (enabled) go('lookup', { focus: 'search' });
  };
  const onSwitch = useCallback(
    (connectionId: string) => {
      selectConnection(connectionId).then(
        () => refreshLocal(client, ['connections']),
        () => undefined,
      );
    },
    [client],
  );
  const onMenu = (command: EventPayload<'menu.command'>['command']) => {
    if (command === 'open-palette') setFinding(true);
    // Electron gives the menu every key that the window did not take, also while a dialog is open, such as one that confirms a change.
    else if (isUnderDialog()) return;
    else if (command === 'show-help') go('help');
    else if (command === 'show-shortcuts') setListing(true);
    else if (command === 'focus-search') goToSearch();
    else if (command === 'read-balances') {
      if (!runCommand(command)) goTo('credits');
    } else goTo(command.slice('open-'.length) as Place);
  };
  useMainEvents(onMenu);
  useFocusKept();
  useProblemsFocused();
  useScreenShortcuts(goTo, () => setFinding(true), goToSearch);
  useShortcut('help', () => (screen === 'help' ? walk('back') : go('help')));
  useShortcut('shortcuts', () => setListing(true));
  useShortcut('new-window', openNewWindow);
  useWalking(walk);
  const unset = list.connections.length === 0 && !beforeSetUp.has(screen);
  useEffect(() => {
    if (!unset) return;
    // The list shown may be from before the first connection was made, so main is asked once more before anyone is sent back.
    let left = false;
    call('connections.list', {}).then(
      ({ connections }) => !left && connections.length === 0 && go('first-run'),
      // Not known: the screen stays, and itself says what it cannot read.
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [unset, go]);
  const currentName = current?.name;
  useEffect(() => {
    const names = [titleOf(screen), ...(currentName === undefined ? [] : [drawable(currentName)]), 'Address Console'];
    document.title = names.join(' · ');
  }, [screen, currentName]);

  return (
    <>
      <Frame
        at={places.find((place) => place.id === (belongsTo[screen] ?? screen))?.id ?? null}
        onGo={goTo}
        enabled={enabled}
        connections={list.connections.map((view) => view.connection)}
        current={current}
        onSwitch={onSwitch}
        onManage={() => go(list.connections.length > 0 ? 'connections' : 'first-run')}
        balance={balance}
        onOpenPalette={() => setFinding(true)}
        recent={recent}
        onOpenRecent={(item) => go('lookup', { premise: item.id })}
        running={tasks.length === 0 && !(running.data && changesKnown) ? null : tasks}
        onCancel={stopTask}
        unfinished={changes.length === 0 && (!changesKnown || long.length > 0) ? null : changes.length}
        onShowUnfinished={() => go('licences', { show: 'unfinished' })}
        store={list.store}
      >
        <PartNotice>
          <Background
            go={go}
            connections={list.connections}
            currentId={currentId}
            onSwitch={onSwitch}
            recent={premises}
            screen={screen}
          />
        </PartNotice>
        <PartNotice>
          <Notices />
        </PartNotice>
        <ConnectionDialogsProvider>
          <FailureWays>
            <Screens titleOf={titleOf} />
          </FailureWays>
        </ConnectionDialogsProvider>
      </Frame>
      <PartNotice>
        <Palette opened={finding} onClose={() => setFinding(false)} />
        <ShortcutOverlay
          opened={listing}
          onClose={() => setListing(false)}
          onHelp={() => {
            setListing(false);
            go('help');
          }}
        />
      </PartNotice>
    </>
  );
}

const noPremises: ChannelOutput<'lookup.cached'>['premises'] = [];

/** Back and forward by the keys and by the two side buttons of a mouse. */
function useWalking(walk: ReturnType<typeof useWalk>): void {
  useShortcut('go-back', () => walk('back'));
  useShortcut('go-forward', () => walk('forward'));
  useEffect(() => {
    const onMouseUp = (event: MouseEvent) => {
      if (event.button !== 3 && event.button !== 4) return;
      event.preventDefault();
      walk(event.button === 3 ? 'back' : 'forward');
    };
    document.addEventListener('mouseup', onMouseUp);
    return () => document.removeEventListener('mouseup', onMouseUp);
  }, [walk]);
}

function useScreenShortcuts(goTo: (place: Place) => void, openPalette: () => void, focusSearch: () => void): void {
  useShortcut('palette', openPalette);
  useShortcut('focus-search', focusSearch);
  useShortcuts(placeIds, goTo);
}
