// The reference is here because every program that imports this file needs the declarations, whatever its tsconfig includes.
/// <reference path="../../geodesy.d.ts" />

import LatLonVincenty from 'geodesy/latlon-ellipsoidal-vincenty.js';
import OsGridRef, { LatLon } from 'geodesy/osgridref.js';
import type { Place } from './types.ts';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Length of one degree of latitude in metres, accurate enough for laying out streets. */
const metresPerDegree = 111_320;

/** Distance in metres over the WGS84 ellipsoid by Vincenty's formula, accurate to a millimetre. */
export function distanceMetres(from: Point, to: Point): number {
  if (from.latitude === to.latitude && from.longitude === to.longitude) return 0;
  return new LatLonVincenty(from.latitude, from.longitude).distanceTo(new LatLonVincenty(to.latitude, to.longitude));
}

/** British National Grid (OSGB36) in whole metres for a WGS84 point in Great Britain. */
export function toNationalGrid(point: Point): { easting: number; northing: number } {
  const grid = new LatLon(point.latitude, point.longitude).toOsGrid();
  return { easting: Math.round(grid.easting), northing: Math.round(grid.northing) };
}

/** Ten-figure grid reference with its letters: "SO 51003 40032"; '' outside the National Grid. */
export function formatGridReference(easting: number | null, northing: number | null): string {
  if (easting === null || northing === null) return '';
  return new OsGridRef(easting, northing).toString(10);
}

/** A point with its position in the National Grid; none in Northern Ireland, which has a different grid. */
export function describePlace(point: Point, inGreatBritain: boolean): Place {
  const grid = inGreatBritain ? toNationalGrid(point) : null;
  return {
    latitude: point.latitude,
    longitude: point.longitude,
    easting: grid?.easting ?? null,
    northing: grid?.northing ?? null,
    gridReference: formatGridReference(grid?.easting ?? null, grid?.northing ?? null),
  };
}

/** Moves a point by metres east and north. It treats the earth as flat, so it is accurate for a few kilometres only. */
export function movePoint(point: Point, east: number, north: number): Point {
  const degreesNorth = north / metresPerDegree;
  const degreesEast = east / (metresPerDegree * Math.cos((point.latitude * Math.PI) / 180));
  return { latitude: point.latitude + degreesNorth, longitude: point.longitude + degreesEast };
}
