import { type SetupGroup, type SetupRow, setupGroups } from '../../../shared/domain/setup-file.ts';

export const groupNames: Readonly<Record<SetupGroup, string>> = {
  connections: 'Connections',
  caps: 'Caps, alerts and costs',
  machines: 'Machines',
  licences: 'Labels, views, notes and reminders of licences',
  lookups: 'Saved lookups',
};

export const stateNames: Readonly<Record<SetupRow['state'], string>> = {
  new: 'new',
  differs: 'differs',
  same: 'same',
  'only-here': 'only here',
  refused: 'not taken',
};

export const countOfRows = (rows: readonly SetupRow[]): number => rows.reduce((sum, { count }) => sum + count, 0);

/** “12 new, 3 differ, 10 same”. */
export function sumText(rows: readonly SetupRow[]): string {
  const parts = (Object.keys(stateNames) as SetupRow['state'][]).flatMap((state) => {
    const count = countOfRows(rows.filter((row) => row.state === state));
    if (count === 0) return [];
    const name = state === 'differs' && count !== 1 ? 'differ' : stateNames[state];
    return [`${count.toLocaleString('en-GB')} ${name}`];
  });
  return parts.join(', ') || 'nothing';
}

export const suggested = (rows: readonly SetupRow[]): ReadonlySet<string> =>
  new Set(rows.filter(({ open, take }) => open && take === 'file').map(({ id }) => id));

/** Names of connections that are new and not ticked: nothing of theirs can be imported, and no key of theirs saved. */
export const untickedConnections = (rows: readonly SetupRow[], chosen: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    rows
      .filter(({ group, state, id }) => group === 'connections' && state === 'new' && !chosen.has(id))
      .map(({ connection }) => connection),
  );

/** The lines of these connections. */
export const orphans = (rows: readonly SetupRow[], connections: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    rows.filter(({ group, connection }) => group !== 'connections' && connections.has(connection)).map(({ id }) => id),
  );

export const groupsOf = (rows: readonly SetupRow[]): { group: SetupGroup; rows: SetupRow[] }[] =>
  setupGroups
    .map((group) => ({ group, rows: rows.filter((row) => row.group === group) }))
    .filter((one) => one.rows.length > 0);
