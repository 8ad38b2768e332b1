import { departments } from './data/words-premises.ts';
import type { PremiseDraft, StreetDraft } from './drafts.ts';
import { draftPremise } from './drafts.ts';
import { nameBlock, nameHouse, nameOrganisation } from './names.ts';
import type { Random } from './random.ts';

/** Lays out a postcode of one kind. Each function below returns exactly `size` premises. */
type LayOut = (random: Random, street: StreetDraft, size: number) => PremiseDraft[];

/** A name that its street does not have yet; preceded by a number if no unused one is found. */
function takeName(street: StreetDraft, makeName: () => string): string {
  let name = makeName();
  for (let tries = 0; street.usedNames.has(name) && tries < 20; tries += 1) name = makeName();
  if (street.usedNames.has(name)) name = `${street.usedNames.size + 1} ${name}`;
  street.usedNames.add(name);
  return name;
}

const takeHouse = (random: Random, street: StreetDraft): string =>
  takeName(street, () => nameHouse(random, street.town));
const takeBlock = (random: Random, street: StreetDraft): string => takeName(street, () => nameBlock(random));

function takeNumber(random: Random, street: StreetDraft): number {
  const number = street.nextNumber;
  // Gaps in the numbering are common in British streets.
  street.nextNumber += random.chance(0.04) ? 4 : 2;
  return number;
}

function addFlats(random: Random, street: StreetDraft, premises: PremiseDraft[], size: number): void {
  const buildingNumber = String(takeNumber(random, street));
  const shared = random.chance(0.15);
  const count = Math.min(random.between(2, 6), size - premises.length);
  for (let flat = 1; flat <= count; flat += 1) {
    premises.push(
      draftPremise(street, {
        buildingNumber,
        subBuilding: shared ? `Bedsit ${flat}` : `Flat ${flat}`,
        userCategory: shared ? 'Multiple residence' : 'Residential',
      }),
    );
  }
}

export const layOutHouses: LayOut = (random, street, size) => {
  const premises: PremiseDraft[] = [];
  while (premises.length < size) {
    const draw = random.next();
    if (draw < 0.04) {
      addFlats(random, street, premises, size);
      continue;
    }
    const number = takeNumber(random, street);
    if (draw < 0.78) premises.push(draftPremise(street, { buildingNumber: String(number) }));
    else if (draw < 0.85) {
      premises.push(draftPremise(street, { buildingNumber: String(number), buildingName: takeHouse(random, street) }));
    } else if (draw < 0.88)
      premises.push(draftPremise(street, { buildingName: `${number}${random.pick(['A', 'A', 'B', 'C'])}` }));
    else if (draw < 0.9) {
      premises.push(draftPremise(street, { buildingName: `${number}-${number + 2}` }));
      street.nextNumber += 2;
    } else if (draw < 0.96) premises.push(draftPremise(street, { buildingName: takeHouse(random, street) }));
    else {
      const organisation = nameOrganisation(random, street.dependentLocality);
      premises.push(draftPremise(street, { buildingNumber: String(number), organisation, userCategory: 'Business' }));
    }
  }
  return premises;
};

export const layOutBlocks: LayOut = (random, street, size) => {
  const premises: PremiseDraft[] = [];
  while (premises.length < size) {
    const buildingName = takeBlock(random, street);
    const buildingNumber = random.chance(0.4) ? String(takeNumber(random, street)) : '';
    const word = random.chance(0.8) ? 'Flat' : 'Apartment';
    const count = Math.min(random.between(6, 24), size - premises.length);
    for (let flat = 1; flat <= count; flat += 1) {
      premises.push(draftPremise(street, { subBuilding: `${word} ${flat}`, buildingName, buildingNumber }));
    }
  }
  return premises;
};

export const layOutShops: LayOut = (random, street, size) => {
  const premises: PremiseDraft[] = [];
  while (premises.length < size) {
    const number = takeNumber(random, street);
    const organisation = nameOrganisation(random, street.dependentLocality);
    const range = random.chance(0.12);
    if (range) street.nextNumber += 2;
    const where = range ? { buildingName: `${number}-${number + 2}` } : { buildingNumber: String(number) };
    premises.push(draftPremise(street, { ...where, organisation, userCategory: 'Business' }));
    if (random.chance(0.25) && premises.length < size) {
      const subBuilding = random.pick(['First Floor Flat', 'Top Floor Flat', 'Flat A', 'Maisonette']);
      premises.push(draftPremise(street, { ...where, subBuilding }));
    }
  }
  return premises;
};

export const layOutUnits: LayOut = (random, street, size) => {
  const premises: PremiseDraft[] = [];
  let unit = 1;
  while (premises.length < size) {
    const inBuilding = random.chance(0.25);
    const where = inBuilding
      ? { subBuilding: `Unit ${unit}`, buildingName: takeBlock(random, street) }
      : { buildingName: `Unit ${unit}` };
    unit += random.chance(0.15) ? 2 : 1;
    const organisation = random.chance(0.9) ? nameOrganisation(random, street.dependentLocality) : '';
    premises.push(draftPremise(street, { ...where, organisation, userCategory: 'Business' }));
    if (organisation === '' || !random.chance(0.15)) continue;
    const count = Math.min(random.between(1, 3), size - premises.length);
    const first = random.below(departments.length);
    for (let nth = 0; nth < count; nth += 1) {
      const department = departments[(first + nth) % departments.length] ?? '';
      premises.push(draftPremise(street, { ...where, organisation, department, userCategory: 'Business' }));
    }
  }
  return premises;
};

export const layOutHamlet: LayOut = (random, street, size) => {
  const premises: PremiseDraft[] = [];
  while (premises.length < size) {
    const buildingName = takeHouse(random, street);
    const farm = random.chance(0.08) ? nameOrganisation(random, street.dependentLocality) : '';
    premises.push(
      draftPremise(street, { buildingName, organisation: farm, userCategory: farm ? 'Business' : 'Residential' }),
    );
  }
  return premises;
};

export const layOutPoBoxes: LayOut = (random, street, size) => {
  const premises: PremiseDraft[] = [];
  for (let box = 0; box < size; box += 1) {
    const poBox = String(street.nextNumber + box);
    const organisation = random.chance(0.85) ? nameOrganisation(random, '') : '';
    const department = organisation && random.chance(0.1) ? random.pick(departments) : '';
    premises.push(draftPremise(street, { poBox, organisation, department, userCategory: 'PO Box' }));
  }
  return premises;
};
