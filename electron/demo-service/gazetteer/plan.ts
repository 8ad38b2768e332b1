import type { Town } from './data/towns.ts';
import { towns } from './data/towns.ts';
import { createRandom } from './random.ts';

export const fewestPremises = 100;
export const mostPremises = 2_000_000;

/** Number of premises in the showcase postcode, which is laid out by hand (see showcase.ts). */
export const showcaseSize = 34;
export const showcasePostcode = 'HR10 2DT';
/** The postcode beside the showcase; it exists from a few thousand premises upwards. */
const secondPostcode = 'HR10 2DW';
/** A well-formed postcode in a used district that never has premises. */
const vacantPostcode = 'HR10 9ZX';

const unitLetters = 'ABDEFGHJLNPQRSTUWXYZ';
const smallest = 10;
const largest = 40;

export interface PlannedPostcode {
  readonly postcode: string;
  readonly outward: string;
  readonly district: number;
  readonly sector: number;
  readonly size: number;
}

/** Divides the premises into postcodes of 10 to 40 premises each; the first is the showcase. */
function cutIntoPostcodes(seed: number, premises: number): number[] {
  const random = createRandom(seed, 900_001);
  const sizes = [showcaseSize];
  let left = premises - showcaseSize;
  while (left > largest) {
    const size = random.between(smallest, Math.min(largest, left - smallest));
    sizes.push(size);
    left -= size;
  }
  sizes.push(left);
  return sizes;
}

/** Distributes postcodes by the towns' weights (largest remainder first); the first town always gets at least one. */
function shareOut(postcodes: number): number[] {
  const weights = towns.reduce((sum, town) => sum + town.weight, 0);
  const exact = towns.map((town) => ((postcodes - 1) * town.weight) / weights);
  const shares = exact.map(Math.floor);
  shares[0] = (shares[0] ?? 0) + 1;
  let left = postcodes - shares.reduce((sum, share) => sum + share, 0);
  const order = exact.map((share, index) => ({ index, rest: share - Math.floor(share) }));
  order.sort((a, b) => b.rest - a.rest || a.index - b.index);
  for (const { index } of order) {
    if (left === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}

/** Names the postcodes of a town by district and sector, with units in a shuffled order. */
function* namePostcodes(town: Town, wanted: number): Generator<Omit<PlannedPostcode, 'size'>> {
  const reserved = [showcasePostcode, secondPostcode, vacantPostcode];
  if (town.index === 0) {
    yield { postcode: showcasePostcode, outward: 'HR10', district: 10, sector: 2 };
    yield { postcode: secondPostcode, outward: 'HR10', district: 10, sector: 2 };
  }
  const perSector = Math.max(40, Math.ceil((wanted + reserved.length) / town.districts.length / 10));
  for (const district of town.districts) {
    const outward = `${town.area}${district}`;
    for (let turn = 0; turn < 10; turn += 1) {
      const sector = (turn + town.index) % 10;
      for (let step = 0; step < Math.min(perSector, 400); step += 1) {
        // 7 and 400 have no common factor, so every unit occurs once; the offset gives each sector a different order.
        const unit = (step * 7 + sector * 53 + town.index * 31) % 400;
        const inward = `${sector}${unitLetters[Math.floor(unit / 20)]}${unitLetters[unit % 20]}`;
        const postcode = `${outward} ${inward}`;
        if (!reserved.includes(postcode)) yield { postcode, outward, district, sector };
      }
    }
  }
}

/**
 * The postcodes of each town and the number of premises in each, in the order of the town list.
 * Throws RangeError for a count outside 100 to 2,000,000 or a seed that is no whole number.
 */
export function planPostcodes(seed: number, premises: number): Map<Town, PlannedPostcode[]> {
  if (!Number.isSafeInteger(seed)) throw new RangeError('The seed must be a whole number.');
  if (!Number.isInteger(premises) || premises < fewestPremises || premises > mostPremises) {
    throw new RangeError(`The number of premises must be a whole number from ${fewestPremises} to ${mostPremises}.`);
  }
  const sizes = cutIntoPostcodes(seed, premises);
  const shares = shareOut(sizes.length);
  const plan = new Map<Town, PlannedPostcode[]>();
  let next = 0;
  for (const town of towns) {
    const names = namePostcodes(town, shares[town.index] ?? 0);
    const planned: PlannedPostcode[] = [];
    for (let count = shares[town.index] ?? 0; count > 0; count -= 1) {
      const name = names.next().value;
      if (!name) throw new RangeError(`${town.postTown} has run out of postcodes.`);
      planned.push({ ...name, size: sizes[next] ?? smallest });
      next += 1;
    }
    plan.set(town, planned);
  }
  return plan;
}
