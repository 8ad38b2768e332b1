import type { z } from 'zod';

/** A time that can be shown; `stored` is the value in the row. */
export const isTime = (stored: string): boolean => !Number.isNaN(Date.parse(stored));

/** Replaces a time that cannot be read: the row sorts to the end. */
export const noTime = '1970-01-01T00:00:00.000Z';

/**
 * Parses a row by its schema. A row whose cells do not fit, which only damage on the disk leaves behind, hides no other row: what does not
 * fit is taken from `instead`, and `mark` receives the names of those cells, to say so in the row. Throws if more than that is wrong.
 */
export function readRow<S extends z.ZodObject>(
  schema: S,
  row: Record<string, unknown>,
  instead: Partial<z.input<S>>,
  mark: (row: z.output<S>, cells: string) => z.output<S>,
): z.output<S> {
  const whole = schema.safeParse(row);
  if (whole.success) return whole.data;
  const names = [...new Set(whole.error.issues.map(({ path }) => String(path[0])))];
  const stands = Object.fromEntries(names.map((name) => [name, (instead as Record<string, unknown>)[name]]));
  return mark(schema.parse({ ...row, ...stands }), names.join(', '));
}
