import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { LicenceChange } from '../../../shared/domain/licences/licence-change.ts';
import { PriceButton } from '../../components/money/price-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { changeTitle } from '../../features/licences/change/change-messages.ts';
import { planPrice } from '../../features/licences/prices.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { unfinishedChangesQuery } from '../../lib/calls/queries.ts';
import { countOf, formatClock } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { useGo, useScreen } from '../../lib/window/routes.tsx';
import { useNow } from '../../lib/window/use-now.ts';
import './start-notices.css';

const second = 1000;
const hour = 3_600_000;

/** From when a change can be undone; `from` null: now. */
const undoFrom = ({ writeAfter }: LicenceChange, now: number): { from: string | null } => ({
  from: writeAfter !== null && Date.parse(writeAfter) > now ? writeAfter : null,
});

/**
 * Licence changes that an earlier run left half-way: above every screen until somebody goes to Licences, where they are shown themselves,
 * and read aloud once.
 */
export function UnfinishedNotice() {
  const go = useGo();
  const screen = useScreen();
  const startScreen = useRef(screen);
  // Shown on Licences too if the window starts there, since its list may be out of sight; whoever goes there later sees the list.
  const [moved, setMoved] = useState(false);
  useEffect(() => {
    if (screen !== startScreen.current) setMoved(true);
  }, [screen]);
  const there = screen === 'licences' && moved;
  const { data, error, refetch } = useQuery(unfinishedChangesQuery());
  const [later, setLater] = useState(false);
  const ofStart = useRef<ReadonlySet<string> | null>(null);
  if (data && ofStart.current === null) ofStart.current = new Set(data.changes.map(({ id }) => id));
  // One that runs, in another window or since before this window's process ended, is not left half-way: the status bar shows it.
  const open = (data?.changes ?? []).filter(({ id, state }) => ofStart.current?.has(id) && state !== 'running');
  const [first] = open;
  const title = first && `${countOf(open.length, 'licence change')} not finished: ${changeTitle(first)}`;
  const only = open.length === 1 ? first : undefined;
  const now = useNow(only?.writeAfter == null ? hour : second).getTime();
  const undo = only?.offers.includes('undo') ? undoFrom(only, now) : null;
  const leaveFor = (params: Record<string, string>) => {
    setMoved(true);
    go('licences', params);
  };
  const told = useRef(false);
  useEffect(() => {
    if (title === undefined || told.current) return;
    told.current = true;
    announce(title, true);
  }, [title]);
  if (later || there) return null;
  if (error && !data)
    return (
      <div className="start-notices">
        <Notice
          tone="warn"
          announce
          action={
            <span className="row">
              <Button onClick={() => void refetch()}>Try again</Button>
              <Button variant="subtle" color="gray" onClick={() => setLater(true)}>
                Later
              </Button>
            </span>
          }
        >
          <div className="m">Whether a licence change was left unfinished is not known.</div>
          <div className="t2">{errorOf(error).message}</div>
        </Notice>
      </div>
    );
  if (!first) return null;
  return (
    <div className="start-notices">
      <Notice
        tone="warn"
        action={
          <span className="row">
            <Button variant="filled" onClick={() => leaveFor({ show: 'unfinished' })}>
              Look at it
            </Button>
            {undo?.from === null && (
              <PriceButton price={planPrice(first.kind)} onClick={() => leaveFor({ change: first.id, do: 'undo' })}>
                Plan to undo
              </PriceButton>
            )}
            <Button variant="subtle" color="gray" onClick={() => setLater(true)}>
              Later
            </Button>
          </span>
        }
      >
        <div className="m">{title}</div>
        <div className="t2">{first.conclusion}</div>
        {undo !== null && (
          <div className="sm t2">
            {undo.from === null
              ? `To undo it, the list and ${first.kind === 'move' ? 'both machines' : 'the machine'} are read first; nothing is written before you confirm that plan.`
              : `It can be undone from ${formatClock(undo.from)}: what was sent may still take effect.`}
          </div>
        )}
      </Notice>
    </div>
  );
}
