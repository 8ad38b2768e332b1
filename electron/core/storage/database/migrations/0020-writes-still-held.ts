import type { Migration } from './migration.ts';

/**
 * Until when the last write of an ended change blocks another write to its licence, in milliseconds of the clock that runs since the
 * computer started. NULL if nothing was sent or its effect was seen. Writes of earlier versions have no such time; they get 9e15, so that
 * they are examined each time.
 */
export const writesStillHeld: Migration = {
  number: 20,
  name: 'writes-still-held',
  tables: 'e6b7dab8e224f220',
  sql: `
    ALTER TABLE licence_change ADD COLUMN held_until REAL;
    UPDATE licence_change SET held_until = CASE
        WHEN json_type(body, '$.writes') IS NULL THEN 9e15
        ELSE (SELECT max(coalesce(json_extract(value, '$.uptime') + json_extract(value, '$.holdMs'), 9e15))
          FROM json_each(licence_change.body, '$.writes') WHERE json_extract(value, '$.left'))
      END
      WHERE state IN ('finished', 'dismissed') AND json_extract(body, '$.verdict') IS NOT 'seen';
    CREATE INDEX changes_still_held ON licence_change (connection_id, licence_id, held_until, state) WHERE held_until IS NOT NULL;
  `,
};
