import type { DatabaseSync } from 'node:sqlite';
import { foundation } from './migrations/0001-foundation.ts';
import { licenceJournal } from './migrations/0002-licence-journal.ts';
import { licenceInventory } from './migrations/0003-licence-inventory.ts';
import { heldHistory } from './migrations/0004-held-history.ts';
import { creditHistory } from './migrations/0005-credit-history.ts';
import { operations } from './migrations/0006-operations.ts';
import { spendFacts } from './migrations/0007-spend-facts.ts';
import { keychainJournal } from './migrations/0008-keychain-journal.ts';
import { said } from './migrations/0009-said.ts';

/** One step of the schema, applied whole or not at all. `up` is for what SQL alone cannot say. */
export interface Migration {
  number: number;
  name: string;
  /** `describeTables` after it, by which a damaged schema is told; the test of the migrations says what it is. */
  tables?: string;
  sql?: string;
  up?: (database: DatabaseSync) => void;
}

/** In order, numbered from 1 without gaps. A published migration is never edited: the next one corrects it. */
export const migrations: readonly Migration[] = [
  foundation,
  licenceJournal,
  licenceInventory,
  heldHistory,
  creditHistory,
  operations,
  spendFacts,
  keychainJournal,
  said,
];
