import { useMutation } from '@tanstack/react-query';
import type { DueReminder } from '../../../../shared/domain/licences/licence.ts';
import { Failure } from '../../../components/failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { NotReadAgain, ReadFailure } from '../../../components/read-failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf, formatDate, formatDaysUntil } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { useOwnRead } from '../annotations.ts';

const shownAtOnce = 3;

/** Licences within the lead time that was set for them, or why that is not known. */
export function DueNotices({
  connectionId,
  onShow,
}: {
  connectionId: string;
  onShow: (licenceNumber: string) => void;
}) {
  const read = useOwnRead(connectionId);
  const { data } = read;
  const save = useMutation({
    mutationFn: () => call('licences.export-calendar', { connectionId }),
    meta: { subject: 'Saving the calendar', connectionId },
    onSuccess: ({ saved, fileName }) => saved && announce(`Saved as ${fileName}`),
  });
  const subject = 'Reminders, notes, labels and views';
  if (!data)
    return (
      read.error && (
        <div className="pad pane-b">
          <ReadFailure of={read} subject={subject} />
        </div>
      )
    );
  const { due, dueTotal } = data;
  const shown = due.slice(0, shownAtOnce);
  const notReadAgain = <NotReadAgain of={read} subject={subject} />;
  if (due.length === 0) return notReadAgain;
  return (
    <section className="unfinished" aria-label="Reminders">
      {notReadAgain}
      <Notice
        tone="warn"
        action={
          <button type="button" className="link" onClick={() => save.mutate()}>
            Save as calendar
          </button>
        }
      >
        <span className="m">{dueTotal === 1 ? 'A reminder' : countOf(dueTotal, 'reminder')}:</span>{' '}
        {shown.map((one, index) => (
          <span key={one.licenceNumber}>
            {index > 0 && ', '}
            <button type="button" className="link" onClick={() => onShow(one.licenceNumber)}>
              {one.name}
            </button>{' '}
            {describe(one)}
          </span>
        ))}
        {dueTotal > shown.length && ` and ${dueTotal - shown.length} more`}.
        {save.data?.saved && ` ${countOf(save.data.rows, 'expiry', 'expiries')} saved as ${save.data.fileName}.`}
      </Notice>
      {save.error && <Failure error={errorOf(save.error)} />}
    </section>
  );
}

const describe = ({ daysLeft, expiresOn }: DueReminder): string =>
  `${daysLeft < 0 ? 'expired' : 'expires'} ${formatDaysUntil(expiresOn)}, on ${formatDate(expiresOn)}`;
