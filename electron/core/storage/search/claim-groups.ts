import type { ClaimGroup, EndingGroup } from '../../../../shared/domain/row-filter.ts';
import type { Condition } from './conditions.ts';

/** By what is concluded of a row of the ledger; a made-up row of the demo has a figure and no claim. */
export const groupSql: Readonly<Record<ClaimGroup, string>> = {
  alone: "ledger.verdict = 'cost' AND ledger.version > 1 AND ledger.made_up = 0",
  'by-price': "ledger.verdict = 'at-price' AND ledger.version > 1",
  shared: "ledger.verdict IN ('shared', 'between') AND ledger.version > 1",
  'no-fall': "ledger.verdict = 'no-fall' AND ledger.version > 1",
  'not-known':
    "(ledger.verdict IN ('rose', 'unclear') OR (ledger.verdict = 'unexplained' AND ledger.observed IS NULL)) AND ledger.version > 1",
  'not-read': "ledger.verdict = 'open' AND ledger.version > 1",
  'not-explained': "ledger.verdict = 'unexplained' AND ledger.observed > 0",
  added: "ledger.verdict = 'unexplained' AND ledger.observed < 0",
  'nothing-sent': "ledger.verdict = 'nothing-left' AND ledger.version > 1",
  earlier: "ledger.version = 1 AND ledger.verdict != 'unexplained'",
};

/** Of a query with the table `ledger`. null: no group is chosen, so all rows pass. */
export const groupCondition = (claims: readonly ClaimGroup[]): Condition | null =>
  claims.length === 0 ? null : { sql: claims.map((claim) => `(${groupSql[claim]})`).join(' OR '), params: {} };

const endingSql: Readonly<Record<EndingGroup, string>> = {
  answered: "ledger.ending = 'answered'",
  refused: "ledger.ending = 'refused'",
  'no-answer': "ledger.ending IN ('lost', 'dead')",
  'not-sent': "ledger.ending = 'unsent'",
  'under-way': "ledger.ending IS NULL AND ledger.sent_sequence IS NOT NULL AND ledger.verdict != 'unexplained'",
};

/** The same of how a call ended; a name that is no group matches no row. */
export const endingCondition = (outcomes: readonly string[]): Condition | null =>
  outcomes.length === 0
    ? null
    : {
        sql: outcomes.map((outcome) => `(${endingSql[outcome as EndingGroup] ?? 'false'})`).join(' OR '),
        params: {},
      };
