import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Notice } from '../../components/notice.tsx';
import { changeTitle } from '../../features/licences/change/change-messages.ts';
import { unfinishedChangesQuery } from '../../lib/calls/queries.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { useGo, useScreen } from '../../lib/window/routes.tsx';
import './start-notices.css';

/** Licence changes that an earlier run left half-way: over every screen until somebody goes to Licences, where they stand themselves, and read aloud once. */
export function UnfinishedNotice() {
  const go = useGo();
  const screen = useScreen();
  const startScreen = useRef(screen);
  // A start on Licences says it too: its list may be out of sight. Who goes there has seen it.
  const [moved, setMoved] = useState(false);
  useEffect(() => {
    if (screen !== startScreen.current) setMoved(true);
  }, [screen]);
  const there = screen === 'licences' && moved;
  const { data } = useQuery(unfinishedChangesQuery());
  const [later, setLater] = useState(false);
  const ofStart = useRef<ReadonlySet<string> | null>(null);
  if (data && ofStart.current === null) ofStart.current = new Set(data.changes.map(({ id }) => id));
  const open = (data?.changes ?? []).filter(({ id }) => ofStart.current?.has(id));
  const [first] = open;
  const title = first && `${countOf(open.length, 'licence change')} not finished: ${changeTitle(first)}`;
  const told = useRef(false);
  useEffect(() => {
    if (title === undefined || told.current) return;
    told.current = true;
    announce(title, true);
  }, [title]);
  if (!first || later || there) return null;
  return (
    <div className="start-notices">
      <Notice
        tone="warn"
        action={
          <span className="row">
            <Button
              onClick={() => {
                setMoved(true);
                go('licences', { show: 'unfinished' });
              }}
            >
              Look at it
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setLater(true)}>
              Later
            </Button>
          </span>
        }
      >
        <div className="m">{title}</div>
        <div className="t2">{first.conclusion}</div>
      </Notice>
    </div>
  );
}
