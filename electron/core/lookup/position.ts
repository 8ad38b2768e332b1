/// <reference path="../../geodesy.d.ts" />
import OsGridRef, { LatLon } from 'geodesy/osgridref.js';
import { type Address, describeOrigin, positionOf, textOf } from '../../../shared/domain/address/address.ts';
import type { ConvertedPlace } from '../../../shared/domain/lookup/lookup.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

interface Sourced {
  value: string;
  source: string;
}

export interface Metres {
  easting: number;
  northing: number;
}

export interface Position {
  latitude: Sourced | null;
  longitude: Sourced | null;
  easting: Sourced | null;
  northing: Sourced | null;
  gridReference: Sourced | null;
  /** Where it is drawn on the map of the British grid; null: nowhere. */
  onMap: Metres | null;
  /** Why nothing was derived; null: something was, or no location was given. */
  gridNote: string | null;
}

/** The seven-parameter transformation between WGS 84 and OSGB36 is good to about this (Ordnance Survey, "A guide to coordinate systems"). */
const derived = 'derived: Helmert, ± 5 m';

/** If degrees and metres of one premise lie further apart, they are not of one place. */
const farthestApart = 100;

/** Whole metres: what is shown as easting and northing and what the grid reference is made of. */
const toMetres = ({ easting, northing }: OsGridRef): Metres => ({
  easting: Math.round(easting),
  northing: Math.round(northing),
});

/** "SO 50803 40125": two letters and ten digits, the last metre. */
const gridText = ({ easting, northing }: Metres): string => new OsGridRef(easting, northing).toString(10);

interface Degrees {
  latitude: number;
  longitude: number;
}

const irishGrid = 'Ireland has a grid of its own';
const channelGrids = 'The Channel Islands have grids of their own';

/** Which other grid is used at a place in degrees; null: the British one, or none. Ireland's coast is drawn coarsely, in the sea. */
function otherGridAt({ latitude, longitude }: Degrees): string | null {
  const eastEnd = latitude < 54 ? -5.9 : latitude < 55 ? -5.35 : -5.9;
  if (latitude > 51.2 && latitude < 55.45 && longitude > -11 && longitude < eastEnd) return irishGrid;
  const channelIslands = latitude > 48.8 && latitude < 49.8 && longitude > -3.2 && longitude < -1.8;
  return channelIslands ? channelGrids : null;
}

const otherPostcodes: Readonly<Record<string, string>> = {
  BT: irishGrid,
  JE: channelGrids,
  GY: channelGrids,
};
const otherCountries = [
  [/\bireland\b|^(IE|IRL|372)$/i, irishGrid],
  [/\b(jersey|guernsey|alderney|sark)\b|^(JE|JEY|832|GG|GGY|831)$/i, channelGrids],
] as const;

/** Whose grid the metres of an address are on, by whatever it says of its location; `known`: something does. */
function gridOwner(address: Address): { other: string | null; known: boolean } {
  const postcode = textOf(address, 'postcode').trim() || textOf(address, 'postcodeOutward').trim();
  const area = /^[A-Z]{1,2}(?=\d)/i.exec(postcode)?.[0]?.toUpperCase() ?? '';
  const countries = (['country', 'countryIso2', 'countryIso3', 'countryIsoNumber'] as const).map((field) =>
    textOf(address, field).trim(),
  );
  const degrees = positionOf(address);
  const reference = textOf(address, 'gridReference').trim();
  const other =
    otherPostcodes[area] ??
    otherCountries.find(([names]) => countries.some((country) => names.test(country)))?.[1] ??
    (/^[A-Z] ?\d/i.test(reference) ? irishGrid : undefined) ??
    (degrees ? otherGridAt(degrees) : null);
  return { other, known: area !== '' || degrees !== null || /^[A-Z]{2} ?\d/i.test(reference) };
}

/** Where the premise is: the service's own values first, the others derived from them and marked as such. */
export function locate(address: Address): Position {
  const own = (field: 'latitude' | 'longitude' | 'easting' | 'northing' | 'gridReference'): Sourced | null => {
    const value = address.fields[field];
    return value ? { value: value.value, source: describeOrigin(value.source) } : null;
  };
  const position: Position = {
    latitude: own('latitude'),
    longitude: own('longitude'),
    easting: own('easting'),
    northing: own('northing'),
    gridReference: own('gridReference'),
    onMap: null,
    gridNote: null,
  };
  const read = readGrid(address);
  if ('note' in read) return { ...position, gridNote: read.note };
  const { grid } = read;
  const metres = toMetres(grid);
  const point = positionOf(address) ? null : grid.toLatLon();
  const give = (value: string): Sourced => ({ value, source: derived });
  return {
    latitude: position.latitude ?? (point ? give(point.latitude.toFixed(5)) : null),
    longitude: position.longitude ?? (point ? give(point.longitude.toFixed(5)) : null),
    easting: position.easting ?? give(String(metres.easting)),
    northing: position.northing ?? give(String(metres.northing)),
    gridReference: position.gridReference ?? give(gridText(metres)),
    onMap: metres,
    gridNote: null,
  };
}

