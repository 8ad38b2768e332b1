import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { type Missing, missingOf } from './connection-dialogs.ts';

/** What a connection lacks for reading licences; null: nothing. */
export function missingForLicences(view: ConnectionView | null): Missing | null {
  if (!view || view.connection.kind === 'demo') return null;
  return missingOf(
    [
      view.connection.soapUrl === '' && 'a SOAP address',
      view.connection.accountName.trim() === '' && 'an account name',
    ],
    [!view.secrets.some(({ role }) => role === 'account-guid') && { role: 'account-guid', words: 'the account GUID' }],
  );
}
