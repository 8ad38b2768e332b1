import type { DatabaseSync } from 'node:sqlite';

/** One step of the schema, applied whole or not at all. `up` is for what SQL alone cannot express. */
export interface Migration {
  number: number;
  name: string;
  /** `describeTables` after it, by which a damaged schema is recognised; the migrations' test says what it is. */
  tables?: string;
  sql?: string;
  up?: (database: DatabaseSync) => void;
}