/** Metres on the British grid, if the answer gives a place on it. */
export const gridPosition = (address: Address): Metres | null => locate(address).onMap;

/**
 * The place on the British grid, as sent or from latitude and longitude; otherwise why there is none. Metres alone are taken for British
 * ones only if something else says where they are: Irish ones look the same.
 */
function readGrid(address: Address): { grid: OsGridRef } | { note: string | null } {
  const { other, known } = gridOwner(address);
  if (other !== null) return { note: `${other}, so nothing is derived on the British one.` };
  const sent = sentGrid(address);
  const degrees = positionOf(address);
  const converted = degrees ? gridOfDegrees(degrees.latitude, degrees.longitude) : null;
  if (sent && !known)
    return {
      note: 'Nothing is derived: the metres may be on the British grid or the Irish one, and no postcode tells.',
    };
  if (sent && degrees) {
    const apart = converted ? Math.hypot(sent.easting - converted.easting, sent.northing - converted.northing) : null;
    if (apart === null || apart > farthestApart) {
      const far = apart === null ? 'far' : `${Math.round(apart).toLocaleString('en-GB')} m`;
      return { note: `Nothing is derived: the degrees and the metres given lie ${far} apart.` };
    }
  }
  const grid = sent ?? converted;
  return grid ? { grid } : { note: null };
}

/** Easting and northing as sent; null if absent or not numbers. */
function sentGrid(address: Address): OsGridRef | null {
  const easting = textOf(address, 'easting').trim();
  const northing = textOf(address, 'northing').trim();
  if (!/^\d{1,7}(\.\d+)?$/.test(easting) || !/^\d{1,7}(\.\d+)?$/.test(northing)) return null;
  try {
    return new OsGridRef(Number(easting), Number(northing));
  } catch {
    return null;
  }
}

/** The part of the grid that letters are given for: SV to HP. */
const onGrid = ({ easting, northing }: Metres): boolean =>
  easting >= 0 && easting <= 700_000 && northing >= 0 && northing <= 1_300_000;

const unreadable = (message: string) =>
  fail(
    appError('bad-input', {
      message,
      next: 'Type degrees (52.05731, -2.71894), a grid reference (SO 50803 40125) or metres (350803, 240125).',
      field: 'text',
      charge: 'not-applicable',
    }),
  );

/**
 * A place typed as degrees (decimal, or degrees, minutes and seconds; letters before or after, in either order), as a National Grid
 * reference of 2 to 10 digits, or as easting and northing in metres, converted to all three. Degrees are WGS 84. Errors: 'bad-input'.
 */
export function convertPlace(text: string): Result<ConvertedPlace> {
  const typed = text.trim().replaceAll('−', '-').replace(/\s+/g, ' ').toUpperCase();
  if (/^[A-HJ-Z] ?\d{2,5} ?\d{2,5}$/.test(typed))
    return unreadable(
      `One letter and figures are a reference on the Irish Grid. ${irishGrid}, which this does not convert to.`,
    );
  const letters = /^[A-Z]{2} ?(\d+) ?(\d*)$/.exec(typed);
  if (letters) {
    const digits = (letters[1] ?? '').length + (letters[2] ?? '').length;
    if (digits > 10 || digits % 2 !== 0)
      return unreadable('A grid reference has an even number of digits, at most ten.');
    return fromGrid(() => OsGridRef.parse(typed), 'grid-reference', 10 ** (5 - digits / 2));
  }
  const metres = /^(\d{3,7}(?:\.\d+)?)[, ] ?(\d{3,7}(?:\.\d+)?)$/.exec(typed);
  if (metres) return fromGrid(() => new OsGridRef(Number(metres[1]), Number(metres[2])), 'metres', 1);
  return fromDegrees(typed);
}

