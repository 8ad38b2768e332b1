import type { Migration } from './migration.ts';

/**
 * What is searched for in cached answers without reading their values: whether one is empty, because those are kept for a day at most, and
 * the UPRN and UDPRN in a premise's answer, without leading zeros and between blanks. Existing long answers, whose content is in pieces, are
 * left out: an empty answer is never long.
 */
export const answersFoundAgain: Migration = {
  number: 14,
  name: 'answers-found-again',
  tables: '07de09c5fff8c416',
  sql: `
    ALTER TABLE held_answers ADD COLUMN empty INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE held_answers ADD COLUMN identifiers TEXT NOT NULL DEFAULT '';
    UPDATE held_answers SET empty = 1
      WHERE topic = 'search' AND pieces = 0 AND json_valid(value) AND json_array_length(value, '$.content.results') = 0;
    UPDATE held_answers SET identifiers =
      ' ' || ltrim(coalesce(json_extract(value, '$.content.address.fields.uprn.value'), ''), '0') ||
      ' ' || ltrim(coalesce(json_extract(value, '$.content.address.fields.udprn.value'), ''), '0') || ' '
      WHERE topic = 'premise' AND pieces = 0 AND json_valid(value);
  `,
};
