import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Settings } from '../../../shared/contract/app.ts';
import type { ChannelOutput } from '../../../shared/contract.ts';
import type { StoredPart, Tidied, TidyProgress } from '../../../shared/domain/stored-data.ts';
import { Failure } from '../../components/failure.tsx';
import { ReadFailure } from '../../components/read-failure.tsx';
import { call, cancelCall, listen, newRequestId } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatBytes } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { Setting } from './setting.tsx';

const sizesKey = ['stored', 'sizes'] as const;

/** The size of each part of the stored data, the rule for it, and a button that applies the rules now. */
export function StoredData({ settings }: { settings: Settings }) {
  const client = useQueryClient();
  const sizes = useQuery({
    queryKey: sizesKey,
    queryFn: () => call('stored.sizes', {}),
    refetchOnMount: 'always',
  });
  const tidy = useTidy(() => void client.invalidateQueries({ queryKey: sizesKey }));
  return (
    <section aria-labelledby="settings-stored" className="wide">
      <h2 className="h" id="settings-stored">
        Stored data
      </h2>
      {sizes.error ? (
        <ReadFailure of={sizes} />
      ) : sizes.data ? (
        <SizesTable sizes={sizes.data} settings={settings} />
      ) : (
        <p className="sm t3" role="status">
          Measuring…
        </p>
      )}
      <Setting
        title="Apply these rules now"
        about="They are applied automatically, each hour. Now also gives all unused space in the database back to the disk."
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
  useEffect(
    () => listen('stored.progress', ({ requestId: of, ...done }) => of === requestId.current && setProgress(done)),
    [],
  );
  const tidy = useMutation({
    mutationFn: () => {
      setProgress(null);
      requestId.current = newRequestId();
      return call('stored.tidy', {}, { requestId: requestId.current });
    },
    meta: { subject: 'Tidying stored data' },
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
interface Row {
  name: string;
  bytes: number;
  /** The number of items, with their name. */
  count: string;
  rule: string;
}

const none = { bytes: 0, rows: 0 };

function rowsOf(sizes: Sizes, settings: Settings): Row[] {
  const partOf = (part: StoredPart): Pick<Part, 'bytes' | 'rows'> =>
    sizes.parts.find((one) => one.part === part) ?? none;
  const row = (part: StoredPart, name: string, rule: string, one?: string, many?: string): Row => {
    const { bytes, rows } = partOf(part);
    return { name, bytes, count: one === undefined || rows === null ? '' : countOf(rows, one, many), rule };
  };
  const { readingsRemoved } = sizes;
  const thinned = `After ${countOf(sizes.keptReadingDays, 'day')}, of readings that are the same with no call between them only the first and last of each quarter of an hour are kept.`;
  return [
    row('activity', 'Activity', 'Kept: it shows what left this computer.', 'call'),
    row('ledger', 'Ledger', 'Kept.', 'entry', 'entries'),
    row(
      'readings',
      'Balance readings',
      readingsRemoved > 0 ? `${thinned} ${countOf(readingsRemoved, 'other')} removed so far.` : thinned,
      'reading',
    ),
    row(
      'answers',
      'Saved answers',
      `Removed when out of date; the oldest too when they take more than ${settings.cacheMegabytes} MB.`,
      'answer',
    ),
    row('licences', 'Licences and machines', 'Kept, with the journal.'),
    row('other', 'Everything else', 'Connections without keys, settings, saved lookups. Kept.'),
    row(
      'unused',
      'Unused space',
      'Given back to the disk automatically when it is over a tenth of the database and 4 MB.',
    ),
    {
      name: 'Rows of batches',
      bytes: sizes.batches.bytes,
      count: countOf(sizes.batches.files, 'file'),
      rule: `Beside the database. Removed ${countOf(settings.batchDays, 'day')} after the end of their batch.`,
    },
    {
      name: 'Copies of the database',
      bytes: sizes.copies.bytes,
      count: countOf(sizes.copies.files, 'file'),
      rule: 'Beside the database, without saved answers. Made at a start, one a day at most, and before each change of its form; the last 5 are kept.',
    },
  ];
}

function SizesTable({ sizes, settings }: { sizes: Sizes; settings: Settings }) {
  const rows = rowsOf(sizes, settings);
  const whole = sizes.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <p className="sm t2">The database takes {formatBytes(whole)}.</p>
      <div className="table-sideways">
        <table className="tbl stored" aria-label="What is stored on this computer">
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" className="num">
                Size
              </th>
              <th scope="col" className="num">
                Number
              </th>
              <th scope="col">Rule</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, bytes, count, rule }) => (
              <tr key={name}>
                <td className="m">{name}</td>
                <td className="num">{formatBytes(bytes)}</td>
                <td className="num">{count}</td>
                <td className="t2">{rule}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

type Sizes = ChannelOutput<'stored.sizes'>;

/** What is being done now. */
function describeProgress(progress: TidyProgress | null): string {
  if (progress === null) return 'Looking…';
  return progress.step === 'readings'
    ? `${countOf(progress.done, 'balance reading')} removed…`
    : `${formatBytes(progress.done)} still to be given back…`;
}

/** What was done. */
function describeTidied({ answers, batches, readings, bytes, stopped }: Tidied): string {
  const removed = [
    answers > 0 ? countOf(answers, 'saved answer') : '',
    batches > 0 ? `the rows of ${countOf(batches, 'batch', 'batches')}` : '',
    readings > 0 ? countOf(readings, 'balance reading') : '',
  ].filter((one) => one !== '');
  const list = removed.length > 1 ? `${removed.slice(0, -1).join(', ')} and ${removed.at(-1)}` : (removed[0] ?? '');
  const nothing = stopped ? 'Nothing had been removed.' : 'Nothing was due to be removed.';
  const what = list === '' ? nothing : `Removed ${list}.`;
  const size = bytes > 0 ? ` The database is ${formatBytes(bytes)} smaller.` : '';
  return `${stopped ? 'Stopped. ' : ''}${what}${size}`;
}
