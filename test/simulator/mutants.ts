/** A rule that is switched off: a text of the source and its replacement. The simulator must find a false claim with each. */
export interface Mutant {
  name: string;
  file: 'facts' | 'reconcile';
  rule: string;
  instead: string;
}

const assumption = (one: string, rule: string, instead: string): Mutant => ({
  name: `${one} is not named`,
  file: 'reconcile',
  rule,
  instead,
});

export const mutants: readonly Mutant[] = [
  // The windows in which a call may be charged.
  { name: 'no horizon', file: 'facts', rule: 'Math.max(shortestHorizonMs, 2 * timeoutMs)', instead: '0' },
  {
    name: 'a horizon of thirty seconds',
    file: 'facts',
    rule: 'Math.max(shortestHorizonMs, 2 * timeoutMs)',
    instead: '30_000',
  },
  {
    name: 'the time-out does not lengthen the horizon',
    file: 'facts',
    rule: 'Math.max(shortestHorizonMs, 2 * timeoutMs)',
    instead: 'shortestHorizonMs',
  },
  {
    name: 'a lost call is over when it ended',
    file: 'facts',
    rule: "ended.how === 'answered' || ended.how === 'refused'",
    instead: "ended.how !== 'dead'",
  },
  {
    name: 'a dead call is over when it was found',
    file: 'facts',
    rule: "ended.how === 'answered' || ended.how === 'refused'",
    instead: "ended.how !== 'lost'",
  },
  {
    name: 'every end is the end of the window',
    file: 'facts',
    rule: "if (ended.how === 'answered' || ended.how === 'refused') return true;",
    instead: 'return true;',
  },
  {
    name: 'an end during the reading is before it',
    file: 'facts',
    rule: 'ended === null || ended.sequence > sample.asked.sequence',
    instead: 'ended === null || ended.sequence > sample.answered.sequence',
  },
  {
    name: 'an end at any time is before the reading',
    file: 'facts',
    rule: 'ended === null || ended.sequence > sample.asked.sequence',
    instead: 'ended === null',
  },
  {
    name: 'the horizon runs by the wall clock',
    file: 'facts',
    rule: 'if (ended.boot === boot) return elapsedMs - ended.elapsedMs;',
    instead: 'if (ended.boot === boot) return Date.parse(sample.asked.at) - Date.parse(ended.at);',
  },
  {
    name: 'another boot is over',
    file: 'facts',
    rule: 'since.length === 0 ? 0 : elapsedMs - Math.min(...since)',
    instead: 'Number.POSITIVE_INFINITY',
  },
  {
    name: 'another boot is measured by the wall clock',
    file: 'facts',
    rule: 'since.length === 0 ? 0 : elapsedMs - Math.min(...since)',
    instead: 'Date.parse(sample.asked.at) - Date.parse(ended.at)',
  },
  {
    name: 'a process that started before the end of a call counts from its start',
    file: 'facts',
    rule: '.filter(({ sequence }) => sequence >= ended.sequence)',
    instead: '',
  },
  {
    name: 'the clock counts from when the computer started',
    file: 'facts',
    rule: 'since.length === 0 ? 0 : elapsedMs - Math.min(...since)',
    instead: 'elapsedMs',
  },
  // Clean cuts and candidates.
  {
    name: 'every sample is a clean cut',
    file: 'facts',
    rule: '!isOverBefore(call, sample, earlier)) return false;',
    instead: 'false) return false;',
  },
  {
    name: 'a call sent during the reading is no matter',
    file: 'facts',
    rule: 'call.sent.sequence < sample.answered.sequence &&',
    instead: 'call.sent.sequence <= sample.asked.sequence &&',
  },
  {
    name: 'only the first call is looked at',
    file: 'facts',
    rule: 'if (call.sent.sequence < sample.answered.sequence && !isOverBefore(call, sample, earlier)) return false;',
    instead: 'return !(call.sent.sequence < sample.answered.sequence && !isOverBefore(call, sample, earlier));',
  },
  {
    name: 'calls of other keys are no candidates',
    file: 'facts',
    rule: "(!separate || call.interface === 'soap' || call.fingerprint === purse.fingerprint)",
    instead: 'call.fingerprint === purse.fingerprint',
  },
  {
    name: 'samples that are no cut close segments too',
    file: 'reconcile',
    rule: 'if (!isCleanCut(sample,',
    instead: 'if (from === undefined && !isCleanCut(sample,',
  },
  {
    name: 'two samples under way at once make a segment',
    file: 'reconcile',
    rule: '    if (isBeside(sample, from)) continue;\n',
    instead: '',
  },
  {
    name: 'every sample opens a segment',
    file: 'reconcile',
    rule: 'if (!isCleanCut(sample, candidates, samples.slice(0, index))) continue;',
    instead: 'if (!isCleanCut(sample, candidates, samples.slice(0, index))) { from = sample; continue; }',
  },
  {
    name: 'calls after the second reading belong to the segment',
    file: 'reconcile',
    rule: ' && call.sent.sequence <= to.asked.sequence',
    instead: '',
  },
  {
    name: 'calls before the first reading belong to the segment',
    file: 'reconcile',
    rule: 'call.sent.sequence > from.answered.sequence && ',
    instead: '',
  },
  // Movements.
  {
    name: 'a rise is a fall',
    file: 'reconcile',
    rule: "return fall < 0 ? { kind: 'rose', rise: -fall } : { kind: 'still' };",
    instead: "return fall < 0 ? { kind: 'fell', fall: -fall, added: 0 } : { kind: 'still' };",
  },
  {
    name: 'a rise is no movement',
    file: 'reconcile',
    rule: "return fall < 0 ? { kind: 'rose', rise: -fall } : { kind: 'still' };",
    instead: "return { kind: 'still' };",
  },
  {
    name: 'figures that do not add up are used',
    file: 'reconcile',
    rule: "if (addsUp(from) === false || addsUp(to) === false) return { kind: 'unclear' };\n",
    instead: '',
  },
  {
    name: 'the total is not looked at',
    file: 'reconcile',
    rule: 'const added = roundFigure((to.total ?? 0) - (from.total ?? 0));',
    instead: 'const added = 0;',
  },
  {
    name: 'what was added beside a fall is not said',
    file: 'reconcile',
    rule: "  ...(movement.kind === 'fell' && movement.added > 0 && { rise: movement.added }),\n",
    instead: '',
  },
  {
    name: 'used is not looked at',
    file: 'reconcile',
    rule: "if (fall > 0) return { kind: 'fell', fall, added };",
    instead: "if (fall + added > 0) return { kind: 'fell', fall: fall + added, added };",
  },
  {
    name: 'every reading of both figures is unclear',
    file: 'reconcile',
    rule: 'if (addsUp(from) && addsUp(to)) {',
    instead: "if (addsUp(from) && addsUp(to)) {\n    if (to.credits !== from.credits) return { kind: 'unclear' };",
  },
  // Conclusions.
  {
    name: 'unclear is no fall',
    file: 'reconcile',
    rule: "if (movement.kind === 'unclear') return { kind: 'unclear', ...span };",
    instead: "if (movement.kind === 'unclear') return { kind: 'no-fall', until: span.to };",
  },
  {
    name: 'a rise is no fall',
    file: 'reconcile',
    rule: "if (movement.kind === 'rose') return { kind: 'rose', rise: movement.rise, ...span };",
    instead: "if (movement.kind === 'rose') return { kind: 'no-fall', until: span.to };",
  },
  {
    name: 'no fall until it was asked',
    file: 'reconcile',
    rule: "return { kind: 'no-fall', until: span.to };",
    instead: "return { kind: 'no-fall', until: span.from };",
  },
  {
    name: 'a remainder clears: a fall below the prices is nobody’s',
    file: 'reconcile',
    rule: 'if (prices === null || call.most === null || fall > prices) return shared;',
    instead:
      "if (prices === null || call.most === null || fall > prices) return shared;\n  if (fall < prices && call === calls[0]) return { kind: 'no-fall', until: span.to };",
  },
  {
    name: 'two calls are one',
    file: 'reconcile',
    rule: "if (calls.length === 1) return { kind: 'cost'",
    instead: "if (calls.length <= 2) return { kind: 'cost'",
  },
  {
    name: 'the first of many is alone',
    file: 'reconcile',
    rule: "if (calls.length === 1) return { kind: 'cost'",
    instead: "if (call === calls[0]) return { kind: 'cost'",
  },
  {
    name: 'a single call costs its price',
    file: 'reconcile',
    rule: "return { kind: 'cost', fall, ...span, assumes: always };",
    instead: "return { kind: 'cost', fall: call.most ?? fall, ...span, assumes: always };",
  },
  {
    name: 'a call without a price costs nothing',
    file: 'reconcile',
    rule: '(sum === null || most === null ? null : sum + most)',
    instead: '(sum ?? 0) + (most ?? 0)',
  },
  {
    name: 'a fall below the prices is the prices',
    file: 'reconcile',
    rule: 'if (fall === prices)',
    instead: 'if (fall <= prices)',
  },
  {
    name: 'a fall beyond the prices is the prices',
    file: 'reconcile',
    rule: ' || fall > prices) return shared;\n',
    instead:
      ") return shared;\n  if (fall > prices) return { kind: 'at-price', fall, ...span, calls: calls.length, price: call.most, assumes: [...always, 'P'] };\n",
  },
  {
    name: 'each costs its share',
    file: 'reconcile',
    rule: 'return least > 0 ?',
    instead:
      "if (fall % calls.length === 0) return { kind: 'between', fall, ...span, calls: calls.length, least: fall / calls.length, most: fall / calls.length, assumes: withPrices };\n  return least > 0 ?",
  },
  {
    name: 'the least is the price',
    file: 'reconcile',
    rule: 'const least = Math.max(0, roundFigure(fall - (prices - call.most)));',
    instead: 'const least = call.most;',
  },
  {
    name: 'the most is the least',
    file: 'reconcile',
    rule: 'const most = Math.min(call.most, fall);',
    instead: 'const most = least;',
  },
  {
    name: 'the number of calls is left out',
    file: 'reconcile',
    rule: "kind: 'shared', fall, ...span, calls: calls.length",
    instead: "kind: 'shared', fall, ...span, calls: 1",
  },
  // Assumptions.
  assumption('O', "['O', 'A', 'C', 'H', 'F']", "['A', 'C', 'H', 'F']"),
  assumption('A', "['O', 'A', 'C', 'H', 'F']", "['O', 'C', 'H', 'F']"),
  assumption('C', "['O', 'A', 'C', 'H', 'F']", "['O', 'A', 'H', 'F']"),
  assumption('H', "['O', 'A', 'C', 'H', 'F']", "['O', 'A', 'C', 'F']"),
  assumption('F', "['O', 'A', 'C', 'H', 'F']", "['O', 'A', 'C', 'H']"),
  assumption('P', "[...always, 'P']", '[...always]'),
  // Movements of the balance itself.
  {
    name: 'every fall is no call’s',
    file: 'reconcile',
    rule: 'if (calls.length === 0) return [',
    instead: 'if (calls.length < 2) return [',
  },
  {
    name: 'the calls beside a larger fall are left out',
    file: 'reconcile',
    rule: "{ kind: 'beyond', fall, ...span, calls: calls.length, explained: prices }",
    instead: "{ kind: 'beyond', fall, ...span, calls: 1, explained: prices }",
  },
];
