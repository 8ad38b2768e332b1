import type { Migration } from './migration.ts';

/**
 * Cached answers are found by number while a person types, and listed by subject at each search. The columns for that come after a row's
 * value, which is long, so a covering index has them all and no value has to be read.
 */
export const answersListed: Migration = {
  number: 18,
  name: 'answers-listed',
  tables: '8630eb1b719ce89a',
  sql: `
    DROP INDEX held_answers_of_topic;
    CREATE INDEX held_answers_of_topic ON held_answers
      (connection_id, topic, subject, at, operation, interface, label, run, account, empty, identifiers);
  `,
};
