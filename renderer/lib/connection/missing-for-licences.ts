import type { ConnectionView } from '../../../shared/contract/connections.ts';

/** What a connection lacks for reading licences, in words; null: nothing. */
export function missingForLicences(view: ConnectionView | null): string | null {
  if (!view || view.connection.kind === 'demo') return null;
  const lacks = [
    view.connection.soapUrl === '' && 'a SOAP address',
    view.connection.accountName.trim() === '' && 'an account name',
    !view.secrets.some(({ role }) => role === 'account-guid') && 'the account GUID',
  ].filter((word) => word !== false);
  return lacks.length === 0 ? null : new Intl.ListFormat('en-GB').format(lacks);
}
