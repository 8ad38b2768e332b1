import type { CapCount, CreditsOverview, LicenceCredits } from '../../../shared/domain/credits/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { CapsStore } from '../spend/caps-store.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Balances } from './balances.ts';

/**
 * What counts towards the caps of a connection: the calls of its keys, whichever connection sent them; of a policy's cap, every call.
 * The cap that leaves the least is the one that stops a call first.
 */
function readCounts(
  { caps, ledger }: { caps: CapsStore; ledger: Ledger },
  connectionId: string,
): Result<CreditsOverview['counts']> {
  const rules = caps.rules(connectionId);
  if (!rules.ok) return rules;
  const found: Record<'perDay' | 'perRun', CapCount[]> = { perDay: [], perRun: [] };
  for (const rule of rules.value) {
    const now = ledger.countedNow(rule.scope);
    if (!now.ok) return now;
    for (const name of ['perDay', 'perRun'] as const) {
      const { credits, open } = now.value[name];
      found[name].push({ cap: rule[name], counted: credits, open, everyConnection: rule.scope.kind === 'folder' });
    }
  }
  const room = ({ cap, counted }: CapCount) => (cap === null ? Number.POSITIVE_INFINITY : cap - counted);
  const tightest = ([first, ...others]: CapCount[]): CapCount =>
    others.reduce((least, one) => (room(one) < room(least) ? one : least), first ?? noCount);
  return ok({ perDay: tightest(found.perDay), perRun: tightest(found.perRun) });
}
const noCount: CapCount = { cap: null, counted: 0, open: 0, everyConnection: false };

/** What the credits screen shows of one connection, from what is stored: nothing is asked of the service. */
export function readOverview(
  parts: {
    balances: Balances;
    caps: CapsStore;
    ledger: Ledger;
    /** Credits of the licences last seen. */
    licenceCredits?: (connectionId: string) => Result<LicenceCredits | null>;
  },
  connectionId: string,
): Result<CreditsOverview> {
  const samples = parts.balances.latestSamples(connectionId);
  if (!samples.ok) return samples;
  const licences = parts.licenceCredits?.(connectionId) ?? ok(null);
  if (!licences.ok) return licences;
  const caps = parts.caps.read(connectionId);
  if (!caps.ok) return caps;
  const run = parts.ledger.spentThisRun(connectionId);
  if (!run.ok) return run;
  const today = parts.ledger.spentToday(connectionId);
  if (!today.ok) return today;
  const counts = readCounts(parts, connectionId);
  if (!counts.ok) return counts;
  return ok({
    samples: samples.value.filter(({ source }) => source !== 'licence'),
    licences: licences.value,
    caps: caps.value,
    counts: counts.value,
    spentThisRun: run.value.credits,
    spentToday: today.value.credits,
    unpricedToday: today.value.unpriced,
    openToday: today.value.open,
  });
}
