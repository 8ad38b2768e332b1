import type { ReactNode } from 'react';
import { describeUnreadOrder } from '../../../../shared/domain/licences/licence.ts';
import type { LicenceChange, PlannedLicence } from '../../../../shared/domain/licences/licence-change.ts';
import { describeUnreadCredits, quoteUnread } from '../../../lib/licences/as-it-came.ts';
import { countOf, formatDate, formatDaysUntil, formatTime } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { labelOf, useOwn } from '../annotations.ts';

/** What the account's list says of the licence of a plan: Status, seats, expiry and credits, each with where it comes from. */
export function PlannedFacts({ change }: { change: LicenceChange }) {
  const { labels } = useOwn(change.connectionId);
  const { licence } = change;
  if (!licence) return null;
  const label = labelOf(labels, 'status', licence.status);
  const suspect = change.warnings.some(({ tick }) => tick !== undefined);
  return (
    <section className="col change-list planned-facts" aria-label="The licence">
      <div className="row between wrap">
        <h3 className="h">The licence</h3>
        <span className="sm t3">read {formatTime(licence.readAt)}</span>
      </div>
      <dl className="sm">
        <Fact name="Status" note={label === null ? 'as it came' : 'labelled by you'}>
          {licence.status.trim() === '' ? (
            <span className="t3">empty</span>
          ) : (
            <span className="row g6">
              <span className="tag line mono">{licence.status}</span>
              {label !== null && <span className={suspect ? 'danger' : ''}>{label}</span>}
            </span>
          )}
        </Fact>
        <Fact name="Seats" note="by LicenseInUse and Available">
          {describeSeats(licence)}
        </Fact>
        <Fact name="Expires" note={describeOrder(licence)}>
          {licence.expiresOn === null ? (
            <span className="t3">{quoteUnread(licence.expiryDate)}</span>
          ) : (
            formatDate(licence.expiresOn)
          )}
        </Fact>
        <Fact name="Credits on it" note="as listed">
          {licence.credits === null ? (
            <span className="t3">{describeUnreadCredits(licence)}</span>
          ) : (
            countOf(licence.credits, 'credit')
          )}
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <div className="planned-fact">
      <dt className="t2">{name}</dt>
      <dd className="sel">{legible(children)}</dd>
      <dd className="xs t3">{note}</dd>
    </div>
  );
}

function describeSeats({ seatsUsed, seatsFree, inUse, available }: PlannedLicence): string {
  if (seatsUsed === null || seatsFree === null) return `unknown: “${inUse}” in use, “${available}” available`;
  return `${seatsUsed} used, ${seatsFree} free, of ${seatsUsed + seatsFree}`;
}

function describeOrder(licence: PlannedLicence): string {
  const { dateOrder, expiresOn } = licence;
  const when = expiresOn === null ? '' : `${formatDaysUntil(expiresOn, new Date())}, `;
  if (dateOrder === 'day-first') return `${when}dates of this list are day first`;
  if (dateOrder === 'month-first') return `${when}dates of this list are month first`;
  return dateOrder === 'clear'
    ? `${when}written in full`
    : (describeUnreadOrder(licence) ?? 'not a date that can be read');
}
