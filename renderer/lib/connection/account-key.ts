import type { Connection } from '../../../shared/domain/connection.ts';

/** Whose answers they are: with another address the same connection asks another service. */
export type Account = Pick<Connection, 'id' | 'restBaseUrl' | 'soapUrl'>;

/** The key under which the window keeps an account's answer to a question. */
export const accountKey = ({ id, restBaseUrl, soapUrl }: Account, ...of: unknown[]): string =>
  JSON.stringify([id, restBaseUrl, soapUrl, ...of]);
