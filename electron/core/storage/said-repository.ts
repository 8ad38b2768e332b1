import type { DatabaseSync } from 'node:sqlite';

/** receipt and list: of a licence change, and the rows of a bulk change. */
type Outlet = 'export' | 'alert' | 'receipt' | 'list';

/** What left the program. */
export interface SaidFact {
  /** ISO 8601 UTC. */
  at: string;
  outlet: Outlet;
  connectionId: string;
  /** The last fact, or entry of the licence journal, that it could know of. */
  asOf: number;
  /** Entry of the ledger, licence change or bulk change; empty: a range. */
  about: string;
  /** ISO 8601 UTC, inclusive. */
  range: { from: string; to: string } | null;
  /** For an alert, as JSON; empty: they follow from the facts up to `asOf`. */
  claims: string;
}

/** A file is entered before it gets its name; that it got it (`saved`) is entered too, and so it left. */
export type SaidFile = SaidFact & { saved: boolean };

/**
 * For an export whose file is about to get its name; then, under its number, whether it did. Earlier versions entered it afterwards, as ''.
 */
const saving = 'saving';
const saved = (export_: number | string) => `saved ${export_}`;
const notSaved = (export_: number | string) => `not saved ${export_}`;

/** What left the program, in the order of facts. Nothing is changed or removed. Throws where SQLite does. */
export function openSaidRepository(sql: DatabaseSync) {
  const next = sql.prepare('UPDATE fact_sequence SET last = last + 1 RETURNING last');
  const insert = sql.prepare(
    `INSERT INTO said (sequence, at, outlet, connection_id, as_of, about, range_from, range_to, claims)
     VALUES (:sequence, :at, :outlet, :connectionId, :asOf, :about, :from, :to, :claims)`,
  );
  const columns = `at, outlet, connection_id, as_of, about, range_from, range_to, claims`;
  // `about != ''` is the condition of the index, without which SQLite goes through all that was ever said.
  const ended = (how: string) => `EXISTS (SELECT 1 FROM said e WHERE e.about != '' AND e.about = ${how} || s.sequence)`;
  const exported = (which: string) =>
    sql.prepare(
      `SELECT ${columns} FROM said s WHERE outlet = 'export' AND connection_id = :connectionId AND as_of >= :since
       AND as_of < :before AND range_from <= :at AND range_to >= :at AND ${which} ORDER BY as_of DESC LIMIT 1`,
    );
  const lastSaved = exported(`(about = '' OR ${ended(`'${saved('')}'`)})`);
  const lastOpen = exported(
    `about = '${saving}' AND NOT ${ended(`'${saved('')}'`)} AND NOT ${ended(`'${notSaved('')}'`)}`,
  );
  const about = sql.prepare(`SELECT ${columns} FROM said WHERE about = ? AND about != '' ORDER BY sequence`);
  // A list names its bulk change in `about`; that it is being saved is in its claims. Earlier versions entered it afterwards.
  const ofChange = sql.prepare(
    `SELECT ${columns}, 1 AS saved, sequence FROM said WHERE about = :change AND about != '' AND outlet = 'receipt'
     UNION ALL SELECT ${columns}, s.claims = '' OR ${ended(`'${saved('')}'`)}, s.sequence
       FROM said s JOIN licence_bulk_row ON bulk_id = s.about
       WHERE outlet = 'list' AND as_of >= :since AND json_extract(body, '$.changeId') = :change
         AND NOT (s.claims = '${saving}' AND ${ended(`'${notSaved('')}'`)})
     ORDER BY as_of, sequence`,
  );

  const read = (row: Record<string, unknown>): SaidFact => ({
    at: String(row.at),
    outlet: row.outlet as Outlet,
    connectionId: String(row.connection_id),
    asOf: Number(row.as_of),
    about: String(row.about),
    range: row.range_from == null ? null : { from: String(row.range_from), to: String(row.range_to) },
    claims: String(row.claims),
  });

  function add({ range, ...fact }: SaidFact): number {
    const sequence = Number(next.get()?.last);
    insert.run({ ...fact, sequence, from: range?.from ?? null, to: range?.to ?? null });
    return sequence;
  }

  return {
    /** Inside a write transaction. */
    add: (fact: SaidFact): void => void add(fact),
    /** Called before the file of an export gets its name; returns its number. Inside a write transaction. */
    beginExport(fact: Omit<SaidFact, 'outlet' | 'about' | 'claims'>): number {
      return add({ ...fact, outlet: 'export', about: saving, claims: '' });
    },
    /** The same of the list of a bulk change. */
    beginList(fact: Pick<SaidFact, 'at' | 'connectionId' | 'asOf' | 'about'>): number {
      return add({ ...fact, outlet: 'list', range: null, claims: saving });
    },
    /** Whether the file of an export or a list got its name. Inside a write transaction. */
    end(
      outlet: 'export' | 'list',
      number: number,
      isSaved: boolean,
      fact: Pick<SaidFact, 'at' | 'connectionId' | 'asOf'>,
    ): void {
      add({ ...fact, outlet, about: isSaved ? saved(number) : notSaved(number), range: null, claims: '' });
    },
    /**
     * The newest export of a range that includes a moment, made from facts that reach to `since` and not to `before`; and a newer one if it
     * is not known whether its file got its name.
     */
    exportsOf(query: { connectionId: string; at: string; since: number; before: number }): SaidFile[] {
      const left = lastSaved.get(query);
      const open = lastOpen.get(query);
      return [
        ...(left ? [{ ...read(left), saved: true }] : []),
        ...(open && Number(open.as_of) > Number(left?.as_of ?? -1) ? [{ ...read(open), saved: false }] : []),
      ];
    },
    /** What was said of one entry or change, oldest first. */
    about: (id: string): SaidFact[] => about.all(id).map(read),
    /** What was said of a licence change, by itself or as a row of a bulk change, oldest first. `since`: its first journal entry. */
    ofChange: (change: string, since: number): SaidFile[] =>
      ofChange.all({ change, since }).map((row) => ({ ...read(row), saved: row.saved === 1 })),
  };
}
