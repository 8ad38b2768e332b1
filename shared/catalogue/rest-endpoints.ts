import type { FieldDef, OperationGroup, Price } from './types.ts';

/** A field of a JSON answer (specification, "REST resources"). */
export interface JsonField {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'list' | 'object';
  readonly note?: string;
}

/** One published answer shape: the member that wraps it (none: the object itself) and the fields in it. */
interface JsonShape {
  readonly member?: string;
  readonly fields: readonly JsonField[];
}

export interface RestEndpoint {
  readonly name: string;
  readonly path: string;
  readonly group: OperationGroup;
  readonly help: string;
  readonly parameters: readonly FieldDef[];
  /** Which roles of key may be sent (specification, Authentication 3). */
  readonly keyRoles: readonly ('lookup' | 'master')[];
  readonly price: Price;
  /** Shape A: detailed reference. Shape B: integration guide. Which one a service sends is not published. */
  readonly shapes: { readonly A: JsonShape; readonly B: JsonShape };
}

const key = {
  name: 'key',
  type: 'string',
  required: true,
  credential: 'apiKey',
  label: 'API key',
} as const satisfies FieldDef;
const id = {
  name: 'id',
  type: 'string',
  required: true,
  label: 'Premise identifier',
  help: 'As returned by a search, leading zeros kept.',
} as const satisfies FieldDef;

const fields = <const N extends readonly string[]>(type: JsonField['type'], ...names: N) =>
  names.map((name) => ({ name, type }) as { readonly name: N[number]; readonly type: JsonField['type'] });

const searchShape = {
  fields: [{ name: 'results', type: 'list' }, ...fields('integer', 'totalResults')],
} as const satisfies JsonShape;

/** Fields of one search result, the same in both documents. */
export const searchItemFields = fields(
  'string',
  'id',
  'address',
  'buildingName',
  'buildingNumber',
  'street',
  'locality',
  'town',
  'county',
  'postcode',
  'country',
);

export const restEndpoints = [
  {
    name: 'Search',
    path: '/Search',
    group: 'REST',
    help: 'Finds premises by postcode, street name, business name or building.',
    parameters: [
      key,
      {
        name: 'query',
        type: 'string',
        required: true,
        label: 'Postcode, street, business or building',
      },
      { name: 'maxresults', type: 'integer', label: 'Most results', help: '100 if not given.', default: 100 },
    ],
    keyRoles: ['lookup'],
    price: { kind: 'credits', credits: 1, source: 'specification' },
    shapes: { A: searchShape, B: searchShape },
  },
  {
    name: 'GetPremise',
    path: '/GetPremise',
    group: 'REST',
    help: 'The full address of one premise, with coordinates; in shape A also its UDPRN.',
    parameters: [
      key,
      id,
      { name: 'uprn', type: 'boolean', label: 'With UPRN', help: 'Costs 1 credit more.', default: false },
    ],
    keyRoles: ['lookup'],
    price: {
      kind: 'credits',
      credits: 1,
      extra: { field: 'uprn', equals: true, credits: 1 },
      source: 'specification',
    },
    shapes: {
      A: {
        member: 'item',
        fields: [
          ...fields('string', 'id', 'domesticId', 'adminAreaName', 'barcode', 'buildingName'),
          ...fields('integer', 'buildingNumber'),
          ...fields('string', 'city', 'company', 'countryIso2', 'countryIso3'),
          ...fields('integer', 'countryIsoNumber'),
          ...fields('string', 'countryName', 'district', 'line1', 'line2', 'line3', 'line4', 'line5', 'poBox'),
          ...fields('string', 'postalCode', 'province', 'secondaryStreet', 'street', 'subBuilding', 'department'),
          { name: 'lat', type: 'string', note: 'decimal degrees; always present' },
          { name: 'long', type: 'string', note: 'decimal degrees; always present' },
          { name: 'uprn', type: 'string', note: 'present only when request parameter uprn is true' },
          { name: 'udprn', type: 'string', note: 'always present, no extra cost' },
        ],
      },
      B: {
        member: 'premise',
        fields: [
          ...fields('string', 'id', 'uprn', 'buildingName', 'buildingNumber', 'subBuildingName', 'dependentStreet'),
          ...fields('string', 'street', 'doubleDependentLocality', 'dependentLocality', 'locality', 'town', 'county'),
          ...fields('string', 'postcode', 'postcodeInward', 'postcodeOutward', 'country'),
          ...fields('number', 'latitude', 'longitude'),
          ...fields('integer', 'eastings', 'northings'),
        ],
      },
    },
  },
  {
    name: 'GetPremiseGeoData',
    path: '/GetPremiseGeoData',
    group: 'REST',
    help: 'Coordinates of one premise; in shape A also its UPRN and UDPRN.',
    parameters: [key, id],
    keyRoles: ['lookup'],
    price: { kind: 'credits', credits: 1, source: 'specification' },
    shapes: {
      A: { member: 'item', fields: fields('string', 'id', 'lat', 'long', 'uprn', 'udprn') },
      B: {
        member: 'geoData',
        fields: [
          ...fields('string', 'premiseId'),
          ...fields('number', 'latitude', 'longitude'),
          ...fields('integer', 'eastings', 'northings'),
          ...fields('string', 'gridReference'),
        ],
      },
    },
  },
  {
    name: 'GetCredits',
    path: '/GetCredits',
    group: 'REST',
    help: 'The credit balance. Free.',
    parameters: [key],
    keyRoles: ['lookup', 'master'],
    price: { kind: 'credits', credits: 0, source: 'specification' },
    shapes: {
      A: { fields: fields('integer', 'credits') },
      B: {
        member: 'credits',
        fields: [
          ...fields('integer', 'remaining', 'used', 'total'),
          { name: 'expiryDate', type: 'string', note: 'YYYY-MM-DD' },
        ],
      },
    },
  },
] as const satisfies readonly RestEndpoint[];

export type RestEndpointName = (typeof restEndpoints)[number]['name'];

/** The definition of one endpoint. */
export function findRestEndpoint(name: string): RestEndpoint | undefined {
  return restEndpoints.find((endpoint) => endpoint.name === name);
}

/**
 * The second published form of /Search (field notes, "REST"): `phrase`, and `opensearch` (true: all words anywhere;
 * false: exact postcode). Answers `{items: [{key, text, type}]}`, type `Premise` or `Group`. Chosen by a connection's setting.
 */
export const searchPhraseForm = {
  parameters: [
    key,
    { name: 'phrase', type: 'string', required: true, label: 'Words or postcode' },
    { name: 'opensearch', type: 'boolean', label: 'Words anywhere', default: true },
  ],
  itemFields: fields('string', 'key', 'text', 'type'),
} as const satisfies { parameters: readonly FieldDef[]; itemFields: readonly JsonField[] };

/** Removed in February 2026 (specification, Versioning 2): never sent. */
export const removedParameters = ['includeGeoData'] as const;
