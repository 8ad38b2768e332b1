import type { CallProfile } from '../connections/profile.ts';

export interface Payer {
  label: string;
  lastFour: string;
}

/** Who pays, as the ledger names it: the label of the key that goes with the call, or the account if none is known. */
export const describePayer = ({ connection, keys: [key] = [] }: CallProfile): Payer =>
  key
    ? { label: key.label, lastFour: key.lastFour }
    : { label: connection.accountName || connection.name, lastFour: '' };
