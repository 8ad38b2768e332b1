import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { AlertNotice } from '../../../shared/domain/credits-history.ts';
import { Notice } from '../../components/notice.tsx';
import { listen } from '../../lib/calls/bridge.ts';
import { formatTime } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { useGo } from '../../lib/window/routes.tsx';

const mostShown = 3;

/** Alerts on credits, over every screen until each is put away: a notice of the system may be missed. */
export function CreditAlerts() {
  const go = useGo();
  const [notices, setNotices] = useState<readonly AlertNotice[]>([]);
  useEffect(
    () =>
      listen('credits.alert', (notice) => {
        setNotices((now) => [notice, ...now].slice(0, mostShown));
        announce(`${notice.connectionName}: ${notice.title}. ${notice.text}`, true);
      }),
    [],
  );
  return notices.map((notice) => (
    <Notice
      key={`${notice.at} ${notice.title}`}
      tone="warn"
      action={
        <>
          <Button variant="subtle" color="gray" onClick={() => go('credits')}>
            Open Credits
          </Button>
          <Button
            variant="subtle"
            color="gray"
            aria-label={`Close: ${notice.title}`}
            onClick={() => setNotices((now) => now.filter((one) => one !== notice))}
          >
            Close
          </Button>
        </>
      }
    >
      <span className="m">
        {notice.connectionName}: {notice.title}.
      </span>{' '}
      {notice.text} <span className="t3">{formatTime(notice.at)}</span>
    </Notice>
  ));
}
