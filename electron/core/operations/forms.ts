import { restEndpoints } from '../../../shared/catalogue/rest-endpoints.ts';
import { baseOf, datasetSuffix, findSoapOperation, soapOperations } from '../../../shared/catalogue/soap-operations.ts';
import type { CredentialSlot, FieldDef } from '../../../shared/catalogue/types.ts';
import type { FormField, OperationForm } from '../../../shared/contract/operations.ts';
import { addressOf, type Connection, protocolNames, type SecretHandle } from '../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../shared/domain/credits/published-price.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { mayBeBlank } from '../soap/message/credentials.ts';
import { findDescribed, listUnpublished } from '../soap/operation.ts';
import { type Callable, isUnknownSecret, isWrite, ownFields, resolveCallable, rolesOfField } from './resolve.ts';

export interface FormParts {
  connection: Connection;
  handles: readonly SecretHandle[];
  description: ServiceDescription | undefined;
  /** What this account was measured to pay; undefined: never measured. */
  measured(operation: string): { credits: number; times: number } | undefined;
}

const describedGroup = 'Only in the description';

/** The price to show before a call: published, else measured on this account, else that none is published. */
export function shownPrice(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  measured: FormParts['measured'],
): ShownPrice {
  const published = publishedPrice(name, fields);
  if (published.kind !== 'not-published') return published;
  const found = measured(name);
  return found ? { kind: 'measured', ...found } : published;
}

const guideName = 'ApiKey and Postcode';
const guideHelp =
  'A postcode lookup that only the integration guide shows: elements ApiKey and Postcode, answered with Address elements. The guide gives it no name.';

const settingOf: Partial<Record<CredentialSlot, (connection: Connection) => string>> = {
  accountName: ({ accountName }) => accountName,
  machineId: ({ machineId }) => machineId,
  ipAddress: ({ ipAddress }) => ipAddress,
  yourReference: ({ yourReference }) => yourReference,
};
function fillOf(
  callable: Callable,
  field: FieldDef,
  { connection, handles }: FormParts,
): OperationForm['filled'][number] {
  const roles = rolesOfField(callable, field);
  const { name, label } = field;
  if (roles.length > 0) {
    const handle = roles.flatMap((role) => handles.find((one) => one.role === role && one.preferred) ?? [])[0];
    return {
      name,
      label,
      from: 'keychain',
      shown: handle ? `•••• ${handle.lastFour}`.trim() : '',
      missing: handle === undefined,
      role: handle?.role ?? roles[0] ?? null,
    };
  }
  const shown = field.credential ? (settingOf[field.credential]?.(connection) ?? '') : '';
  return {
    name,
    label,
    from: 'connection',
    shown,
    missing: shown === '' && !(field.credential && mayBeBlank.has(field.credential)),
    role: null,
  };
}

function formField(field: ReturnType<typeof ownFields>[number]): FormField {
  return {
    name: field.name,
    type: field.type,
    label: field.label,
    help: field.help ?? '',
    required: field.required === true,
    list: field.repeats ? 'elements' : field.list ? 'separator' : null,
    // The service's default is left out, so that the same question stays the same; a switch has to be sent either way.
    initial: field.type === 'boolean' ? String(field.default ?? false) : '',
  };
}

type Head = Pick<OperationForm, 'name' | 'group' | 'help' | 'result' | 'known' | 'twin'>;

function formOf(head: Head, callable: Callable, parts: FormParts, blocked: string | null): OperationForm {
  const { connection } = parts;
  const address = addressOf(connection, callable.interface);
  const unknown = callable.fields.find((field) => isUnknownSecret(callable, field));
  const reason =
    blocked ??
    (address === '' ? `The connection has no ${protocolNames[callable.interface]} address.` : null) ??
    (unknown ? `It takes ${unknown.name}, and no key of a connection is known to be meant for it.` : null);
  return {
    ...head,
    interface: callable.interface,
    writes: isWrite(callable.name),
    blocked: reason,
    fields: ownFields(callable).map(formField),
    filled: callable.fields
      .filter((field) => field.credential !== undefined || rolesOfField(callable, field).length > 0)
      .map((field) => fillOf(callable, field, parts)),
    price: shownPrice(callable.name, {}, parts.measured),
  };
}

const resultText: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  'not-shown': 'not published',
};

/**
 * Everything that can be called: the published endpoints and operations in the catalogue's order of groups, then what only the service's
 * description knows, then the guide's request if the description has nothing of its shape. Makes no network call.
 */
export function listForms(parts: FormParts): OperationForm[] {
  const { connection, description } = parts;
  const forms: OperationForm[] = [];
  const add = (head: Head, blocked: string | null = null) => {
    const callable = resolveCallable(connection, head.name, false, description);
    if (callable.ok) forms.push(formOf(head, callable.value, parts, blocked));
    else
      forms.push({
        ...head,
        interface: 'soap',
        writes: isWrite(head.name),
        blocked: blocked ?? callable.error.detail ?? callable.error.message,
        fields: [],
        filled: [],
        price: { kind: 'not-published' },
      });
  };
  for (const { name, help, group } of restEndpoints)
    add({ name, group, help, result: 'JSON', known: 'published', twin: null });
  for (const { name, group, help, result, dataset } of soapOperations)
    add({
      name,
      group,
      help,
      result: resultText[result] ?? result,
      known: 'published',
      twin: dataset ? name + datasetSuffix : null,
    });
  const unpublished = description ? listUnpublished(description) : [];
  for (const operation of unpublished) {
    // A twin is a switch on its operation, here as well.
    const base = baseOf(operation.name);
    if (base !== operation.name && findDescribed(description, base)) continue;
    const guide = operation.publishedInGuideOnly === true;
    add(
      {
        name: operation.name,
        group: describedGroup,
        help: guide
          ? 'Has the shape of the request that only the integration guide shows. Called with the lookup key.'
          : (operation.documentation ??
            'Only the service’s own description knows this operation; what it does is not published.'),
        result: operation.result?.type || 'not published',
        known: guide ? 'guide' : 'described',
        twin:
          findDescribed(description, operation.name + datasetSuffix) && !findSoapOperation(operation.name)
            ? operation.name + datasetSuffix
            : null,
      },
      operation.callable ? null : (operation.reason ?? 'The description does not say how it is called.'),
    );
  }
  if (!unpublished.some((operation) => operation.publishedInGuideOnly))
    forms.push(guideForm(description !== undefined));
  return forms;
}

function guideForm(described: boolean): OperationForm {
  return {
    name: guideName,
    interface: 'soap',
    group: 'Only in the integration guide',
    help: guideHelp,
    result: 'Address elements',
    known: 'guide',
    twin: null,
    writes: false,
    blocked: described
      ? 'The description of this service has no operation of that shape, so it cannot be called here.'
      : 'Its name would be in the service’s description, which has not been read yet.',
    fields: [],
    filled: [],
    price: { kind: 'not-published' },
  };
}
