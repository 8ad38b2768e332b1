import { IconArrowRight } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ChannelOutput } from '../../../../shared/contract.ts';
import type { Batch } from '../../../../shared/domain/batch.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { batchCalls } from '../batch-store.ts';
import { BoundsButton } from '../parts.tsx';
import { type Again, batchRowsQuery, notDoneQuery } from '../queries.ts';
import { runNotDone } from '../runs.ts';
import { TermsDialog } from '../terms/terms-dialog.tsx';

interface NotDoneProps {
  batch: Batch;
  /** What a person has ticked and unticked. */
  again: Again;
  onDone: () => void;
  /** Between the words and the run. */
  children?: ReactNode;
}

/** Which rows were not done and why, and the way to run them, at their price. */
export function NotDone({ batch, again, onDone, children }: NotDoneProps) {
  const client = useQueryClient();
  const [setting, setSetting] = useState(false);
  const { running } = batchCalls.use(batch.id);
  const { data, error } = useQuery({ ...notDoneQuery(batch.id, again), refetchOnMount: true });
  const one = useQuery({
    ...batchRowsQuery(batch.id, { progress: ['unknown'] }, 0),
    enabled: batch.progress.unknown === 1,
  });
  const rows = data?.rows ?? 0;
  return (
    <>
      <span className="t2 batch-foot-text">
        {error && <span className="danger">{errorOf(error).message} </span>}
        {data && notTicked(batch, data, one.data?.rows[0]?.row)}
        {isSomeFailedLeft(batch, again) && ' Failed rows without a tick stay as they are.'}
        {batch.progress.malformed > 0 &&
          ` ${countOf(batch.progress.malformed, 'row')} ${batch.progress.malformed === 1 ? 'needs' : 'need'} correcting in the table.`}
      </span>
      <span className="grow" />
      {children}
      {rows > 0 && (
        <BoundsButton
          credits={data?.credits ?? null}
          disabled={running !== null || batch.elsewhere}
          rightSection={<IconArrowRight size={15} className="ti" aria-hidden="true" />}
          onClick={() => setSetting(true)}
        >
          Run the {formatNumber(rows)} not done
        </BoundsButton>
      )}
      {setting && data && (
        <TermsDialog
          batch={batch}
          title={`Run ${countOf(rows, 'row')} of ${batch.name}`}
          verb={`Run ${countOf(rows, 'row')}`}
          credits={data.credits}
          onRun={async (terms) => {
            const begun = await runNotDone(client, batch.id, again, terms);
            if (begun) onDone();
            return begun;
          }}
          onClose={() => setSetting(false)}
        />
      )}
    </>
  );
}

const isSomeFailedLeft = ({ progress }: Batch, { failed }: Again): boolean =>
  progress.failed > 0 && (!failed.all || failed.but.length > 0);

/** Rows with an unknown outcome are run again only by a tick, which says what it risks. `row`: the only one of them. */
export function notTicked(
  { progress: { unknown } }: Pick<Batch, 'progress'>,
  { rows, unknown: ticked, isUnknownFree }: Pick<ChannelOutput<'batch.not-done'>, 'rows' | 'unknown' | 'isUnknownFree'>,
  row: number | undefined,
): string {
  const open = unknown - ticked;
  if (unknown === 0) return rows === 0 ? 'There are no rows left to run.' : '';
  if (open === 0)
    return `${countOf(ticked, 'row')} with an unknown outcome ${ticked === 1 ? 'is' : 'are'} asked once more${
      isUnknownFree ? ', free by the published price' : ' and may cost twice'
    }.`;
  const name =
    unknown === 1 && row !== undefined
      ? `Row ${formatNumber(row)} is`
      : `${countOf(open, 'unknown row')} ${open === 1 ? 'is' : 'are'}`;
  const [them, each] = open === 1 ? ['it', 'it'] : ['them', 'each'];
  const price = isUnknownFree ? 'that is free by the published price' : `${each} may cost twice`;
  return `${name} not asked again unless you tick ${them} under No result; ${price}.`;
}
