import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import type { ChannelInput } from '../../../../shared/contract.ts';
import type { SecretRole } from '../../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../../shared/domain/credits/published-price.ts';

/** The sources one can ask from here; licence figures come with the licences. */
export type ReadableSource = ChannelInput<'credits.read-balances'>['sources'][number];

/** What each is called, and the operation behind it (specification, REST rule 3 and SOAP operations). */
export const sources: Readonly<Record<ReadableSource, { name: string; operation: string }>> = {
  'rest-key': { name: 'Key balance', operation: 'GetCredits' },
  'soap-account': { name: 'Account balance', operation: 'GetAvailableCredits' },
  'service-test': { name: 'Service test', operation: 'ServiceTest' },
};

/** What asking a source costs, by what is published. */
export const sourcePrice = (source: ReadableSource): ShownPrice => publishedPrice(sources[source].operation);

/** What the connection lacks for asking a source, in words; null: nothing. A demo connection gets its addresses when it starts. */
export function missingFor(source: ReadableSource, { connection, secrets }: ConnectionView): string | null {
  const has = (...roles: SecretRole[]) => secrets.some(({ role }) => roles.includes(role));
  const demo = connection.kind === 'demo';
  const lacks =
    source === 'rest-key'
      ? [!demo && connection.restBaseUrl === '' && 'a REST address', !has('lookup-key', 'master-key') && 'a key']
      : [
          !demo && connection.soapUrl === '' && 'a SOAP address',
          connection.accountName.trim() === '' && 'an account name',
          source === 'soap-account' && !has('account-guid') && 'an account GUID',
          source === 'service-test' && !has('licence-id') && 'a licence ID',
        ];
  const words = lacks.filter((word) => word !== false);
  return words.length === 0 ? null : new Intl.ListFormat('en-GB').format(words);
}
