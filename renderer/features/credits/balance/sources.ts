import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import type { SecretRole } from '../../../../shared/domain/connection.ts';
import type { BalanceSource, ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../../shared/domain/credits/published-price.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { ReadableSource } from '../../../lib/calls/ask-balance.ts';
import { about } from '../../../lib/calls/errors.ts';
import { type Missing, missingOf } from '../../../lib/connection/connection-dialogs.ts';

export const sourceNames: Readonly<Record<BalanceSource, string>> = {
  'rest-key': 'Key balance',
  'soap-account': 'SOAP balance',
  'service-test': 'Service test',
  licence: 'Licence',
};

/** Why a source was not read, saying first which. */
export const balanceError = (source: BalanceSource, error: AppError): AppError =>
  about(`${sourceNames[source]} not read`, error);

/** The operation behind each source (specification, REST rule 3 and SOAP operations). */
export const sourceOperations: Readonly<Record<ReadableSource, string>> = {
  'rest-key': 'GetCredits',
  'soap-account': 'GetAvailableCredits',
  'service-test': 'ServiceTest',
};

/** What asking a source costs, by what is published. */
export const sourcePrice = (source: ReadableSource): ShownPrice => publishedPrice(sourceOperations[source]);

/** What the connection lacks for asking a source; null: nothing. A demo connection gets its addresses when it starts. */
export function missingFor(source: ReadableSource, { connection, secrets }: ConnectionView): Missing | null {
  const has = (...roles: SecretRole[]) => secrets.some(({ role }) => roles.includes(role));
  const demo = connection.kind === 'demo';
  if (source === 'rest-key')
    return missingOf(
      [!demo && connection.restBaseUrl === '' && 'a REST address'],
      [!has('lookup-key', 'master-key') && { role: 'lookup-key', words: 'a key' }],
    );
  return missingOf(
    [!demo && connection.soapUrl === '' && 'a SOAP address', connection.accountName.trim() === '' && 'an account name'],
    [
      source === 'soap-account' && !has('account-guid') && { role: 'account-guid', words: 'an account GUID' },
      source === 'service-test' && !has('licence-id') && { role: 'licence-id', words: 'a licence ID' },
    ],
  );
}
