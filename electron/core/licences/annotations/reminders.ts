import type { DueReminder, Licence } from '../../../../shared/domain/licences/licence.ts';
import { daysBetween, plainId } from '../../../../shared/domain/licences/licence-filter.ts';
import { creditsText } from '../../../../shared/domain/text/figures.ts';
import type { Annotations } from '../machines/inventory-store.ts';

/** Licences within their lead time, the nearest first. `today` as YYYY-MM-DD. An expiry that cannot be read reminds of nothing. */
export function findDue(licences: readonly Licence[], owns: readonly Annotations[], today: string): DueReminder[] {
  const leads = new Map(owns.map(({ licenceNumber, leadDays }) => [plainId(licenceNumber), leadDays]));
  return licences
    .flatMap((licence): DueReminder[] => {
      const leadDays = leads.get(plainId(licence.licenceNumber)) ?? null;
      if (leadDays === null || licence.expiresOn === null) return [];
      const daysLeft = daysBetween(today, licence.expiresOn);
      if (daysLeft > leadDays) return [];
      return [
        {
          licenceNumber: licence.licenceNumber,
          name: licence.referenceNo.trim() || `licence ${licence.licenceNumber}`,
          expiresOn: licence.expiresOn,
          daysLeft,
          leadDays,
          credits: licence.credits,
        },
      ];
    })
    .sort((a, b) => a.daysLeft - b.daysLeft);
}

/** “WY-20419 expires in 18 days”. */
export function describeDue({ name, daysLeft }: DueReminder): string {
  if (daysLeft === 0) return `${name} expires today`;
  const days = Math.abs(daysLeft) === 1 ? '1 day' : `${Math.abs(daysLeft)} days`;
  return daysLeft > 0 ? `${name} expires in ${days}` : `${name} expired ${days} ago`;
}

/** TEXT of RFC 5545, 3.3.11. What no line may hold is left out: control characters but the tab, and halves of surrogate pairs. */
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

const compact = (day: string): string => day.replaceAll('-', '');

/**
 * Expiries as a calendar file (RFC 5545): an all-day event for each licence with a reminder, its alarm the lead time before.
 * Without an end it lasts that day (3.6.1), which the last day of year 9999 could not be given.
 * Loaded again, an event takes the place of the earlier one.
 */
export function writeCalendar(
  licences: readonly Licence[],
  owns: readonly Annotations[],
  { connectionId, connectionName, at }: { connectionId: string; connectionName: string; at: string },
): { text: string; rows: number } {
  const own = new Map(owns.map((one) => [plainId(one.licenceNumber), one]));
  const stamp = `${at.slice(0, 19).replace(/[-:]/g, '')}Z`;
  const events = licences.flatMap((licence) => {
    const kept = own.get(plainId(licence.licenceNumber));
    if (!kept || kept.leadDays === null || licence.expiresOn === null) return [];
    const name = licence.referenceNo.trim() || `licence ${licence.licenceNumber}`;
    const facts = [
      licence.typeName.trim(),
      licence.credits === null ? '' : `${creditsText(licence.credits)} on it when last read`,
      kept.note.trim(),
      `LicenseID ${licence.licenceNumber}, ${connectionName}`,
    ].filter((fact) => fact !== '');
    return [
      [
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
        `TRIGGER:-P${kept.leadDays}D`,
        'END:VALARM',
        'END:VEVENT',
      ],
    ];
  });
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Address Console//Licences//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...events.flat(),
    'END:VCALENDAR',
  ];
  return { text: `${lines.map(foldLine).join('\r\n')}\r\n`, rows: events.length };
}
