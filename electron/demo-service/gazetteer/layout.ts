import type { Town } from './data/towns.ts';
import type { PremiseDraft, StreetDraft } from './drafts.ts';
import type { Point } from './geography.ts';
import { movePoint } from './geography.ts';
import { layOutBlocks, layOutHamlet, layOutHouses, layOutPoBoxes, layOutShops, layOutUnits } from './kinds.ts';
import { nameHamlet, nameLocality, nameStreet, nameStreetTwice, nameYard } from './names.ts';
import type { PlannedPostcode } from './plan.ts';
import { showcasePostcode } from './plan.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import { layOutShowcase, showcaseLocality, showcaseStreet, showcaseYard } from './showcase.ts';

const seawards = {
  N: [0, 1],
  NE: [1, 1],
  E: [1, 0],
  SE: [1, -1],
  S: [0, -1],
  SW: [-1, -1],
  W: [-1, 0],
  NW: [-1, 1],
} as const;

interface LocalityDraft {
  readonly name: string;
  readonly hamlets: readonly string[];
  readonly centre: Point;
}

/** A point within `radius` metres of a centre, on the landward side if the town is by water. */
function scatter(random: Random, centre: Point, radius: number, town: Town): Point {
  let east: number;
  let north: number;
  do {
    east = random.next() * 2 - 1;
    north = random.next() * 2 - 1;
  } while (east * east + north * north > 1);
  if (town.seaward !== '') {
    const [seaEast, seaNorth] = seawards[town.seaward];
    if (east * seaEast + north * seaNorth > 0) {
      east = -east;
      north = -north;
    }
  }
  return movePoint(centre, east * radius, north * radius);
}

function makeLocalities(random: Random, town: Town): LocalityDraft[] {
  const localities = new Map<string, LocalityDraft>();
  while (localities.size < 3 + Math.ceil(town.weight / 2)) {
    const name = nameLocality(random, town);
    const hamlets = random.chance(0.5) ? [nameHamlet(random), nameHamlet(random)] : [];
    localities.set(name, { name, hamlets, centre: scatter(random, town, 2600, town) });
  }
  return [...localities.values()];
}

/** Lays out a town's streets and premises, postcode by postcode. The same seed and plan always give the same town. */
export function* layOutTown(
  seed: number,
  town: Town,
  plan: readonly PlannedPostcode[],
): Generator<{ planned: PlannedPostcode; premises: PremiseDraft[] }> {
  const random = createRandom(seed, town.index);
  const localities = makeLocalities(random, town);
  const usedNames = new Set<string>();
  let nextBox = random.between(1, 60);

  const makeStreet = (outward: string, fields: Partial<StreetDraft>, locality?: LocalityDraft): StreetDraft => {
    const turn = random.next() * 2 - 1;
    const hamlet = locality?.hamlets.length && random.chance(0.25) ? random.pick(locality.hamlets) : '';
    return {
      thoroughfare: '',
      dependentThoroughfare: '',
      doubleDependentLocality: hamlet,
      dependentLocality: locality?.name ?? '',
      outward,
      town,
      centre: locality ? scatter(random, locality.centre, 400, town) : scatter(random, town, 1800, town),
      // The absolute values of both parts add up to 1, so a step of 12 m is never longer than 12 m.
      step: [turn, random.chance(0.5) ? 1 - Math.abs(turn) : Math.abs(turn) - 1],
      nextNumber: random.between(1, 2),
      usedNames: new Set(),
      row: null,
      ...fields,
    };
  };

  const takeStreetName = (locality: string): string => {
    for (let tries = 0; ; tries += 1) {
      const name = tries < 12 ? nameStreet(random, town) : nameStreetTwice(random);
      const key = `${name}|${locality}`;
      // Names of two words are tens of thousands, so 60 tries nearly always suffice. If not, two streets have the same name.
      if (usedNames.has(key) && tries < 60) continue;
      usedNames.add(key);
      return name;
    }
  };

  const openStreet = (outward: string): StreetDraft => {
    const locality = random.chance(0.4) ? random.pick(localities) : undefined;
    return makeStreet(outward, { thoroughfare: takeStreetName(locality?.name ?? '') }, locality);
  };

  let current: StreetDraft | null = null;
  for (const [position, planned] of plan.entries()) {
    const { outward, size } = planned;
    if (planned.postcode === showcasePostcode) {
      const row = makeStreet(outward, { thoroughfare: showcaseStreet, dependentLocality: showcaseLocality });
      const yard: StreetDraft = { ...row, dependentThoroughfare: showcaseYard };
      usedNames.add(`${showcaseStreet}|`);
      yield { planned, premises: layOutShowcase(row, yard) };
      continue;
    }
    const draw = random.next();
    let premises: PremiseDraft[];
    if (position === 5 || draw < 0.02) {
      const street = makeStreet(outward, {
        nextNumber: nextBox,
        centre: { latitude: town.latitude, longitude: town.longitude },
        step: [0, 0],
      });
      premises = layOutPoBoxes(random, street, size);
      nextBox += size + random.below(20);
    } else if (position === 8 || draw < 0.09) {
      const street = makeStreet(outward, {}, random.pick(localities));
      premises = layOutHamlet(random, street, size);
    } else if (draw < 0.18) {
      current = openStreet(outward);
      const yard: StreetDraft = { ...current, dependentThoroughfare: nameYard(random), row: null };
      const onStreet = random.between(0, Math.floor(size / 3));
      premises = [...layOutShops(random, current, onStreet), ...layOutUnits(random, yard, size - onStreet)];
    } else {
      if (current === null || current.outward !== outward || current.nextNumber > 260 || random.chance(0.55))
        current = openStreet(outward);
      const layOut = draw < 0.3 ? layOutBlocks : draw < 0.4 ? layOutShops : layOutHouses;
      premises = layOut(random, current, size);
    }
    yield { planned, premises };
  }
}
