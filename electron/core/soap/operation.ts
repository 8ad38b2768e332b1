import {
  datasetSuffix,
  findSoapOperation,
  type SoapOperation,
  soapOperations,
} from '../../../shared/catalogue/soap-operations.ts';
import type { CredentialSlot, FieldDef } from '../../../shared/catalogue/types.ts';
import type {
  DescribedElement,
  DescribedOperation,
  ServiceDescription,
} from '../../../shared/domain/service-description.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

/** One request field as it will be sent. */
export interface RequestField extends FieldDef {
  /** Sent in this namespace; undefined: the operation's. */
  namespace?: string;
  /** The description requires the element even if it is empty. */
  always?: boolean;
  /** The field takes several elements of its name. */
  repeats?: boolean;
  /** The field holds repeated elements of this name (`ArrayOfString`). */
  member?: string;
}

/** How the result is decoded. `described`: generically, helped by the description's types. */
export type ResultShape = SoapOperation['result'] | 'dataset' | 'described';

/** An operation ready to be called: the catalogue's knowledge on top of what the description says. */
export interface CallableOperation {
  /** As sent: the published name, a twin's name, or the description's spelling of the map operation. */
  name: string;
  fields: readonly RequestField[];
  result: ResultShape;
  /** The namespace of the request element, if the description gives one. */
  namespace?: string;
  described?: DescribedOperation;
  /** False: only the description knows it. */
  published: boolean;
}

/** The map operation under any provider's name (field notes, "SOAP transport"). */
export const mapOperationPattern = /^FindNearestDataForPostcode\w*Map$/;
const mapOperation = 'FindNearestDataForPostcodeWebMap';
/** The name under which an operation is published: that of the map operation, whatever a provider calls it. */
export const publishedName = (name: string): string => (mapOperationPattern.test(name) ? mapOperation : name);
const mapKeyPattern = /^s\w*Key$/;

/** The slot that a field of this name takes in the catalogue, so that operations known only from the description are filled alike. */
const slotByName: ReadonlyMap<string, FieldDef> = new Map(
  soapOperations.flatMap((operation) =>
    operation.fields.flatMap((field: FieldDef) => (field.credential ? [[field.name, field] as const] : [])),
  ),
);

const integerTypes = new Set([
  'int',
  'integer',
  'long',
  'short',
  'byte',
  'unsignedInt',
  'unsignedShort',
  'unsignedByte',
]);

function typeOfElement(element: DescribedElement): FieldDef['type'] {
  if (integerTypes.has(element.type)) return 'integer';
  if (element.type === 'boolean') return 'boolean';
  return ['decimal', 'double', 'float'].includes(element.type) ? 'number' : 'string';
}

function slotOf(name: string): CredentialSlot | undefined {
  return slotByName.get(name)?.credential ?? (mapKeyPattern.test(name) ? 'webMapKey' : undefined);
}

/** The name of the repeated text member of an `ArrayOfString` kind of type; undefined for members of any other kind. */
export function listMemberOf(
  members: readonly DescribedElement[],
  isStructure: (type: string) => boolean,
): string | undefined {
  const [only, ...more] = members;
  if (!only || more.length > 0 || only.maxOccurs === 1 || only.fields || isStructure(only.type)) return undefined;
  return only.name;
}

/** A described field with the catalogue's label, help and credential if it has a field of that name. */
function mergeField(
  element: DescribedElement,
  published: readonly FieldDef[],
  types: ServiceDescription['types'],
): RequestField {
  const named = Object.hasOwn(types, element.type) ? types[element.type] : undefined;
  const member = listMemberOf(element.fields ?? named?.fields ?? [], (type) => Object.hasOwn(types, type));
  const known =
    published.find((field) => field.name === element.name) ??
    published.find((field) => field.name.toLowerCase() === element.name.toLowerCase()) ??
    published.find((field) => field.credential === 'webMapKey' && mapKeyPattern.test(element.name));
  const credential = known?.credential ?? slotOf(element.name);
  return {
    label: known?.label ?? slotByName.get(element.name)?.label ?? element.name,
    ...(known?.help === undefined ? {} : { help: known.help }),
    ...(known?.list ? { list: true as const } : {}),
    name: element.name,
    type: typeOfElement(element),
    ...(element.minOccurs > 0 && !element.nillable && typeOfElement(element) !== 'string'
      ? { required: true as const }
      : {}),
    ...(element.minOccurs > 0 ? { always: true } : {}),
    ...(credential === undefined ? {} : { credential }),
    ...(element.namespace === undefined ? {} : { namespace: element.namespace }),
    ...(element.maxOccurs === 1 && member === undefined ? {} : { repeats: true }),
    ...(member === undefined ? {} : { member }),
  };
}

