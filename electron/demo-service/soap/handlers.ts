import { addressOperations } from './address-operations.ts';
import { geographyOperations } from './geography-operations.ts';
import type { Handler } from './handler.ts';
import { licenceOperations } from './licence-operations.ts';
import { searchOperations } from './search-operations.ts';

/** The handler of every operation, by the base name that also determines its price. A test checks that every operation of the catalogue is here. */
export const handlers: Readonly<Record<string, Handler>> = {
  ...licenceOperations,
  ...searchOperations,
  ...addressOperations,
  ...geographyOperations,
};
