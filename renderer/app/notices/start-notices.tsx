import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AlertNotice } from '../../../shared/domain/credits/credits-history.ts';
import { Notice } from '../../components/notice.tsx';
import { call, listen } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { appInfoQuery, updateStateQuery } from '../../lib/calls/queries.ts';
import { formatTime } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { closeFailure, showFailure, useFailureNotices } from '../../lib/window/failure-notices.ts';
import { useGo } from '../../lib/window/routes.tsx';
import './start-notices.css';

/** What went wrong at the start and was repaired, or what an administrator must fix: above every screen until it is closed. */
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

/** A newer version, above every screen until dismissed: once for each. */
export function UpdateNotice() {
  const client = useQueryClient();
  const go = useGo();
  const { data: state } = useQuery(updateStateQuery());
  const putAway = useMutation({
    mutationFn: (version: string) => call('updates.put-away', { version }),
    onSuccess: (next) => client.setQueryData(updateStateQuery().queryKey, next),
    onError: (thrown) => showFailure(errorOf(thrown)),
  });
  const version = state?.notice ?? null;
  if (!state || version === null) return null;
  return (
    <div className="start-notices">
      <Notice
        announce
        action={
          <>
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => go('settings')}>
              Open Settings
            </Button>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              aria-label={`Close: version ${version}`}
              onClick={() => putAway.mutate(version)}
            >
              Close
            </Button>
          </>
        }
      >
        <span className="m">Version {version} is available.</span>{' '}
        {state.stage === 'ready' ? state.installs : `This is ${state.currentVersion}.`}
      </Notice>
    </div>
  );
}

const mostShown = 3;

/** Alerts on credits, above every screen until each is dismissed: a system notice may be missed. */
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

/**
 * What a person wanted and could not be done, if no place beside the button shows it. It has been read aloud. Earlier ones are drawn once the
 * newest are closed.
 */
export function FailureNotices() {
  const notices = useFailureNotices();
  if (notices.length === 0) return null;
  return (
    <div className="start-notices">
      {notices.slice(0, mostShown).map((one) => (
        <Notice
          key={one.subject}
          tone="warn"
          action={
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              aria-label={`Close: ${one.message}`}
              onClick={() => closeFailure(one)}
            >
              Close
            </Button>
          }
        >
          <span className="m">{one.message}</span> {one.next} <span className="t3">{formatTime(one.at)}</span>
        </Notice>
      ))}
    </div>
  );
}
