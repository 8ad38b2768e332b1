import type { ChannelOutput } from '../../../shared/contract.ts';
import type { Tidied, TidyProgress } from '../../../shared/domain/stored-data.ts';
import { countOf, formatBytes } from '../../lib/text/format.ts';

export type Sizes = ChannelOutput<'stored.sizes'>;

/** What is being done now. */
export function describeProgress(progress: TidyProgress | null): string {
  if (progress === null) return 'Looking…';
  return progress.step === 'readings'
    ? `${countOf(progress.done, 'balance reading')} removed…`
    : `${formatBytes(progress.done)} still to be given back…`;
}

/** What was done. */
export function describeTidied({ answers, batches, readings, bytes, stopped }: Tidied): string {
  const removed = [
    answers > 0 ? countOf(answers, 'saved answer') : '',
    batches > 0 ? `the rows of ${countOf(batches, 'batch', 'batches')}` : '',
    readings > 0 ? countOf(readings, 'balance reading') : '',
  ].filter((one) => one !== '');
  const list = removed.length > 1 ? `${removed.slice(0, -1).join(', ')} and ${removed.at(-1)}` : (removed[0] ?? '');
  const what = list === '' ? 'Nothing was due to be removed.' : `Removed ${list}.`;
  const size = bytes > 0 ? ` The database is ${formatBytes(bytes)} smaller.` : '';
  return `${stopped ? 'Stopped. ' : ''}${what}${size}`;
}
