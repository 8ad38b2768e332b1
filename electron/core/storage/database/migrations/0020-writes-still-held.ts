import type { Migration } from './migration.ts';

/**
 * Until when the last write of an ended change may keep its licence from being written to again: its end by the clock that runs since the
 * computer started (ms) and its time. NULL: nothing left, or its effect was seen. A write of earlier versions has no such clock, so it is
 * looked at each time.
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
