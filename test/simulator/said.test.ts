import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { exportText } from '../../electron/core/credits/export.ts';
import { openSaidRepository } from '../../electron/core/storage/said-repository.ts';
import { renderMoneyClaims } from '../../shared/claims/money-claims.ts';
import { ok } from '../../shared/result.ts';
import { factsOf } from '../helpers/spend-facts.ts';
import { openTempDatabase, unwrap } from '../helpers/temp-database.ts';
import { createRandom } from './world.ts';

/**
 * What left the program, in random histories: calls that are answered, refused, lost and killed, two keys, late charges, clocks that
 * jump, restarts, and exports in between. The written files are the truth. A claim that reads differently later must quote the file, and nothing
 * else may be quoted: the program computes what an export said again from the facts known then, so a mistake there would be a false sentence.
 */
const always = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
const anyDay = { today: '' };

test('an export’s claims that read differently now are quoted exactly, and nothing that it did not say', () => {
  const seeds = Number(process.env.SAID_SEEDS ?? 12);
  const lies: string[] = [];
  let quotes = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = createRandom(seed);
    const below = (n: number) => Math.floor(random() * n);
    const temp = openTempDatabase();
    try {
      const connectionId = temp.addConnection().id;
      let facts = factsOf(temp.db, temp.clock, connectionId);
      let balance = 500;
      const open: string[] = [];
      /** What each export printed about each call. */
      const printed: { at: string; cells: Map<string, string> }[] = [];
      const keys = ['contact-centre', 'batch'] as const;
      const print = () => {
        const asOf = facts.ledger.lastFact();
        const wish = { connectionId, what: 'ledger', format: 'csv', ...always } as const;
        const text = [...exportText(temp.db, wish, asOf)].map((piece) => piece.text).join('');
        const rows = parse(text, { columns: true, bom: true }) as Record<string, string>[];
        const at = new Date(temp.clock.time).toISOString();
        printed.push({ at, cells: new Map(rows.map((row) => [row.callId ?? '', row.claims ?? ''])) });
        unwrap(
          temp.db.transaction(() => {
            openSaidRepository(temp.db.sql).add({
              at,
              outlet: 'export',
              connectionId,
              asOf,
              about: '',
              range: always,
              claims: '',
            });
            return ok(undefined);
          }),
        );
      };
      for (let step = 0; step < 70; step += 1) {
        temp.clock.time += below(60_000) + 1;
        const choice = below(20);
        if (choice < 6) {
          const call = facts.send({
            callId: `call ${step}`,
            expected: below(4) ? 1 : null,
            fingerprint: keys[below(2)] ?? 'batch',
          });
          if (below(3)) balance -= 1;
          if (below(6) === 0) open.push(call);
          else facts.end(call, (['answered', 'answered', 'refused', 'lost'] as const)[below(4)]);
        } else if (choice < 13) {
          if (below(8) === 0) balance -= 1 + below(2);
          if (below(15) === 0) balance += 100;
          facts.read(balance, { fingerprint: keys[below(2)] ?? 'batch' });
        } else if (choice < 17) print();
        else if (choice === 17) temp.clock.time += (below(2) ? 1 : -1) * below(200_000);
        else if (choice === 18 && open.length > 0) facts.end(open.shift() ?? '', 'answered');
        else {
          temp.reopen();
          facts = factsOf(temp.db, temp.clock, connectionId);
        }
      }
      for (const entry of facts.entries()) {
        if (entry.callId === null) continue;
        const now = renderMoneyClaims(
          entry.claims.filter(({ kind }) => kind !== 'said-then'),
          anyDay,
        );
        const quote = entry.claims.find((claim) => claim.kind === 'said-then');
        // A cell of an export may quote an earlier one; the quotation is not part of its own claim.
        const said = printed.flatMap(({ cells }) => {
          const cell = cells.get(entry.callId ?? '');
          return cell === undefined
            ? []
            : [
                cell.split(/ ?Until (?=\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d this read “(?!No fall seen))/)[0] ??
                  '',
              ];
        });
        const otherwise = said.filter((cell) => cell !== now);
        if (quote) {
          quotes += 1;
          if (!said.includes(quote.words))
            lies.push(`seed ${seed}, ${entry.callId}: quotes “${quote.words}”, never said`);
          if (quote.words !== otherwise.at(-1))
            lies.push(`seed ${seed}, ${entry.callId}: not the last that reads otherwise`);
        } else if (otherwise.length > 0)
          lies.push(`seed ${seed}, ${entry.callId}: said “${otherwise.at(-1)}”, reads “${now}”`);
      }
    } finally {
      temp.remove();
    }
  }
  expect(lies).toEqual([]);
  expect(quotes).toBeGreaterThan(seeds);
});
