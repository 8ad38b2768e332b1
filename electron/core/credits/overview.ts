import type { CapCount, CapSource, CreditsOverview, LicenceCredits } from '../../../shared/domain/credits/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { CapsStore } from '../spend/caps-store.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Balances } from './balances.ts';

/**
 * What counts towards the caps of a connection: the calls of its keys, whichever connection sent them; towards a policy's cap, every call.
 * The cap that leaves the least is the one that stops a call first.
 */
function readCounts(
  { caps, ledger }: { caps: CapsStore; ledger: Ledger },
  connectionId: string,
): Result<CreditsOverview['counts']> {
  const rules = caps.rules(connectionId);
  if (!rules.ok) return rules;
  const authors = caps.authors(connectionId);
  if (!authors.ok) return authors;
  const found: Record<'perDay' | 'perRun', CapCount[]> = { perDay: [], perRun: [] };
  for (const rule of rules.value) {
    const now = ledger.countedNow(rule.scope);
    if (!now.ok) return now;
    for (const name of ['perDay', 'perRun'] as const) {
      const { credits, open } = now.value[name];
      const source: CapSource =
        rule.scope.kind === 'folder' ? { kind: 'policy' } : { kind: 'here', author: authors.value[name] ?? null };
      found[name].push({ cap: rule[name], counted: credits, open, source: rule[name] === null ? null : source });
    }
  }
  const room = ({ cap, counted }: CapCount) => (cap === null ? Number.POSITIVE_INFINITY : cap - counted);
  const tightest = ([first, ...others]: CapCount[]): CapCount =>
    others.reduce((least, one) => (room(one) < room(least) ? one : least), first ?? noCount);
  return ok({ perDay: tightest(found.perDay), perRun: tightest(found.perRun) });
}
const noCount: CapCount = { cap: null, counted: 0, open: 0, source: null };

/** The highest minimum balance is the one that stops a call first. */
function readFloorSource(caps: CapsStore, connectionId: string): Result<CapSource | null> {
  const rules = caps.rules(connectionId);
  if (!rules.ok) return rules;
  const set = rules.value.filter(({ floor }) => floor !== null);
  const highest = Math.max(...set.map(({ floor }) => floor ?? 0));
  const first = set.find(({ floor }) => floor === highest);
  if (!first) return ok(null);
  if (first.scope.kind === 'folder') return ok({ kind: 'policy' });
  const authors = caps.authors(connectionId);
  return authors.ok ? ok({ kind: 'here', author: authors.value.floor ?? null }) : authors;
}

/** What other connections with one of this one's keys have set: it applies to the calls of that key, whichever connection sends them. */
function readSharedCaps(
  { caps, ledger }: { caps: CapsStore; ledger: Ledger },
  connectionId: string,
): Result<CreditsOverview['sharedCaps']> {
  const sharing = caps.sharing(connectionId);
  if (!sharing.ok) return sharing;
  const found: CreditsOverview['sharedCaps'] = [];
  for (const { connectionId: id, name, keys } of sharing.value) {
    const own = caps.ofConnection(id);
    if (!own.ok) return own;
    const { perDay, perRun, floor } = own.value;
    if (perDay === null && perRun === null && floor === null) continue;
    const now = ledger.countedNow({ kind: 'connection', connectionId: id });
    if (!now.ok) return now;
    const authors = caps.authors(id);
    if (!authors.ok) return authors;
    const count = (which: 'perDay' | 'perRun'): CapCount => ({
      cap: own.value[which],
      counted: now.value[which].credits,
      open: now.value[which].open,
      source: own.value[which] === null ? null : { kind: 'here', author: authors.value[which] ?? null },
    });
    found.push({ name, keys, counts: { perDay: count('perDay'), perRun: count('perRun') }, floor });
  }
  return ok(found);
}

/** What the credits screen shows of one connection, from what is stored: makes no network call. Errors: `storage-failed`. */
export function readOverview(
  parts: {
    balances: Balances;
    caps: CapsStore;
    ledger: Ledger;
    /** Credits of the licences last seen. */
    licenceCredits: (connectionId: string) => Result<LicenceCredits | null>;
  },
  connectionId: string,
): Result<CreditsOverview> {
  const samples = parts.balances.latestSamples(connectionId);
  if (!samples.ok) return samples;
  const compared = parts.ledger.lastOfPayer(connectionId);
  if (!compared.ok) return compared;
  const licences = parts.licenceCredits(connectionId);
  if (!licences.ok) return licences;
  const caps = parts.caps.read(connectionId);
  if (!caps.ok) return caps;
  const today = parts.ledger.spentToday(connectionId);
  if (!today.ok) return today;
  const counts = readCounts(parts, connectionId);
  if (!counts.ok) return counts;
  const floorSource = readFloorSource(parts.caps, connectionId);
  if (!floorSource.ok) return floorSource;
  const sharedCaps = readSharedCaps(parts, connectionId);
  if (!sharedCaps.ok) return sharedCaps;
  return ok({
    samples: samples.value.filter(({ source }) => source !== 'licence'),
    compared: compared.value && { credits: compared.value.credits, at: compared.value.answered.at },
    licences: licences.value,
    caps: caps.value,
    counts: counts.value,
    floorSource: floorSource.value,
    sharedCaps: sharedCaps.value,
    spentToday: today.value.credits,
    unpricedToday: today.value.unpriced,
    openToday: today.value.open,
  });
}
