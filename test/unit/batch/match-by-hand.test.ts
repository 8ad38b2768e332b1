import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { matchAddress } from '../../../electron/core/batch/match/match-address.ts';
import type { GivenAddress } from '../../../shared/domain/text/table.ts';

// Addresses that were written from lists of premises before the rules existed (test/fixtures/batch/addresses-by-hand.txt), and by somebody
// who has not seen the rules (addresses-by-a-stranger.txt).

interface Case {
  given: GivenAddress;
  /** The premise's line; null if it is not in the list or the words do not identify one. */
  expected: string | null;
  lines: string[];
  text: string;
}

function readCases(file: string): Case[] {
  const cases: Case[] = [];
  let place = { postcode: '', town: '' };
  let lines: string[] = [];
  for (const row of readFileSync(new URL(`../../fixtures/batch/${file}`, import.meta.url), 'utf8').split('\n')) {
    const head = /^== (\S+ \S+) (.+)$/.exec(row);
    if (head) place = { postcode: head[1] ?? '', town: head[2] ?? '' };
    else if (row.includes(' | ')) lines = row.split(' | ').map((line) => `${line}, ${place.town}, ${place.postcode}`);
    const found = /^(?:([^/=,]*[^\d/=,])\/)?(.*?)(?:@(.*))? => (.+)$/.exec(row);
    if (!found) continue;
    const [, organisation = '', premise = '', town, wanted = ''] = found;
    const matching = lines.filter((line) => line.startsWith(wanted));
    if (!/^[-?]$/.test(wanted) && matching.length !== 1) throw new Error(`“${row}” names ${matching.length} premises.`);
    cases.push({
      given: { organisation, premise, town: town ?? place.town, postcode: place.postcode },
      expected: matching[0] ?? null,
      lines,
      text: `${place.postcode}: ${row}`,
    });
  }
  return cases;
}

test.each([
  ['addresses-by-hand.txt', 0.95],
  ['addresses-by-a-stranger.txt', 0.9],
])('%s, half of them near misses: at most two wrong exact matches, and %d find their premise', async (file, recall) => {
  const cases = readCases(file);
  expect(cases.length).toBeGreaterThanOrEqual(500);
  expect(cases.filter(({ expected }) => expected === null).length).toBeGreaterThan(200);
  const wrong: string[] = [];
  const missed: string[] = [];
  let findable = 0;
  for (const { given, expected, lines, text } of cases) {
    const outcome = matchAddress(
      given,
      lines.map((line) => ({ premiseId: line, line, namesFlats: true })),
    );
    const found =
      outcome.result === 'exact' || outcome.result === 'differs' ? (outcome.fitting[0]?.candidate.line ?? null) : null;
    const said = `${text} — ${outcome.result} (${outcome.reason}) ${found ?? ''}`;
    if (outcome.result === 'exact' && found !== expected) wrong.push(said);
    if (expected !== null) {
      findable += 1;
      if (found !== expected) missed.push(said);
    } else if (found !== null) missed.push(`near: ${said}`);
  }
  expect(wrong.length).toBeLessThanOrEqual(2);
  expect(1 - missed.filter((each) => !each.startsWith('near: ')).length / findable).toBeGreaterThanOrEqual(recall);
  // Lists every miss, so that a changed rule shows which one it affects.
  const listed = `Wrong exact: ${wrong.length}\n${wrong.join('\n')}\n\nMissed: ${missed.length}\n${missed.join('\n')}\n`;
  await expect(listed).toMatchFileSnapshot(`../../fixtures/batch/${file.replace('addresses', 'misses')}`);
});
