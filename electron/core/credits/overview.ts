import type { CreditsOverview, LicenceCredits } from '../../../shared/domain/credits/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { CapsStore } from '../spend/caps-store.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Balances } from './balances.ts';

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
  return ok({
    samples: samples.value.filter(({ source }) => source !== 'licence'),
    licences: licences.value,
    caps: caps.value,
    spentThisRun: run.value.credits,
    spentToday: today.value.credits,
    unpricedToday: today.value.unpriced,
    openToday: today.value.open,
  });
}
