/// <reference path="../../geodesy.d.ts" />
import OsGridRef, { LatLon } from 'geodesy/osgridref.js';
import { type Address, describeOrigin, positionOf, textOf } from '../../../shared/domain/address.ts';

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

/** The grid position as sent, or from latitude and longitude; null where there is neither, or it lies off the grid. */
function gridOf(address: Address): OsGridRef | null {
  const easting = textOf(address, 'easting').trim();
  const northing = textOf(address, 'northing').trim();
  const degrees = positionOf(address);
  try {
    if (/^\d{1,7}(\.\d+)?$/.test(easting) && /^\d{1,7}(\.\d+)?$/.test(northing))
      return new OsGridRef(Number(easting), Number(northing));
    return degrees ? new LatLon(degrees.latitude, degrees.longitude).toOsGrid() : null;
  } catch {
    return null;
  }
}
