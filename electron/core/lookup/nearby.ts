import { setImmediate as turn } from 'node:timers/promises';
import type { Suggestion } from '../../../shared/domain/lookup/lookup.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { addressesOf, contentsOf } from './cached-premises.ts';
import { convertPlace, gridPosition, type Metres } from './position.ts';

/** Metres: anything farther away is not near. */
const farthest = 5000;
const mostShown = 6;
/** Answers read before yielding to everything else. */
const sliceSize = 25;

/**
 * Saved addresses around a typed place, nearest first, by the location in their own answers. Makes no network call. The location is read
 * from an answer once and remembered, over several turns: thousands may be saved.
 */
export function createNearby(answers: Pick<AnswerCache, 'cachedPremises' | 'aboutSubject'>) {
  const places = new Map<string, { at: string; on: Metres | null }>();

  /** Where a saved premise lies on the British grid; null: its answers do not say. */
  async function placeOf(connectionId: string, subject: string): Promise<Metres | null> {
    const known = answers.aboutSubject(connectionId, 'premise', subject);
    const contents = known.ok ? await contentsOf(known.value) : known;
    if (!contents.ok) return null;
    for (const address of addressesOf(contents.value)) {
      const on = gridPosition(address);
      if (on) return on;
    }
    return null;
  }

  return async function nearby(connectionId: string, typed: string): Promise<Result<Suggestion[]>> {
    const from = convertPlace(typed);
    if (!from.ok) return ok([]);
    const saved = answers.cachedPremises(connectionId);
    if (!saved.ok) return saved;
    const found: Extract<Suggestion, { kind: 'near' }>[] = [];
    let read = 0;
    for (const { subject, label, at } of saved.value) {
      const key = `${connectionId} ${subject}`;
      let place = places.get(key);
      if (place?.at !== at) {
        if (++read % sliceSize === 0) await turn();
        place = { at, on: await placeOf(connectionId, subject) };
        places.set(key, place);
      }
      if (!place.on) continue;
      const metres = Math.hypot(
        place.on.easting - Number(from.value.easting),
        place.on.northing - Number(from.value.northing),
      );
      if (metres <= farthest) found.push({ kind: 'near', premiseId: subject, label, at, metres: Math.round(metres) });
    }
    return ok(found.sort((one, other) => one.metres - other.metres).slice(0, mostShown));
  };
}
