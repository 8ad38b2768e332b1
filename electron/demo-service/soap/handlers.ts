import { addressOperations } from './address-operations.ts';
import { geographyOperations } from './geography-operations.ts';
import type { Handler } from './handler.ts';
import { licenceOperations } from './licence-operations.ts';
import { searchOperations } from './search-operations.ts';

/** Every operation's handler, by the name its price goes by. A test holds that the catalogue's 34 are all here. */
export const handlers: Readonly<Record<string, Handler>> = {
  ...licenceOperations,
  ...searchOperations,
  ...addressOperations,
  ...geographyOperations,
};
