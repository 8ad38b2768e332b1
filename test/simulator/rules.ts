import type * as facts from '../../electron/core/spend/facts.ts';
import type * as reconcile from '../../electron/core/spend/reconcile.ts';
import { judgeCall, judgeMovement } from './judge.ts';
import { purses, type World } from './world.ts';

/** The program's rules, or a mutant of them. */
export type Rules = Pick<typeof reconcile, 'findSegments' | 'claimOfCall' | 'claimsOfMovement'> &
  Pick<typeof facts, 'horizonOf'>;

export interface Verdicts {
  /** The claim about each call: that of its own balance, otherwise what another balance's fall shows. */
  ofCalls: Map<string, string>;
  lies: string[];
}

/** Compares everything that the rules say about a world with the truth. */
export function sweep(rules: Rules, world: World): Verdicts {
  const ofCalls = new Map<string, string>();
  const lies: string[] = [];
  const calls = world.calls.map(({ fact }) => fact).sort((a, b) => a.sent.sequence - b.sent.sequence);
  for (const purse of purses) {
    const samples = world.samples.map(({ fact }) => fact).sort((a, b) => a.answered.sequence - b.answered.sequence);
    for (const segment of rules.findSegments(purse, calls, samples)) {
      for (const fact of segment.calls) {
        const own = fact.fingerprint === purse.fingerprint;
        if (!own && segment.movement.kind !== 'fell') continue;
        const call = world.calls.find((one) => one.fact.id === fact.id);
        if (!call) continue;
        const claim = rules.claimOfCall(segment, fact);
        const lie = judgeCall(world, segment, call, claim);
        if (lie !== null) lies.push(`seed ${world.seed}: ${claim.kind} of ${fact.id}: ${lie}`);
        if (own || !ofCalls.has(fact.id)) ofCalls.set(fact.id, claim.kind);
      }
      for (const claim of rules.claimsOfMovement(segment)) {
        const lie = judgeMovement(world, segment, claim);
        if (lie !== null) lies.push(`seed ${world.seed}: ${claim.kind} of a movement: ${lie}`);
      }
    }
  }
  return { ofCalls, lies };
}
