import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import { restEndpoints } from '../../../shared/catalogue/rest-endpoints.ts';
import { findSoapOperation, soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import type { FieldDef } from '../../../shared/catalogue/types.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Printed } from '../printed.ts';

const describeFields = (fields: readonly FieldDef[]) =>
  fields.map(({ name, type, required, credential, list, help, label }) => ({
    name,
    type,
    required: required ?? false,
    ...(credential === undefined ? {} : { credential }),
    ...(list === undefined ? {} : { list }),
    help: help ?? label,
  }));

const price = (name: string) => publishedCredits(priceOf(name)) ?? 'not published';

/** `operations [--json]`: the 4 endpoints and 50 operations of the catalogue, with fields, result, price and help. */
export async function operationsCommand(): Promise<Result<Printed>> {
  const value = {
    endpoints: restEndpoints.map((endpoint) => ({
      name: endpoint.name,
      path: endpoint.path,
      parameters: describeFields(endpoint.parameters),
      keyRoles: endpoint.keyRoles,
      price: price(endpoint.name),
      help: endpoint.help,
    })),
    operations: soapOperationNames.flatMap((name) => {
      const found = findSoapOperation(name);
      if (!found) return [];
      const { operation, dataset } = found;
      return [
        {
          name,
          group: operation.group,
          fields: describeFields(operation.fields),
          credentials: operation.credentials,
          result: dataset ? 'data set' : operation.result,
          ...(dataset ? { twinOf: operation.name } : {}),
          price: price(name),
          effect: operation.effect,
          help: operation.help,
        },
      ];
    }),
  };
  return ok({ value });
}
