import { addressOperations } from './address-operations.ts';
import { geographyOperations } from './geography-operations.ts';
import type { Handler } from './handler.ts';
import { licenceOperations } from './licence-operations.ts';
import { searchOperations } from './search-operations.ts';
import type { ServedBase } from './served-operations.ts';

/** The handler of every operation, by the base name that also determines its price. A missing one does not compile. */
export const handlers: Readonly<Record<ServedBase, Handler>> = {
  ...licenceOperations,
  ...searchOperations,
  ...addressOperations,
  ...geographyOperations,
};
