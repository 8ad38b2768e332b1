import type { Migration } from './migration.ts';

/**
 * Saved answers are found by number while somebody types and listed by subject at each search. What these ask for stands behind the
 * value of a row, which is long: the index has it all, so that no value is read for it.
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
