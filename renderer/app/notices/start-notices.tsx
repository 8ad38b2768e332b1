import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Notice } from '../../components/notice.tsx';
import { appInfoQuery } from '../../lib/calls/queries.ts';
import './start-notices.css';

/** What went wrong at the start and was mended, or what an administrator must mend: above every screen until it is closed. */
export function StartNotices() {
  const { data: info } = useQuery(appInfoQuery());
  const [closed, setClosed] = useState<readonly string[]>([]);
  const open = (info?.startNotices ?? []).filter((text) => !closed.includes(text));
  if (open.length === 0) return null;
  return (
    <div className="start-notices">
      {open.map((text) => (
        <Notice
          key={text}
          tone="warn"
          announce
          action={
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setClosed([...closed, text])}>
              Close
            </Button>
          }
        >
          {text}
        </Notice>
      ))}
    </div>
  );
}
