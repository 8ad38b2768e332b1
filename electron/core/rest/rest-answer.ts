import type { Address } from '../../../shared/domain/address/address.ts';
import type { RawAnswer, RedactedRequest, Timings } from '../../../shared/domain/call.ts';
import type { Balance } from '../../../shared/domain/credits/balance.ts';
import type { KeyRole } from './choose-key.ts';
import type { Json } from './json-text.ts';
import type { RestSearch, RestShape } from './transform.ts';

export interface RestAnswer {
  endpoint: string;
  /** As it came, with its own field names; secrets masked. Integers too long for a number are text. */
  value: Json;
  /** Recognised by the answer's fields. */
  shape: RestShape;
  /** From GetPremise; from GetPremiseGeoData with position and identifiers only, to be merged. */
  address?: Address;
  search?: RestSearch;
  balance?: Balance;
  /** Why its record or its rows may not be all: it says beside them that it failed, or names as many rows as its limit and no count. */
  doubt?: string;
  /** Which key paid. */
  keyRole: KeyRole;
  raw: RawAnswer;
  request: RedactedRequest;
  timings: Timings;
}

/** What can be read from the answer alone. */
export type ReadValue = Pick<RestAnswer, 'value' | 'shape' | 'address' | 'search' | 'balance' | 'doubt'>;