function fromGrid(read: () => OsGridRef, given: 'grid-reference' | 'metres', square: number): Result<ConvertedPlace> {
  let grid: OsGridRef;
  try {
    grid = read();
  } catch {
    return unreadable('This is not a place on the National Grid.');
  }
  if (!onGrid(grid)) return unreadable('This is not a place on the National Grid of Great Britain.');
  const point = grid.toLatLon();
  const metres = toMetres(grid);
  const corner =
    square > 1 ? ` It names a square of ${square.toLocaleString('en-GB')} m; this is its south-west corner.` : '';
  return ok({
    given,
    latitude: point.latitude.toFixed(5),
    longitude: point.longitude.toFixed(5),
    easting: String(metres.easting),
    northing: String(metres.northing),
    gridReference: gridText(metres),
    method: `Degrees ${derived}.${corner}`,
  });
}

/** null far off the grid: the library throws there. */
function gridOfDegrees(latitude: number, longitude: number): OsGridRef | null {
  try {
    return new LatLon(latitude, longitude).toOsGrid();
  } catch {
    return null;
  }
}

/** Degrees, minutes and seconds with a sign or a hemisphere letter; only the last of them may have a fraction. */
const angle =
  /^([NSEW])?\s*([+-])?(\d{1,3})(\.\d+)?[°º\s]*(?:(\d{1,2})(\.\d+)?[′'’\s]*(?:(\d{1,2})(\.\d+)?[″"”\s]*)?)?([NSEW])?$/;

/** One angle in degrees, and the axis its letter names; null: not an angle, for example with 75 minutes. */
function readAngle(text: string): { degrees: number; axis: 'latitude' | 'longitude' | null } | null {
  const read = angle.exec(text.trim());
  if (!read) return null;
  const [, before, sign, whole = '', wholePart, minutes, minutesPart, seconds, secondsPart, after] = read;
  const letter = before ?? after;
  if ((before && after) || (letter && sign)) return null;
  if ((wholePart && minutes) || (minutesPart && seconds)) return null;
  const parts = [minutes, seconds].map((part) => Number(part ?? 0));
  if (parts.some((part) => part >= 60)) return null;
  const value =
    Number(whole + (wholePart ?? '')) +
    Number((minutes ?? '0') + (minutesPart ?? '')) / 60 +
    Number((seconds ?? '0') + (secondsPart ?? '')) / 3600;
  return {
    degrees: sign === '-' || letter === 'S' || letter === 'W' ? -value : value,
    axis: letter === undefined ? null : 'NS'.includes(letter) ? 'latitude' : 'longitude',
  };
}

/** Latitude before longitude, unless letters say otherwise; null: not two angles, or two of one axis. */
function readDegreesPair(typed: string): Degrees | null {
  const byLetter =
    /^([NSEW][^NSEW,]*),? ?([NSEW][^NSEW,]*)$/.exec(typed) ?? /^([^NSEW,]*[NSEW]),? ?([^NSEW,]*[NSEW])$/.exec(typed);
  const words = typed.split(' ');
  const halves = byLetter
    ? byLetter.slice(1)
    : typed.includes(',')
      ? typed.split(',')
      : [words.slice(0, words.length / 2).join(' '), words.slice(words.length / 2).join(' ')];
  const [first, second] = halves.map(readAngle);
  if (halves.length !== 2 || !first || !second || (!byLetter && !typed.includes(',') && words.length % 2 !== 0))
    return null;
  if (first.axis !== null && first.axis === second.axis) return null;
  const isTurned = first.axis === 'longitude' || second.axis === 'latitude';
  const [latitude, longitude] = isTurned ? [second.degrees, first.degrees] : [first.degrees, second.degrees];
  return Math.abs(latitude) > 90 || Math.abs(longitude) > 180 ? null : { latitude, longitude };
}

function fromDegrees(typed: string): Result<ConvertedPlace> {
  const degrees = readDegreesPair(typed);
  if (!degrees) return unreadable('This does not read as a place.');
  const { latitude, longitude } = degrees;
  const other = otherGridAt(degrees);
  if (other !== null) return unreadable(`${other}, which this does not convert to.`);
  const grid = gridOfDegrees(latitude, longitude);
  if (!grid || !onGrid(toMetres(grid))) return unreadable('This place is not on the National Grid of Great Britain.');
  const metres = toMetres(grid);
  return ok({
    given: 'degrees',
    latitude: latitude.toFixed(5),
    longitude: longitude.toFixed(5),
    easting: String(metres.easting),
    northing: String(metres.northing),
    gridReference: gridText(metres),
    method: `Grid reference, easting and northing ${derived}.`,
  });
}
