import { anyDay, formatMoment } from '../../../../shared/claims/moment.ts';
import {
  type DueReminder,
  type Licence,
  nameOf,
  type ReminderRule,
} from '../../../../shared/domain/licences/licence.ts';
import { daysBetween, mergeRecords } from '../../../../shared/domain/licences/licence-filter.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import { localDay } from '../../../../shared/domain/text/calendar-day.ts';
import { formatCredits } from '../../../../shared/domain/text/figures.ts';
import { mapInTurns } from '../../concurrency/map-in-turns.ts';
import { maskGuids } from '../../transport/redact/service-text.ts';
import type { Annotations } from '../machines/inventory-store.ts';

/**
 * How many days before its expiry a licence's reminder comes: its own setting, else the rule's; null: none. `expiresOn`: when it can be
 * read.
 */
function leadOf(
  own: Pick<Annotations, 'leadDays'> | undefined,
  rule: ReminderRule | null,
  excepted: ReadonlySet<string>,
  { licenceNumber, expiresOn }: Pick<Licence, 'licenceNumber' | 'expiresOn'>,
): number | null {
  // That a reminder was shown is noted by its id, and an event of the calendar is known by it.
  if (expiresOn === null || plainId(licenceNumber) === '') return null;
  if (own && own.leadDays !== null) return own.leadDays;
  if (!rule || excepted.has(plainId(licenceNumber)) || expiresOn < rule.since) return null;
  return rule.leadDays;
}

const exceptedBy = (rule: ReminderRule | null): Set<string> => new Set(rule?.except.map(plainId));
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Licences within their lead time or expired, by days left: those that expired longest ago first. `today` as YYYY-MM-DD. An expiry that
 * cannot be read causes no reminder, nor does a record without an id.
 */
export function findDue(
  licences: readonly Licence[],
  owns: readonly Annotations[],
  today: string,
  rule: ReminderRule | null = null,
): DueReminder[] {
  const kept = new Map(owns.map((own) => [plainId(own.licenceNumber), own]));
  const excepted = exceptedBy(rule);
  // No lead is longer than a year: of fifty thousand licences most are excluded by comparing two texts.
  const latest = dayAfter(today, 365);
  return mergeRecords(licences, today)
    .flatMap((licence): DueReminder[] => {
      if (licence.expiresOn === null || licence.expiresOn > latest) return [];
      const leadDays = leadOf(kept.get(plainId(licence.licenceNumber)), rule, excepted, licence);
      if (leadDays === null) return [];
      const daysLeft = daysBetween(today, licence.expiresOn);
      if (daysLeft > leadDays) return [];
      return [
        {
          licenceNumber: licence.licenceNumber,
          name: nameOf(licence),
          expiresOn: licence.expiresOn,
          daysLeft,
          leadDays,
          credits: licence.credits,
        },
      ];
    })
    .sort((a, b) => a.daysLeft - b.daysLeft);
}

/** A system notice has room for a few lines; the window lists them all. */
const mostNamed = 5;

/**
 * “By the list read 22 Nov 2026, 10:14:07: WY-20419 expires in 18 days. And 3 more.” A licence may have been renewed since that list, so it
 * is named with its time. `readAt`: ISO 8601; `today`: YYYY-MM-DD.
 */
export function describeDue(due: readonly DueReminder[], readAt: string, today: string): string {
  const named = due.slice(0, mostNamed).map((one) => `${describeExpiry(one)}.`);
  const more = due.length > mostNamed ? [`And ${due.length - mostNamed} more.`] : [];
  return `By the list read ${formatMoment(readAt, { today })}: ${[...named, ...more].join(' ')}`;
}

function describeExpiry({ name, daysLeft }: DueReminder): string {
  if (daysLeft === 0) return `${name} expires today`;
  const days = Math.abs(daysLeft) === 1 ? '1 day' : `${Math.abs(daysLeft)} days`;
  return daysLeft > 0 ? `${name} expires in ${days}` : `${name} expired ${days} ago`;
}

/** TEXT of RFC 5545, 3.3.11. What no line may hold is left out: control characters except the tab, and lone surrogates. */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n|\r/g, '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Lines of at most 75 octets, continued with a blank (RFC 5545, 3.1). */
function foldLine(line: string): string {
  const parts: string[] = [];
  let part = '';
  for (const sign of line) {
    if (Buffer.byteLength(part + sign) > (parts.length === 0 ? 75 : 74)) {
      parts.push(part);
      part = '';
    }
    part += sign;
  }
  return [...parts, part].join('\r\n ');
}

/** Events of a calendar written before yielding to everything else. */
const eventsAtOnce = 200;

const compact = (day: string): string => day.replaceAll('-', '');

/**
 * Expiries as a calendar file (RFC 5545): an all-day event for each licence with a reminder, its own or the rule's, with the alarm its lead
 * time before; written over several turns of main. An event without an end lasts that day (3.6.1); the last day of year 9999 could not be
 * given one. Loaded again, an event replaces the earlier one.
 */
export async function writeCalendar(
  licences: readonly Licence[],
  owns: readonly Annotations[],
  list: { connectionId: string; connectionName: string; at: string; readAt: string },
  rule: ReminderRule | null = null,
): Promise<{ text: string; rows: number }> {
  const { connectionId, connectionName, at, readAt } = list;
  const own = new Map(owns.map((one) => [plainId(one.licenceNumber), one]));
  const excepted = exceptedBy(rule);
  const stamp = `${at.slice(0, 19).replace(/[-:]/g, '')}Z`;
  const made = await mapInTurns(
    mergeRecords(licences, localDay(at)),
    (licence): string => {
      const kept = own.get(plainId(licence.licenceNumber));
      const leadDays = leadOf(kept, rule, excepted, licence);
      if (leadDays === null || licence.expiresOn === null) return '';
      const name = nameOf(licence);
      const facts = [
        licence.typeName.trim(),
        licence.credits === null ? '' : `${formatCredits(licence.credits)} on it when last read`,
        maskGuids(kept?.note.trim() ?? ''),
        `LicenseID ${licence.licenceNumber}, ${connectionName}, by the list read ${formatMoment(readAt, anyDay)}`,
      ].filter((fact) => fact !== '');
      return [
        'BEGIN:VEVENT',
        `UID:${escapeText(`licence-${plainId(licence.licenceNumber)}-${connectionId}@address-console`)}`,
        `DTSTAMP:${stamp}`,
        `DTSTART;VALUE=DATE:${compact(licence.expiresOn)}`,
        `SUMMARY:${escapeText(`${name} expires`)}`,
        `DESCRIPTION:${escapeText(facts.join('\n'))}`,
        'TRANSP:TRANSPARENT',
        'BEGIN:VALARM',
        'ACTION:DISPLAY',
        `DESCRIPTION:${escapeText(`${name} expires on ${licence.expiresOn}`)}`,
        `TRIGGER:-P${leadDays}D`,
        'END:VALARM',
        'END:VEVENT',
      ]
        .map(foldLine)
        .join('\r\n');
    },
    eventsAtOnce,
  );
  const events = made.filter((event) => event !== '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Address Console//Licences//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...events,
    'END:VCALENDAR',
  ];
  return { text: `${lines.join('\r\n')}\r\n`, rows: events.length };
}
