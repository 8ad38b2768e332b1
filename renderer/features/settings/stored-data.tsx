import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Settings } from '../../../shared/contract/app.ts';
import type { ChannelOutput } from '../../../shared/contract.ts';
import type { StoredPart, TidyProgress } from '../../../shared/domain/stored-data.ts';
import { Failure } from '../../components/failure.tsx';
import { type FieldRow, Fields } from '../../components/fields.tsx';
import { call, cancelCall, listen, newRequestId } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatBytes } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { Setting } from './setting.tsx';
import { describeProgress, describeTidied, type Sizes } from './stored-messages.ts';

const sizesKey = ['stored', 'sizes'] as const;

/** How large each part of what is stored is, which rule applies to it, and the rules applied now. */
export function StoredData({ settings }: { settings: Settings }) {
  const client = useQueryClient();
  const sizes = useQuery({
    queryKey: sizesKey,
    queryFn: () => call('stored.sizes', {}),
    refetchOnMount: 'always',
  });
  const tidy = useTidy(() => {
    void client.invalidateQueries({ queryKey: sizesKey });
    void client.invalidateQueries({ queryKey: ['lookup'] });
  });
  return (
    <section aria-labelledby="settings-stored" className="wide">
      <h2 className="h" id="settings-stored">
        Stored data
      </h2>
      {sizes.error ? (
        <Failure error={errorOf(sizes.error)} />
      ) : sizes.data ? (
        <Fields labelWidth={180} rows={rowsOf(sizes.data, settings)} />
      ) : (
        <p className="sm t3" role="status">
          Measuring…
        </p>
      )}
      <Setting
        title="Apply these rules now"
        about="They are applied each hour by themselves. Now also gives all unused space in the database back to the disk."
      >
        <div className="row wrap">
          {tidy.running ? <Button onClick={tidy.stop}>Stop</Button> : <Button onClick={tidy.start}>Tidy now</Button>}
          <span className="sm" role="status">
            {tidy.running ? describeProgress(tidy.progress) : tidy.done ? describeTidied(tidy.done) : ''}
          </span>
        </div>
        {tidy.error && <Failure error={tidy.error} />}
      </Setting>
    </section>
  );
}

function useTidy(onEnd: () => void) {
  const requestId = useRef('');
  const [progress, setProgress] = useState<TidyProgress | null>(null);
  useEffect(() => listen('stored.progress', setProgress), []);
  const tidy = useMutation({
    mutationFn: () => {
      setProgress(null);
      requestId.current = newRequestId();
      return call('stored.tidy', {}, { requestId: requestId.current });
    },
    onSuccess: (done) => announce(describeTidied(done)),
    onSettled: onEnd,
  });
  return {
    start: () => tidy.mutate(),
    stop: () => cancelCall(requestId.current),
    running: tidy.isPending,
    progress,
    done: tidy.data,
    error: tidy.error ? errorOf(tidy.error) : null,
  };
}

type Part = ChannelOutput<'stored.sizes'>['parts'][number];

const nothingRead = { bytes: 0, rows: 0 };

function rowsOf(sizes: Sizes, settings: Settings): FieldRow[] {
  const partOf = (part: StoredPart): Pick<Part, 'bytes' | 'rows'> =>
    sizes.parts.find((one) => one.part === part) ?? nothingRead;
  const size = (part: StoredPart, one?: string, many?: string) => {
    const { bytes, rows } = partOf(part);
    return one === undefined || rows === null
      ? formatBytes(bytes)
      : `${formatBytes(bytes)}, ${countOf(rows, one, many)}`;
  };
  const whole = sizes.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    { label: 'Database', value: formatBytes(whole), from: 'the parts below, but for batches and copies' },
    { label: 'Activity', value: size('activity', 'call'), from: 'kept: it shows what left this computer' },
    { label: 'Ledger', value: size('ledger', 'entry', 'entries'), from: 'kept' },
    {
      label: 'Balance readings',
      value: size('readings', 'reading'),
      from: `after ${countOf(sizes.keptReadingDays, 'day')}, of readings alike with no call between them, the first and last of each quarter of an hour are kept${
        sizes.readingsRemoved > 0 ? `; ${countOf(sizes.readingsRemoved, 'other')} removed so far` : ''
      }`,
    },
    {
      label: 'Saved answers',
      value: size('answers', 'answer'),
      from: `removed when out of date, the oldest when they take more than ${settings.cacheMegabytes} MB`,
    },
    { label: 'Licences, machines', value: size('licences'), from: 'kept, with the journal' },
    { label: 'Everything else', value: size('other'), from: 'connections without keys, settings, saved lookups' },
    {
      label: 'Unused space',
      value: size('unused'),
      from: 'inside the database; given back to the disk by itself when it is more than a tenth',
    },
    {
      label: 'Rows of batches',
      value: `${formatBytes(sizes.batches.bytes)}, ${countOf(sizes.batches.files, 'file')}`,
      from: `removed ${countOf(settings.batchDays, 'day')} after the end of a batch`,
    },
    {
      label: 'Copies of the database',
      value: `${formatBytes(sizes.copies.bytes)}, ${countOf(sizes.copies.files, 'file')}`,
      from: 'one a day and one before each new version; the last 5 are kept',
    },
  ];
}
