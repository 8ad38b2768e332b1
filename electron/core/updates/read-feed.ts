/// <reference path="../../js-yaml.d.ts" />
import { JSON_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

/** The most of a list of versions; electron-builder's are a kilobyte and the notes. */
export const mostFeedBytes = 256 * 1024;
const mostNotes = 4000;

/** A name that is one file in the folder of releases: no path, no scheme, no escape, nothing hidden. */
export const isPlainFileName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9 ._()+-]{0,199}$/.test(name);

const version = z
  .string()
  .max(64)
  .regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][0-9A-Za-z.+-]+)?$/);
const file = z.object({
  url: z.string().max(200).refine(isPlainFileName),
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  size: z.number().int().positive().optional().catch(undefined),
});
const note = z.union([z.string(), z.null()]);
const feedSchema = z.object({
  version,
  files: z.array(file).min(1).max(50),
  releaseDate: z.string().max(64).nullable().optional().catch(null),
  releaseNotes: z
    .union([note, z.array(z.object({ version: z.string().max(64), note })).max(100)])
    .optional()
    .catch(null),
  minimumSystemVersion: z.string().max(64).optional().catch(undefined),
});

/** What a list of versions says, limited to what is used of it. */
export interface Feed {
  version: string;
  /** `url`: a plain file name; `sha512`: base64; `size`: bytes. */
  files: { url: string; sha512: string; size?: number | undefined }[];
  /** As it was written. */
  date: string | null;
  /** Plain text, at most 4,000 characters. */
  notes: string;
  minimumSystemVersion: string | null;
}

const unreadable = (detail: string) =>
  fail(
    appError('unreadable-answer', {
      charge: 'not-applicable',
      message: 'The list of versions at the update address could not be read.',
      next: 'Tell whoever looks after the update address.',
      detail,
    }),
  );

/**
 * Parses the text of latest.yml and its like, which anyone may have written: known fields only, each bounded, file names plain. Aliases are
 * not followed beyond the known fields. Errors: `not-the-service` (a web page), `unreadable-answer`, `unsafe-answer`.
 */
export function readFeed(text: string): Result<Feed> {
  if (/^\s*</.test(text))
    return fail(
      appError('not-the-service', {
        charge: 'not-applicable',
        message: 'A web page came back instead of a list of versions: a sign-in page or a proxy may be in the way.',
      }),
    );
  let value: unknown;
  try {
    value = load(text, { schema: JSON_SCHEMA });
  } catch {
    return unreadable('It is not YAML.');
  }
  const parsed = feedSchema.safeParse(value);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
    if (/^files\.\d+\.url$/.test(path))
      return fail(
        appError('unsafe-answer', {
          charge: 'not-applicable',
          message: 'The list of versions names a file outside of its own folder, so none of it is used.',
          next: 'Tell whoever looks after the update address.',
        }),
      );
    return unreadable(
      path === '' ? 'It is not a list of versions.' : `Its “${path}” is missing or not as it should be.`,
    );
  }
  const { releaseDate, releaseNotes, minimumSystemVersion, ...rest } = parsed.data;
  const notes = Array.isArray(releaseNotes)
    ? releaseNotes.map((one) => `${one.version}\n${one.note ?? ''}`).join('\n\n')
    : (releaseNotes ?? '');
  return ok({
    ...rest,
    date: releaseDate ?? null,
    notes: toPlainText(notes),
    minimumSystemVersion: minimumSystemVersion ?? null,
  });
}

/** Text to be shown as it is: without control characters and without those that change the writing direction. */
function toPlainText(text: string): string {
  const plain = text
    .slice(0, mostNotes * 2)
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim();
  return plain.length <= mostNotes ? plain : `${plain.slice(0, mostNotes).replace(/[\ud800-\udbff]$/, '')} …`;
}

/** The same as a text that electron-updater reads: nothing of the original except what was understood (JSON is YAML). */
export const writeFeed = ({ version, files, minimumSystemVersion }: Feed): string =>
  JSON.stringify({ version, files, ...(minimumSystemVersion === null ? {} : { minimumSystemVersion }) });
