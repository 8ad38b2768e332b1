import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Batch } from '../../../../shared/domain/batch.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { formatDate } from '../../../lib/text/format.ts';
import { batchCalls } from '../batch-store.ts';
import { forgetRows } from '../runs.ts';

/** Removes what the rows say; only after a second press, since a result that was not saved is lost. */
export function ForgetRows({ batch }: { batch: Batch }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { running } = batchCalls.use(batch.id);
  const forget = async () => {
    await forgetRows(client, batch.id);
    setAsking(false);
  };
  return (
    <>
      {batch.textsUntil !== null && (
        <span className="sm t3 nowrap">Rows kept until {formatDate(batch.textsUntil)}</span>
      )}
      <Button variant="subtle" color="gray" disabled={running !== null} onClick={() => setAsking(true)}>
        Forget…
      </Button>
      {asking && (
        <Dialog title="Forget the rows of this batch?" size={420} withCross={false} onClose={() => setAsking(false)}>
          <p className="t2">
            Its rows, as given and with what was found for each, are removed now; the counts stay. Activity, saved
            answers and copies of the database go by their own rules, under Settings. A result that was not saved as a
            file cannot be saved afterwards.
          </p>
          <div className="row wrap">
            <Button data-autofocus onClick={() => setAsking(false)}>
              Keep them
            </Button>
            <Button color="red" loading={running !== null} onClick={() => void forget()}>
              Forget this batch
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