/** The description's operation for a published or described name; the map operation by pattern. */
export function findDescribed(
  description: ServiceDescription | undefined,
  name: string,
): DescribedOperation | undefined {
  const exact = description?.operations.find((operation) => operation.name === name);
  if (exact || name !== mapOperation) return exact;
  return description?.operations.find((operation) => mapOperationPattern.test(operation.name));
}

/**
 * The operation behind a name: the 50 published ones, the map operation under the provider's spelling, and those known only from the
 * description. Without a description (or without this operation in it) the catalogue alone says what is sent. Errors: 'unknown-operation'.
 */
export function resolveOperation(name: string, description?: ServiceDescription): Result<CallableOperation> {
  const published = findSoapOperation(publishedName(name));
  const described =
    findDescribed(description, name) ??
    (published
      ? findDescribed(description, published.operation.name === mapOperation ? mapOperation : name)
      : undefined);
  const usable = described?.callable ? described : undefined;
  if (!published) {
    if (!described) return fail(appError('unknown-operation', { detail: name }));
    if (!usable) return fail(appError('unknown-operation', { detail: described.reason ?? name }));
    const asDataset = name.endsWith(datasetSuffix) || holdsAny(usable.result, description);
    return ok({
      name: usable.name,
      fields: usable.request.map((element) => mergeField(element, [], description?.types ?? {})),
      result: asDataset ? 'dataset' : 'described',
      namespace: usable.requestNamespace,
      described: usable,
      published: false,
    });
  }
  const { operation, dataset } = published;
  const result: ResultShape = dataset ? 'dataset' : operation.result === 'not-shown' ? 'described' : operation.result;
  return ok({
    name: usable?.name ?? name,
    fields: usable
      ? usable.request.map((element) => mergeField(element, operation.fields, description?.types ?? {}))
      : operation.fields,
    result,
    ...(usable ? { namespace: usable.requestNamespace, described: usable } : {}),
    published: true,
  });
}

function holdsAny(result: DescribedElement | null, description: ServiceDescription | undefined): boolean {
  if (result === null) return false;
  if (result.any === true) return true;
  return (
    description !== undefined &&
    Object.hasOwn(description.types, result.type) &&
    description.types[result.type]?.any === true
  );
}

/**
 * The field meant by the caller's name: an exact match, else (the description's spelling differs) ignoring case, else the map key under the
 * specification's spelling.
 */
export function matchField(fields: readonly RequestField[], name: string): RequestField | undefined {
  return (
    fields.find((field) => field.name === name) ??
    fields.find((field) => field.name.toLowerCase() === name.toLowerCase()) ??
    (mapKeyPattern.test(name) ? fields.find((field) => field.credential === 'webMapKey') : undefined)
  );
}

/** Operations known only from the description; those that cannot be called say why in `reason`. */
export function listUnpublished(description: ServiceDescription): DescribedOperation[] {
  return description.operations.filter(({ name }) => !mapOperationPattern.test(name) && !findSoapOperation(name));
}

export interface DescribedResult {
  /** null: the description names no answer. */
  responseElement: string | null;
  /** null: the answer has no result in it. */
  result: DescribedElement | null;
  types: ServiceDescription['types'];
}

/** What decoding a result needs of a description: its types only if there is no published record, since they cross into the worker. */
export function describedOf(
  { described, result }: CallableOperation,
  description: ServiceDescription | undefined,
): DescribedResult | undefined {
  if (!described) return undefined;
  const types = result === 'described' || result === 'not-shown' ? (description?.types ?? {}) : {};
  return { responseElement: described.responseElement, result: described.result, types };
}
