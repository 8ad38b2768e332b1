import type { ReactNode } from 'react';
import { describeUnreadOrder, type Licence, nameOf } from '../../../../shared/domain/licences/licence.ts';
import { Dot, type Tone } from '../../../components/marks.tsx';
import { countOf, formatDaysUntil } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { licenceKey, seatsOf } from '../licence-facts.ts';
import { remarkedOf } from './figures.ts';

const shownOfAKind = 3;
const namedAtOnce = 5;

interface Remark {
  key: string;
  tone: Tone | 'hollow';
  text: ReactNode;
}

/** What the list says that does not fit in a row: expired, expiring, seats unknown, dates that are none. */
export function Remarks({ licences, today, now }: { licences: readonly Licence[]; today: string; now: Date }) {
  const { expired, soon, seatsUnknown, noDate, unread } = remarkedOf(licences, today);
  const remarks = [
    ...capped(
      'expired',
      'danger',
      expired,
      (one) => (one ? 'has expired' : 'have expired'),
      (licence) => describeExpired(licence, today, now),
    ),
    ...capped(
      'soon',
      'warn',
      soon,
      (one) => `${one ? 'expires' : 'expire'} within 30 days`,
      (licence) => describeSoon(licence, now),
    ),
    ...together('unknown', seatsUnknown, 'did not come with both numbers of', 'seats, so the console does not guess.'),
    ...together('no-date', noDate, 'came with', 'expiry as text that cannot be read as a date.'),
    ...unreadDates(unread),
  ];
  if (remarks.length === 0) return null;
  const urgent = remarks.filter(({ tone }) => tone === 'danger' || tone === 'warn').length;
  return (
    // Closed at first, so that they take one line and leave the room to the rows.
    <details className="licence-remarks-box">
      <summary className="sm">
        {countOf(remarks.length, 'remark')} on these licences
        {urgent > 0 && <span className="warn m">, {urgent === 1 ? '1 on expiry' : `${urgent} on expiry`}</span>}
      </summary>
      <ul className="plain licence-remarks" aria-label="Remarks">
        {remarks.map((remark) => (
          <li key={remark.key} className="row g6 top">
            <Dot tone={remark.tone} />
            <span className="sel">{remark.text}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const Name = ({ licence }: { licence: Licence }) => <span className="m">{legible(nameOf(licence))}</span>;

function describeExpired(licence: Licence, today: string, now: Date): ReactNode {
  const { lost } = seatsOf(licence, today);
  const seats =
    lost === 0 ? '' : ` Its ${countOf(lost, 'free seat')} ${lost === 1 ? 'is' : 'are'} not counted as free.`;
  return (
    <>
      <Name licence={licence} /> expired {formatDaysUntil(licence.expiresOn ?? '', now)}.{seats}
    </>
  );
}

function describeSoon(licence: Licence, now: Date): ReactNode {
  const credits =
    licence.credits !== null && licence.credits > 0 ? ` with ${countOf(licence.credits, 'credit')} on it` : '';
  return (
    <>
      <Name licence={licence} /> expires {formatDaysUntil(licence.expiresOn ?? '', now)}
      {credits}.
    </>
  );
}

function capped(
  kind: string,
  tone: Tone,
  licences: readonly Licence[],
  verb: (one: boolean) => string,
  describe: (licence: Licence) => ReactNode,
): Remark[] {
  const rest = licences.length - shownOfAKind;
  return [
    ...licences
      .slice(0, shownOfAKind)
      .map((licence) => ({ key: kind + licenceKey(licence), tone, text: describe(licence) })),
    ...(rest > 0 ? [{ key: `${kind}-rest`, tone, text: `${countOf(rest, 'more licence')} ${verb(rest === 1)}.` }] : []),
  ];
}

/** Of one list, so that the reason is the same for each. Without the day nothing reminds of it. */
function unreadDates(licences: readonly Licence[]): Remark[] {
  const [first] = licences;
  if (!first) return [];
  const dates = `${countOf(licences.length, 'expiry date')} ${licences.length === 1 ? 'is' : 'are'} not read`;
  return [{ key: 'unread', tone: 'warn', text: `${dates}: ${describeUnreadOrder(first)}.` }];
}

function together(key: string, licences: readonly Licence[], verb: string, what: string): Remark[] {
  if (licences.length === 0) return [];
  const named = licences.slice(0, namedAtOnce);
  const rest = licences.length - named.length;
  return [
    {
      key,
      tone: 'hollow',
      text: (
        <>
          {named.map((licence, index) => (
            <span key={licenceKey(licence)}>
              {index > 0 && (index === named.length - 1 && rest === 0 ? ' and ' : ', ')}
              <Name licence={licence} />
            </span>
          ))}
          {rest > 0 && ` and ${rest} more`} {verb} {licences.length === 1 ? 'its' : 'their'} {what}
        </>
      ),
    },
  ];
}
