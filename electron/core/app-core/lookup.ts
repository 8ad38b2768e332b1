import { createAnswerCache } from '../answers/answer-cache.ts';
import { openCachedAnswers } from '../answers/cached-answers.ts';
import { createShapeWatch } from '../answers/shape-watch.ts';
import { createLookup } from '../lookup/lookup.ts';
import { createOperations } from '../operations/operations.ts';
import { removeOutdated } from '../policy/enforce-policy.ts';
import { readOrDefault } from '../settings/settings.ts';
import type { CallParts } from './calls.ts';
import type { ConnectionParts } from './connections.ts';
import type { BaseParts } from './options.ts';
import type { WayOut } from './way-out.ts';

/**
 * The two screens that ask for addresses, over one cache of answers: the lookup screen and the operations explorer. Answers that have
 * expired are removed here; `close` stops removing those that a policy lets expire while the program runs.
 */
export function buildLookup(
  { options, db, clock, settings }: BaseParts,
  { connections, secrets, profileFor }: ConnectionParts,
  { descriptions, decoder }: WayOut,
  { clients, ledger, log }: CallParts,
) {
  const cached = openCachedAnswers(db, clock, () => readOrDefault(settings, 'cacheMegabytes') * 1_000_000);
  const stopRemoving = removeOutdated(cached, options.policy.policy, {
    report: ({ code }) => options.logger.error(`cached answers: ${code}`, null),
    onRemoved: () => options.emit('storage.changed', {}),
  });
  const answers = createAnswerCache(cached, { settings, log });
  // Expired answers are deleted at the start, not only hidden: a data licence may require it.
  answers.remove('outdated');
  const lookup = createLookup({
    connections,
    secrets,
    clients,
    answers,
    shapes: createShapeWatch(settings, clock),
    ledger,
  });
  const operations = createOperations({
    db,
    clock,
    connections,
    secrets,
    profileFor,
    clients,
    descriptions,
    answers,
    lookup,
    decoder,
    ledger,
    log,
  });
  return { lookup, operations, close: stopRemoving };
}
