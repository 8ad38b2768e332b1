import type { DatabaseSync } from 'node:sqlite';
import { countWards } from './areas.ts';
import type { Town } from './data/towns.ts';
import type { PremiseDraft, StreetDraft } from './drafts.ts';
import { describePlace, movePoint } from './geography.ts';
import { createIdentifierMaker } from './identifiers.ts';
import { layOutTown } from './layout.ts';
import type { PlannedPostcode } from './plan.ts';
import { planPostcodes } from './plan.ts';
import { createRandom } from './random.ts';
import { indexSql, schemaSql, wordColumns } from './schema.ts';
import { splitWords } from './words.ts';

const suffixLetters = 'ABDEFGHJLNPQRSTUWXYZ';
const roundDegrees = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

function insertInto(db: DatabaseSync, table: string, columns: readonly string[]) {
  return db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
}

const streetColumns =
  's id thoroughfare dependent_thoroughfare double_dependent_locality dependent_locality town outward'.split(' ');
const postcodeColumns = 'p postcode compact outward town ward mailsort first last'.split(' ');
const premiseColumns =
  'n id udprn uprn organisation department sub_building building_name building_number po_box category suffix latitude longitude easting northing p s'.split(
    ' ',
  );

/** The text of the number column: both 26 and 28 find "26-28", only 30a finds "30A". */
function numberText(draft: PremiseDraft): string {
  return `${draft.buildingNumber} ${/^\d/.test(draft.buildingName) ? draft.buildingName : ''}`;
}

const countyWordsOf = new Map<Town, string>();

/** Words that a person may add after the town: present and former counties, the country, "UK". */
function listCountyWords(town: Town): string {
  let words = countyWordsOf.get(town);
  if (words === undefined) {
    const { administrative, traditional, formerPostal, country } = town;
    words = [...new Set(splitWords([administrative, traditional, formerPostal, country, 'UK'].join(' ')))].join(' ');
    countyWordsOf.set(town, words);
  }
  return words;
}

/** Sorting codes are invented; they differ by postcode sector, as the real ones differed by delivery office. */
function makeMailsort(town: Town, planned: PlannedPostcode): string {
  return String(10_000 + ((30_211 + town.index * 647 + (planned.district % 7) * 13 - 39 + planned.sector) % 90_000));
}

/**
 * Fills an empty database with the gazetteer of a seed, in one transaction.
 * Throws RangeError for options out of bounds, and SQLite's errors.
 */
export function buildGazetteer(db: DatabaseSync, seed: number, premises: number, fingerprint: string): void {
  const plan = planPostcodes(seed, premises);
  const identifiers = createIdentifierMaker(seed);
  const jitter = createRandom(seed, 900_002);
  db.exec('BEGIN');
  db.exec(schemaSql);
  const insertStreet = insertInto(db, 'street', streetColumns);
  const insertPostcode = insertInto(db, 'postcode', postcodeColumns);
  const insertPremise = insertInto(db, 'premise', premiseColumns);
  const insertWords = insertInto(db, 'words', ['rowid', ...wordColumns]);
  // Streets, towns and numbers come again and again, and most fields are empty.
  const folded = new Map<string, string>();
  const fold = (text: string): string => {
    const words = folded.get(text) ?? splitWords(text).join(' ');
    folded.set(text, words);
    return words;
  };
  let n = 0;
  let p = 0;
  let s = 0;

  const storeStreet = (street: StreetDraft): number => {
    if (street.row !== null) return street.row;
    const { thoroughfare, dependentThoroughfare, doubleDependentLocality, dependentLocality, town, outward } = street;
    insertStreet.run(
      s,
      identifiers.thoroughfareId(s),
      thoroughfare,
      dependentThoroughfare,
      doubleDependentLocality,
      dependentLocality,
      town.index,
      outward,
    );
    street.row = s;
    s += 1;
    return street.row;
  };

  const storePremise = (draft: PremiseDraft, planned: PlannedPostcode, position: number, shift: number): void => {
    const { street } = draft;
    const town = street.town;
    const along = street.thoroughfare === '' && draft.poBox === '' ? 10 * position : 6 * position + shift;
    const exact = movePoint(
      street.centre,
      street.step[0] * along + (jitter.next() - 0.5) * 24,
      street.step[1] * along + (jitter.next() - 0.5) * 24,
    );
    const point = { latitude: roundDegrees(exact.latitude), longitude: roundDegrees(exact.longitude) };
    const place = describePlace(point, town.country !== 'Northern Ireland');
    insertPremise.run(
      n,
      identifiers.premiseId(n),
      identifiers.udprn(n),
      identifiers.uprn(n, town.index),
      draft.organisation,
      draft.department,
      draft.subBuilding,
      draft.buildingName,
      draft.buildingNumber,
      draft.poBox,
      draft.userCategory,
      `${Math.floor(position / 20) + 1}${suffixLetters[position % 20]}`,
      point.latitude,
      point.longitude,
      place.easting,
      place.northing,
      p,
      storeStreet(street),
    );
    insertWords.run(
      n,
      fold(draft.organisation),
      fold(draft.department),
      fold(draft.subBuilding),
      fold(draft.buildingName),
      fold(numberText(draft)),
      fold(`${street.dependentThoroughfare} ${street.thoroughfare}`),
      fold(`${street.doubleDependentLocality} ${street.dependentLocality}`),
      fold(town.postTown),
      fold(`${planned.postcode} ${planned.postcode.replace(' ', '')}`),
      listCountyWords(town),
    );
    n += 1;
  };

  for (const [town, planned] of plan) {
    for (const layout of layOutTown(seed, town, planned)) {
      const { postcode, outward, sector, district } = layout.planned;
      const first = n;
      const lead = layout.premises[0];
      // A postcode that continues a street begins at a higher house number, so its premises are placed further along the street.
      const shift = Math.min(2 * (Number.parseInt(lead?.buildingNumber || lead?.buildingName || '0', 10) || 0), 250);
      for (const [position, draft] of layout.premises.entries()) storePremise(draft, layout.planned, position, shift);
      const ward = (district * 10 + sector) % countWards(town);
      insertPostcode.run(
        p,
        postcode,
        postcode.replace(' ', ''),
        outward,
        town.index,
        ward,
        makeMailsort(town, layout.planned),
        first,
        n - 1,
      );
      p += 1;
    }
  }
  db.exec(indexSql);
  db.prepare("INSERT INTO meta (name, value) VALUES ('fingerprint', ?)").run(fingerprint);
  db.exec('COMMIT');
}
