/// <reference path="../../geodesy.d.ts" />
import Dms from 'geodesy/dms.js';
import OsGridRef, { LatLon } from 'geodesy/osgridref.js';
import { type Address, describeOrigin, positionOf, textOf } from '../../../shared/domain/address.ts';
import type { ConvertedPlace } from '../../../shared/domain/lookup.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

export interface Sourced {
  value: string;
  source: string;
}

export interface Position {
  latitude: Sourced | null;
  longitude: Sourced | null;
  easting: Sourced | null;
  northing: Sourced | null;
  gridReference: Sourced | null;
}

/** The seven-parameter transformation between WGS 84 and OSGB36 is good to about this (Ordnance Survey, "A guide to coordinate systems"). */
const derived = 'derived: Helmert, ± 5 m';

/** "SO 50803 40125": two letters and ten digits, the last metre. */
const gridText = (grid: OsGridRef): string => grid.toString(10);

/** Northern Ireland has a grid of its own, so nothing is derived on the British one there. */
const onBritishGrid = (address: Address): boolean => !/^BT\d/i.test(textOf(address, 'postcode').trim());

/** Where the premise is: the service's own values first, the others derived from them and said to be. */
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
  };
  if (!onBritishGrid(address)) return position;
  const grid = gridOf(address);
  if (!grid) return position;
  const point = positionOf(address) ? null : grid.toLatLon();
  const give = (value: string): Sourced => ({ value, source: derived });
  return {
    latitude: position.latitude ?? (point ? give(point.latitude.toFixed(5)) : null),
    longitude: position.longitude ?? (point ? give(point.longitude.toFixed(5)) : null),
    easting: position.easting ?? give(String(Math.round(grid.easting))),
    northing: position.northing ?? give(String(Math.round(grid.northing))),
    gridReference: position.gridReference ?? give(gridText(grid)),
  };
}

/** Metres on the British grid, where the answer gives a place on it. */
export function gridPosition(address: Address): { easting: number; northing: number } | null {
  const grid = onBritishGrid(address) ? gridOf(address) : null;
  return grid && { easting: Math.round(grid.easting), northing: Math.round(grid.northing) };
}

/** The grid position as sent, or from latitude and longitude; null where there is neither, or it lies off the grid. */
function gridOf(address: Address): OsGridRef | null {
  const easting = textOf(address, 'easting').trim();
  const northing = textOf(address, 'northing').trim();
  const degrees = positionOf(address);
  try {
    if (/^\d{1,7}(\.\d+)?$/.test(easting) && /^\d{1,7}(\.\d+)?$/.test(northing))
      return new OsGridRef(Number(easting), Number(northing));
    return degrees ? gridOfDegrees(degrees.latitude, degrees.longitude) : null;
  } catch {
    return null;
  }
}

/** The part of the grid that letters are given for: SV to HP. */
const onGrid = ({ easting, northing }: OsGridRef): boolean =>
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
 * A place typed as degrees (decimal, or degrees, minutes and seconds), as a National Grid reference of 2 to 10 digits, or as easting
 * and northing in metres, in all three. Degrees are WGS 84. Errors: 'bad-input'.
 */
export function convertPlace(text: string): Result<ConvertedPlace> {
  const typed = text.trim().replaceAll('−', '-').replace(/\s+/g, ' ');
  const letters = /^[A-Z]{2} ?(\d+) ?(\d*)$/i.exec(typed);
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
  const corner =
    square > 1 ? ` It names a square of ${square.toLocaleString('en-GB')} m; this is its south-west corner.` : '';
  return ok({
    given,
    latitude: point.latitude.toFixed(5),
    longitude: point.longitude.toFixed(5),
    easting: String(Math.round(grid.easting)),
    northing: String(Math.round(grid.northing)),
    gridReference: gridText(grid),
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

function fromDegrees(typed: string): Result<ConvertedPlace> {
  const halves = typed.includes(',')
    ? typed.split(',')
    : (/^(.*?[NS]) ?(.*[EW])$/i.exec(typed)?.slice(1) ?? typed.split(/ (?=[^ ]+$)/));
  const [latitude, longitude] = halves.map((half) => Dms.parse(half.trim()));
  if (halves.length !== 2 || latitude === undefined || longitude === undefined)
    return unreadable('This does not read as a place.');
  if (Number.isNaN(latitude) || Number.isNaN(longitude) || Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    return unreadable('This does not read as a place.');
  const grid = gridOfDegrees(latitude, longitude);
  if (!grid || !onGrid(grid)) return unreadable('This place is not on the National Grid of Great Britain.');
  return ok({
    given: 'degrees',
    latitude: latitude.toFixed(5),
    longitude: longitude.toFixed(5),
    easting: String(Math.round(grid.easting)),
    northing: String(Math.round(grid.northing)),
    gridReference: gridText(grid),
    method: `Grid reference, easting and northing ${derived}.`,
  });
}
