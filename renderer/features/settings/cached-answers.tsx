import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Settings } from '../../../shared/contract/app.ts';
import { Failure } from '../../components/failure.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatBytes, formatNumber } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { useRefreshAfterCalls } from '../../lib/window/use-refresh-after-calls.ts';
import { NumberSetting } from './number-setting.tsx';
import { Setting } from './setting.tsx';

const storeKey = ['lookup', 'store'] as const;

interface CachedAnswersProps {
  settings: Settings;
  onMegabytes: (cacheMegabytes: number) => void;
}

/** How much is saved, the limit, and the ways to remove answers. Removed answers were paid for: asking again may cost again. */
export function CachedAnswers({ settings, onMegabytes }: CachedAnswersProps) {
  const client = useQueryClient();
  const { data: store } = useQuery({
    queryKey: [...storeKey, settings.cachePolicy, settings.cacheMegabytes],
    queryFn: () => call('lookup.store', {}),
    refetchOnMount: 'always',
  });
  // Counting a hundred thousand takes main a moment.
  useRefreshAfterCalls(storeKey, 5000);
  const [sure, setSure] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (sure) keep.current?.focus();
  }, [sure]);
  const purge = useMutation({
    mutationFn: (what: 'outdated' | 'all') => call('lookup.purge', { what }),
    meta: { subject: 'Removing saved answers' },
    onSuccess: ({ removed }) => {
      setSure(false);
      announce(`Removed ${countOf(removed, 'saved answer')}`);
      void client.invalidateQueries({ queryKey: ['lookup'] });
    },
  });
  return (
    <>
      <Setting title="Space" about="When it is full, the oldest answers are removed first.">
        <NumberSetting
          label="Space for saved answers"
          unit="MB"
          min={1}
          max={4096}
          value={settings.cacheMegabytes}
          onSave={onMegabytes}
        />
        {store && (
          <div className="meter thick" aria-hidden="true">
            <i style={{ width: `${Math.min(100, (store.bytes / store.limitBytes) * 100)}%` }} />
          </div>
        )}
        {store && (
          <p className="sm" role="status">
            {formatBytes(store.bytes)} used by {countOf(store.answers, 'answer')}
            {store.outdated > 0 && <span className="warn">, {formatNumber(store.outdated)} of them out of date</span>}.
          </p>
        )}
      </Setting>
      <Setting title="Remove saved answers" about="Ledger, activity and journal stay.">
        {purge.error && <Failure error={errorOf(purge.error)} />}
        <div className="row wrap">
          {store && store.outdated > 0 && (
            <Button disabled={purge.isPending} onClick={() => purge.mutate('outdated')}>
              Remove what is out of date
            </Button>
          )}
          {sure && store ? (
            <>
              <span className="sm">
                All are removed from the database; its copies have none. Asking for them again costs what it costs then.
              </span>
              <Button color="red" disabled={purge.isPending} onClick={() => purge.mutate('all')}>
                Remove all {countOf(store.answers, 'answer')}
              </Button>
              <Button ref={keep} onClick={() => setSure(false)}>
                Keep them
              </Button>
            </>
          ) : (
            <Button disabled={!store || store.answers === 0} onClick={() => setSure(true)}>
              Remove all saved answers…
            </Button>
          )}
        </div>
      </Setting>
    </>
  );
}
