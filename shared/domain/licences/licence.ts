import { z } from 'zod';
import type { RecordValue } from '../../catalogue/records.ts';

/**
 * clear: the text has a single interpretation. The others: a day and a month in digits, as its whole list decided; undecided and
 * contradictory dates are not read.
 */
export const dateOrders = ['none', 'clear', 'day-first', 'month-first', 'undecided', 'contradictory'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** Why dates are not read. Earlier versions said undecided of both. */
const unreadOrders: Partial<Record<DateOrder, string>> = {
  undecided: 'the list does not decide which is day and which is month',
  contradictory: 'some dates of the list can only be day first, others only month first',
};
/** undefined: the list decides. */
export const describeUnreadOrder = ({ dateOrder }: { dateOrder: DateOrder }): string | undefined =>
  unreadOrders[dateOrder];

/**
 * The fields of a License record in their published order: the name here, the published one with its mistakes, and what a
 * spreadsheet must take as text. A field added here is read, stored, shown, searched and exported; in lists stored before it, it is empty.
 * One of the record's that is not named here does not compile.
 */
export const licenceFields = {
  referenceNo: { published: 'ReferenceNo', identifier: true },
  accountName: { published: 'AcccountName', identifier: true },
  /** A credential: only its last four characters are stored. */
  guidLastFour: { published: 'GUID', identifier: false },
  licenceNumber: { published: 'LicenseID', identifier: true },
  typeName: { published: 'LicenseTypeName', identifier: false },
  typeDescription: { published: 'LicenseTypeDesc', identifier: false },
  expiryDate: { published: 'ExpiryDate', identifier: false },
  creditsAvailable: { published: 'CurrentCreditsAvailable', identifier: false },
  allowedIpAddress: { published: 'AllowedIpAddress', identifier: false },
  inUse: { published: 'LicenseInUse', identifier: false },
  available: { published: 'Available', identifier: false },
  status: { published: 'Status', identifier: false },
  returnCode: { published: 'Return_Code', identifier: false },
} as const satisfies Record<string, { published: keyof RecordValue<'License'>; identifier: boolean }>;
export type LicenceField = keyof typeof licenceFields;
type Unnamed = Exclude<keyof RecordValue<'License'>, (typeof licenceFields)[LicenceField]['published']>;
export const licenceFieldNames: [Unnamed] extends [never] ? LicenceField[] : { unnamed: Unnamed } = Object.keys(
  licenceFields,
) as LicenceField[];

/** One value for each field. */
export function forEachLicenceField<T>(make: (field: LicenceField) => T): Record<LicenceField, T> {
  const values = {} as Record<LicenceField, T>;
  for (const field of licenceFieldNames) values[field] = make(field);
  return values;
}

/** A licence as the service sent it: text as it came, the GUID reduced to its last four characters. */
export const licenceSchema = z.object({
  ...forEachLicenceField(() => z.string()),
  /** Fields the record does not define, kept as they came. */
  unknownFields: z.record(z.string(), z.string()),
  /** YYYY-MM-DD if the text could be read as a date, else null (the format is not published). */
  expiresOn: z.string().nullable(),
  /** How the expiry was read, decided by the list it came in. */
  dateOrder: z.enum(dateOrders),
  credits: z.number().nullable(),
  /** Counts of seats if the texts are whole numbers; null is unknown and never counted as free. */
  seatsUsed: z.number().nullable(),
  seatsFree: z.number().nullable(),
});
export type Licence = z.infer<typeof licenceSchema>;

/** What a licence is called: its reference, or its number if none came. */
export const nameOf = (licence: Pick<Licence, 'referenceNo' | 'licenceNumber'>): string =>
  licence.referenceNo.trim() || `licence ${licence.licenceNumber.trim()}`;

export const licenceListSchema = z.object({
  licences: z.array(licenceSchema),
  /** When the service was asked; null: never. */
  readAt: z.string().nullable(),
  /** Why the account may have licences that are not in it: the answer does not plainly say that it is whole. */
  doubt: z.string().optional(),
});
export type LicenceList = z.infer<typeof licenceListSchema>;

/** Fields whose values the service does not document: an administrator may give each value a label of their own. */
export const labelFields = ['typeName', 'status', 'inUse', 'available', 'returnCode'] as const;
export type LabelField = (typeof labelFields)[number];

export const licenceLabelSchema = z.strictObject({
  field: z.enum(labelFields),
  value: z.string().max(500),
  label: z.string().trim().max(80),
});
export type LicenceLabel = z.infer<typeof licenceLabelSchema>;

/** The administrator's note on a licence, and how many days before its expiry to remind. */
export const licenceAnnotationsSchema = z.strictObject({
  licenceNumber: z.string().max(40),
  note: z.string().max(1000),
  leadDays: z.number().int().min(0).max(365).nullable(),
});
export type LicenceAnnotations = z.infer<typeof licenceAnnotationsSchema>;

/** One reminder for all licences of a connection; a licence's own lead time takes precedence. */
export const reminderRuleSchema = z.strictObject({
  leadDays: z.number().int().min(0).max(365),
  /** YYYY-MM-DD: the day it was set. Licences that had expired before then get no reminder. */
  since: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  /** Numbers of licences that it leaves out. */
  except: z.array(z.string().max(40)).max(5000),
});
export type ReminderRule = z.infer<typeof reminderRuleSchema>;

/** A licence within its lead time. */
export const dueReminderSchema = z.object({
  licenceNumber: z.string(),
  name: z.string(),
  expiresOn: z.string(),
  /** Below zero: expired. */
  daysLeft: z.number().int(),
  leadDays: z.number().int(),
  credits: z.number().nullable(),
});
export type DueReminder = z.infer<typeof dueReminderSchema>;
