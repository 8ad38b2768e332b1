import { foundation } from './migrations/0001-foundation.ts';
import { licenceJournal } from './migrations/0002-licence-journal.ts';
import { licenceInventory } from './migrations/0003-licence-inventory.ts';
import { heldHistory } from './migrations/0004-held-history.ts';
import { creditHistory } from './migrations/0005-credit-history.ts';
import { operations } from './migrations/0006-operations.ts';
import { spendFacts } from './migrations/0007-spend-facts.ts';
import { keychainJournal } from './migrations/0008-keychain-journal.ts';
import { said } from './migrations/0009-said.ts';
import { heldPieces } from './migrations/0010-held-pieces.ts';
import { cacheSettings } from './migrations/0011-cache-settings.ts';
import { licenceLists } from './migrations/0012-licence-lists.ts';
import { batches } from './migrations/0013-batches.ts';
import { answersFoundAgain } from './migrations/0014-answers-found-again.ts';
import { workbench } from './migrations/0015-workbench.ts';
import { changesOfLicence } from './migrations/0016-changes-of-licence.ts';
import { batchSpend } from './migrations/0017-batch-spend.ts';
import { answersListed } from './migrations/0018-answers-listed.ts';
import { capsSetBy } from './migrations/0019-caps-set-by.ts';
import { writesStillHeld } from './migrations/0020-writes-still-held.ts';
import { readingsThinned } from './migrations/0021-readings-thinned.ts';
import { undecidedFound } from './migrations/0022-undecided-found.ts';
import { machineAnswersInOrder } from './migrations/0023-machine-answers-in-order.ts';
import { foundByServer } from './migrations/0024-found-by-server.ts';
import { readingDaysOfServers } from './migrations/0025-reading-days-of-servers.ts';
import { doubtOfAList } from './migrations/0026-doubt-of-a-list.ts';
import { outdatedKeychainEntries } from './migrations/0027-outdated-keychain-entries.ts';
import { spendDaysOfBalances } from './migrations/0028-spend-days-of-balances.ts';
import { figureOfEachCall } from './migrations/0029-figure-of-each-call.ts';
import { servicesByPath } from './migrations/0030-services-by-path.ts';
import { answersOfFiles } from './migrations/0031-answers-of-files.ts';
import { lateChargesFound } from './migrations/0032-late-charges-found.ts';
import { countedByQuarters } from './migrations/0033-counted-by-quarters.ts';
import type { Migration } from './migrations/migration.ts';

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
  heldPieces,
  cacheSettings,
  licenceLists,
  batches,
  answersFoundAgain,
  workbench,
  changesOfLicence,
  batchSpend,
  answersListed,
  capsSetBy,
  writesStillHeld,
  readingsThinned,
  undecidedFound,
  machineAnswersInOrder,
  foundByServer,
  readingDaysOfServers,
  doubtOfAList,
  outdatedKeychainEntries,
  spendDaysOfBalances,
  figureOfEachCall,
  servicesByPath,
  answersOfFiles,
  lateChargesFound,
  countedByQuarters,
];
