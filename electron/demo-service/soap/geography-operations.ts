import type { DemoContext } from '../context.ts';
import { distanceMetres } from '../gazetteer/geography.ts';
import { splitPostcode } from '../gazetteer/postcodes.ts';
import type { PostcodeCentroid, Premise } from '../gazetteer/types.ts';
import { type Answer, badInput, nothingFound, type Row } from './answer.ts';
import type { Fields, Handler } from './handler.ts';
import { coordinateRow, geographicRow } from './rows.ts';
import { refusePostcode } from './search-operations.ts';
import { mapOperation, radiusOperation } from './served-operations.ts';

/** The operations about coordinates, areas and distances. */
export const geographyOperations = {
  GeoData_ForPostcode: ({ sPostcodes = '' }, context) =>
    describePostcodes(splitList(sPostcodes, context), context, geographicRow),
  CoordinateData_ForPostcode: ({ sPostcode = '' }, context) => describePostcodes([sPostcode], context, coordinateRow),
  GeoData_ForUDP: ({ sUDP }, context) => describePremise(sUDP, context, geographicRow),
  CoordinateData_ForUDP: ({ sUDP }, context) => describePremise(sUDP, context, coordinateRow),
  NearestData_ForPostcode: (fields, context) => answerRanking(rank(fields, context)),
  DistanceBetween_Postcodes: ({ sPostcodeDatum = '', sPostcodeCheck = '' }, context) =>
    answerRanking(rank({ sPostcodeDatum, sPostcodeList: sPostcodeCheck }, context)),
  [mapOperation]: (fields, context) => answerMap(rank(fields, context), context),
  [radiusOperation]: (fields, context) => {
    const radius = readRadius(fields);
    if (radius === undefined) return badInput('sRadius is a number of kilometres, or of miles with sType miles.');
    const ranked = rank(fields, context);
    return answerMap(Array.isArray(ranked) ? ranked.filter(({ metres }) => metres <= radius) : ranked, context);
  },
} satisfies Record<string, Handler>;

const metresPerMile = 1609.344;
const metresPerNauticalMile = 1852;

/** The parts of a list that is sent as one text. The separator is not published, so it is a setting. */
function splitList(text: string, { settings }: DemoContext): string[] {
  return text.split(settings.listSeparator).map((part) => part.trim());
}

/** Postcodes without premises are left out; if none remains, the answer is that nothing was found. */
function describePostcodes(
  postcodes: readonly string[],
  { gazetteer }: DemoContext,
  row: (place: PostcodeCentroid) => Row,
): Answer {
  const wanted = postcodes.filter((postcode) => postcode !== '');
  const refused = wanted.length === 0 ? badInput('the postcode is empty.') : undefined;
  const malformed = wanted.find((postcode) => !splitPostcode(postcode));
  if (refused || malformed !== undefined) return refused ?? refusePostcode(malformed) ?? nothingFound;
  const rows = wanted.flatMap((postcode) => gazetteer.postcodeCentroid(postcode) ?? []).map(row);
  return rows.length === 0 ? nothingFound : { kind: 'records', rows };
}

function describePremise(id: string | undefined, { gazetteer }: DemoContext, row: (place: Premise) => Row): Answer {
  const wanted = id?.trim() ?? '';
  if (!/^\d{8}$/.test(wanted)) return badInput('a delivery point is 8 digits.');
  const premise = gazetteer.premiseById(wanted);
  return premise ? { kind: 'records', rows: [row(premise)] } : nothingFound;
}

interface Ranked {
  readonly datum: string;
  readonly postcode: string;
  readonly description: string;
  readonly metres: number;
}

/** The known postcodes of the list by their distance over the ellipsoid from the datum, nearest first; or the answer that refuses. */
function rank(fields: Fields, context: DemoContext): Ranked[] | Answer {
  const refused = refusePostcode(fields.sPostcodeDatum);
  if (refused) return refused;
  const wanted = splitList(fields.sPostcodeList ?? '', context);
  if (wanted.every((postcode) => postcode === '')) return badInput('the list of postcodes is empty.');
  const malformed = wanted.find((postcode) => postcode !== '' && !splitPostcode(postcode));
  if (malformed !== undefined) return refusePostcode(malformed) ?? nothingFound;
  const most = (fields.sNumberToReturn ?? '').trim();
  if (!/^\d{0,9}$/.test(most)) return badInput('sNumberToReturn is a whole number.');
  const datum = context.gazetteer.postcodeCentroid(fields.sPostcodeDatum ?? '');
  if (!datum) return nothingFound;
  const descriptions = splitList(fields.sPostcodeDescriptions ?? '', context);
  const ranked: Ranked[] = [];
  for (const [index, postcode] of wanted.entries()) {
    const place = context.gazetteer.postcodeCentroid(postcode);
    if (!place) continue;
    const description = descriptions[index] ?? '';
    ranked.push({ datum: datum.postcode, postcode: place.postcode, description, metres: distanceMetres(datum, place) });
  }
  ranked.sort((a, b) => a.metres - b.metres);
  return most === '' || Number(most) === 0 ? ranked : ranked.slice(0, Number(most));
}

const nearestRow = ({ datum, postcode, description, metres }: Ranked, index: number): Row => ({
  Postcode_Datum: datum,
  Postcode_Return: postcode,
  Postcode_Description: description,
  Ordinal_Position: String(index + 1),
  Distance_Metres: metres.toFixed(0),
  Distance_Kilometres: (metres / 1000).toFixed(3),
  Distance_Miles: (metres / metresPerMile).toFixed(3),
  Distance_NauticalMiles: (metres / metresPerNauticalMile).toFixed(3),
});

function answerRanking(ranked: Ranked[] | Answer): Answer {
  if (!Array.isArray(ranked)) return ranked;
  return ranked.length === 0 ? nothingFound : { kind: 'records', rows: ranked.map(nearestRow) };
}

/** The map operation's text: one line for each postcode, position|postcode|description|metres. The real form is not published. */
function answerMap(ranked: Ranked[] | Answer, { settings }: DemoContext): Answer {
  if (settings.mapResult === 'Nearests' || !Array.isArray(ranked)) return answerRanking(ranked);
  if (ranked.length === 0) return nothingFound;
  const lines = ranked.map(({ postcode, description, metres }, index) =>
    [index + 1, postcode, description, metres.toFixed(0)].join('|'),
  );
  return { kind: 'text', text: lines.join('\n') };
}

/** sRadius in metres: it is in kilometres unless sType says miles. Undefined if it is not a number. */
function readRadius({ sRadius = '', sType = '' }: Fields): number | undefined {
  const radius = Number(sRadius.trim());
  if (sRadius.trim() === '' || !Number.isFinite(radius) || radius < 0) return undefined;
  return radius * (/^m/i.test(sType.trim()) ? metresPerMile : 1000);
}
