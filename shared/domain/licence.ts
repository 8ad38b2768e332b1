import { z } from 'zod';

/** clear: the text has one reading. The others: a day and a month in digits, as its whole list decided; undecided lists are not read. */
export const dateOrders = ['none', 'clear', 'day-first', 'month-first', 'undecided'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** A licence as the service sent it: thirteen fields, text as it came, the GUID reduced to its last four characters. */
export const licenceSchema = z.object({
  referenceNo: z.string(),
  accountName: z.string(),
  guidLastFour: z.string(),
  licenceNumber: z.string(),
  typeName: z.string(),
  typeDescription: z.string(),
  expiryDate: z.string(),
  creditsAvailable: z.string(),
  allowedIpAddress: z.string(),
  inUse: z.string(),
  available: z.string(),
  status: z.string(),
  returnCode: z.string(),
  /** Fields the record does not define, kept as they came. */
  unknownFields: z.record(z.string(), z.string()),
  /** YYYY-MM-DD where the text could be read as a date; null where not (the format is not published). */
  expiresOn: z.string().nullable(),
  /** How the expiry was read, decided by the list that it came in. */
  dateOrder: z.enum(dateOrders),
  credits: z.number().nullable(),
  /** Counts of seats where the texts are whole numbers; null is unknown and never counted as free. */
  seatsUsed: z.number().nullable(),
  seatsFree: z.number().nullable(),
});
export type Licence = z.infer<typeof licenceSchema>;

export const licenceListSchema = z.object({
  licences: z.array(licenceSchema),
  /** When the service was asked; null: never. */
  readAt: z.string().nullable(),
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

/** What the administrator keeps about a licence: a note, and how many days before its expiry to be reminded. */
export const licenceOwnSchema = z.strictObject({
  licenceNumber: z.string().max(40),
  note: z.string().max(1000),
  leadDays: z.number().int().min(0).max(365).nullable(),
});
export type LicenceOwn = z.infer<typeof licenceOwnSchema>;

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
