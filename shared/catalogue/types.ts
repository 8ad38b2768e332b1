/** The shape of the catalogue: the published interface as data. Nothing here calls, encodes or decodes anything. */

/** Which of a connection's values fills a request field; a field without one is asked of the user. */
export type CredentialSlot =
  | 'apiKey'
  | 'accountName'
  | 'licenceId'
  | 'machineId'
  | 'guid'
  | 'licenceKey'
  | 'yourReference'
  | 'ipAddress'
  | 'webMapKey';

type FieldType = 'string' | 'integer' | 'boolean' | 'number';

/** One field of a request. */
export interface FieldDef {
  /** The published spelling, mistakes included. */
  readonly name: string;
  readonly type: FieldType;
  readonly required?: true;
  readonly credential?: CredentialSlot;
  /** What a form calls it. */
  readonly label: string;
  readonly help?: string;
  /** Takes several values in one text; the separator is not published (field notes), so it is a setting. */
  readonly list?: true;
  readonly default?: string | number | boolean;
}

/** Credits of one answered call by what is published; `extra` comes on top if that field of the request has that value. */
export type Price =
  | { readonly kind: 'credits'; readonly credits: number; readonly extra?: PriceExtra; readonly source: PriceSource }
  | { readonly kind: 'not-published' };

interface PriceExtra {
  readonly field: string;
  readonly equals: boolean;
  readonly credits: number;
}

/** Where a price is published: the specification's Limits, or the provider's documentation (field notes, "sure"). */
type PriceSource = 'specification' | 'field-notes';

export type OperationGroup =
  | 'REST'
  | 'Addresses by postcode'
  | 'Premises and thoroughfares'
  | 'Addresses by words'
  | 'Geography and distance'
  | 'Licences and credits'
  | 'Service';

/** What an operation does to the account, apart from its price: only the licence writes change anything. */
export type Effect = 'reads' | 'writes';

/**
 * C1, C2: the published groups. C2-ip: C2 with sIPAddress in between. licence-key: LicenceKey and YourReference. account: sAccountName and
 * sGUID. account-ip: sAccountName, sGuid and sIPAddress. map: C1 preceded by sWebMapKey. none: no credential.
 */
export type CredentialGroup = 'C1' | 'C2' | 'C2-ip' | 'licence-key' | 'account' | 'account-ip' | 'map' | 'none';

type RecordFieldType = 'string' | 'boolean' | 'integer';

export interface RecordField {
  readonly name: string;
  readonly type: RecordFieldType;
  readonly required?: true;
}

export interface RecordDef {
  /** Child records inside a wrapper element named List. */
  readonly listOf?: string;
  readonly fields: readonly RecordField[];
}
