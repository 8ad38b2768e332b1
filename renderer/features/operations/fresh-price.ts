import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import type { OperationForm } from '../../../shared/contract/operations.ts';
import type { ChannelInput } from '../../../shared/contract.ts';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';

/**
 * What asking the service costs with these values, whatever is saved: published, also if a switch or the twin changes it; else what this
 * account was measured to pay for the operation. A twin's price is not its operation's unless it is published as such.
 */
export function freshPrice(
  form: Pick<OperationForm, 'name' | 'twin' | 'price'>,
  { dataset = false, fields }: Pick<ChannelInput<'operations.price'>, 'dataset' | 'fields'>,
): ShownPrice {
  const name = dataset && form.twin !== null ? form.twin : form.name;
  const values = Object.fromEntries(fields.map(({ name: field, values: [value] }) => [field, value]));
  const credits = publishedCredits(priceOf(name), values);
  if (credits !== undefined) return { kind: 'credits', credits };
  return dataset ? { kind: 'not-published' } : form.price;
}
