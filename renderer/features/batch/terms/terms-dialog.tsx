import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Batch, Bounds } from '../../../../shared/domain/batch.ts';
import { countedText } from '../../../../shared/domain/text/figures.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Failure } from '../../../components/failure.tsx';
import { capital, formatNumber } from '../../../lib/text/format.ts';
import { batchCalls, type Terms, termsOf } from '../batch-store.ts';
import { roomIn } from '../money.ts';
import { BoundsButton } from '../parts.tsx';
import { GoOnTick, TermsFields } from './terms-fields.tsx';

interface TermsDialogProps {
  batch: Batch;
  title: string;
  /** On the button, before its price. */
  verb: string;
  credits: Bounds | null;
  /** Resolves with true if the batch runs. */
  onRun: (terms: Terms) => Promise<boolean>;
  onClose: () => void;
}

/** What a batch may spend from here on, set before it goes on. */
export function TermsDialog({ batch, title, verb, credits, onRun, onClose }: TermsDialogProps) {
  const [terms, setTerms] = useState<Terms>(() => termsOf(batch));
  const { running, failure } = batchCalls.use(batch.id);
  const room = roomIn(batch, terms.limit);
  const isShort = credits !== null && room !== null && room < credits.most;
  const run = async () => {
    if (await onRun(terms)) onClose();
  };
  return (
    <Dialog title={title} size={440} onClose={onClose}>
      <TermsFields
        connectionId={batch.connectionId}
        terms={terms}
        onChange={(change) => setTerms({ ...terms, ...change })}
      />
      <p className={isShort ? 'sm warn' : 'sm t2'} role="status">
        {batch.credits.counted === null || room === null
          ? `${capital(countedText(null))}, so what the limit leaves is not known.`
          : `The limit goes on counting from ${formatNumber(batch.credits.counted)}: it leaves ${formatNumber(room)}.`}
        {isShort && ` It stops before the call that could pass ${formatNumber(terms.limit)} and waits for you.`}
      </p>
      <GoOnTick terms={terms} onChange={(change) => setTerms({ ...terms, ...change })} />
      {failure && <Failure error={failure.error} />}
      <div className="row wrap">
        <BoundsButton
          main
          credits={credits}
          loading={running?.request === 'run'}
          disabled={running !== null}
          onClick={() => void run()}
        >
          {verb}
        </BoundsButton>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
