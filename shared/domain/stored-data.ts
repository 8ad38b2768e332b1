import { z } from 'zod';

/** What the program has stored on this computer, part by part, and what its rules remove. */

const storedParts = ['activity', 'readings', 'ledger', 'answers', 'licences', 'other', 'unused'] as const;
export type StoredPart = (typeof storedParts)[number];

export const storedSizesSchema = z.object({
  /** Of the database, in bytes; they add up to it. `rows`: calls, readings, entries and so on; null: not counted. */
  parts: z.array(z.object({ part: z.enum(storedParts), bytes: z.number(), rows: z.number().int().nullable() })),
  /** Readings that were removed because one beside them says the same. */
  readingsRemoved: z.number().int(),
  /** Files beside the database: rows of batches, and copies of the database. */
  batches: z.object({ files: z.number().int(), bytes: z.number() }),
  copies: z.object({ files: z.number().int(), bytes: z.number() }),
});
export type StoredSizes = z.infer<typeof storedSizesSchema>;

export const tidyProgressSchema = z.object({
  step: z.enum(['readings', 'file']),
  /** Readings removed so far, or bytes of the file that are still to be given back. */
  done: z.number(),
});
export type TidyProgress = z.infer<typeof tidyProgressSchema>;

export const tidiedSchema = z.object({
  answers: z.number().int(),
  batches: z.number().int(),
  readings: z.number().int(),
  /** Bytes by which the database became smaller. */
  bytes: z.number(),
  /** It was stopped before its end; what had been removed by then stays removed. */
  stopped: z.boolean(),
});
export type Tidied = z.infer<typeof tidiedSchema>;
