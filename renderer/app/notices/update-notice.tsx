import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Notice } from '../../components/notice.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { updateStateQuery } from '../../lib/calls/queries.ts';
import { useGo } from '../../lib/window/routes.tsx';
import './start-notices.css';

/** A newer version, over every screen until it is put away: once for each. */
export function UpdateNotice() {
  const client = useQueryClient();
  const go = useGo();
  const { data: state } = useQuery(updateStateQuery());
  const putAway = useMutation({
    mutationFn: (version: string) => call('updates.put-away', { version }),
    onSuccess: (next) => client.setQueryData(updateStateQuery().queryKey, next),
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
        <span className="m">Version {version} is there.</span>{' '}
        {state.stage === 'ready' ? 'It is installed when you close the program.' : `This is ${state.currentVersion}.`}
      </Notice>
    </div>
  );
}
