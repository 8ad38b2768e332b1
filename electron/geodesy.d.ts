// The geodesy package ships no types; only what is used here is declared.
declare module 'geodesy/osgridref.js' {
  export class LatLon {
    constructor(latitude: number, longitude: number, height?: number);
    readonly latitude: number;
    readonly longitude: number;
    toOsGrid(): OsGridRef;
  }
  export default class OsGridRef {
    constructor(easting: number, northing: number);
    easting: number;
    northing: number;
    /** WGS 84. */
    toLatLon(): LatLon;
    toString(digits?: number): string;
    /** Throws where the text is no grid reference. */
    static parse(gridref: string): OsGridRef;
  }
}

declare module 'geodesy/latlon-ellipsoidal-vincenty.js' {
  export default class LatLon {
    constructor(latitude: number, longitude: number, height?: number);
    distanceTo(point: LatLon): number;
  }
}
