import { type RecordName, records } from '../../../shared/catalogue/records.ts';
import { datasetSuffix, findSoapOperation, soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import type { FieldDef, RecordDef } from '../../../shared/catalogue/types.ts';
import type {
  DescribedElement,
  DescribedOperation,
  ServiceDescription,
} from '../../../shared/domain/service-description.ts';
import { mapOperationPattern } from './operation.ts';

/** One operation reduced to what can drift. */
export interface OperationView {
  /** As published; the map operation under the specification's spelling. */
  name: string;
  fields: ReadonlyMap<string, string>;
  /** Leaves of the result by path, `[].` before members of a list; undefined: nothing is known of it. */
  result?: ReadonlyMap<string, string>;
  actions: Readonly<Record<string, string>>;
}

const aliases: Readonly<Record<string, string>> = {
  int: 'integer',
  long: 'integer',
  short: 'integer',
  unsignedInt: 'integer',
  decimal: 'number',
  double: 'number',
  float: 'number',
};

const typeName = (type: string): string =>
  Object.hasOwn(aliases, type) ? (aliases[type] as string) : type || 'string';

const publishedMapName = 'FindNearestDataForPostcodeWebMap';
const isMap = (name: string): boolean => mapOperationPattern.test(name);
const publishedName = (name: string): string => (isMap(name) ? publishedMapName : name);

function leavesOf(element: DescribedElement, types: ServiceDescription['types']): Map<string, string> {
  const leaves = new Map<string, string>();
  const walk = (current: DescribedElement, path: string, within: readonly string[]): void => {
    const named = Object.hasOwn(types, current.type) ? types[current.type] : undefined;
    const members = current.fields ?? named?.fields ?? [];
    if (members.length === 0 || within.includes(current.type)) {
      if (path !== '') leaves.set(path + current.name, typeName(current.type));
      return;
    }
    const inner = named ? [...within, current.type] : within;
    for (const member of members) {
      const memberPath = member.maxOccurs === 1 ? path : '[].';
      const simple = !member.fields && !Object.hasOwn(types, member.type);
      if (simple) leaves.set(memberPath + member.name, typeName(member.type));
      else walk(member, memberPath, inner);
    }
  };
  walk(element, '', []);
  return leaves;
}

/** A described operation; `asPublished` puts the map operation and its key under the specification's spelling. */
export function viewDescribed(
  operation: DescribedOperation,
  description: ServiceDescription,
  asPublished: boolean,
): OperationView {
  const map = asPublished && isMap(operation.name);
  const nameOf = (field: DescribedElement) => (map && /^s\w*Key$/.test(field.name) ? 'sWebMapKey' : field.name);
  const any = operation.result?.any || description.types[operation.result?.type ?? '']?.any;
  const result =
    operation.result && !any && !operation.name.endsWith(datasetSuffix)
      ? leavesOf(operation.result, description.types)
      : undefined;
  return {
    name: asPublished ? publishedName(operation.name) : operation.name,
    fields: new Map(operation.request.map((field) => [nameOf(field), typeName(field.type)])),
    ...(result && result.size > 0 ? { result } : {}),
    actions: operation.actions,
  };
}

function leavesOfRecord(name: RecordName): Map<string, string> {
  const def: RecordDef = records[name];
  const leaves = new Map<string, string>(def.fields.map((field) => [field.name, field.type]));
  if (def.listOf !== undefined) {
    const child: RecordDef = records[def.listOf as RecordName];
    for (const field of child.fields) leaves.set(`[].${field.name}`, field.type);
  }
  return leaves;
}

/** The 50 published operations. Actions are not published, so there are none. */
export function viewCatalogue(): OperationView[] {
  return soapOperationNames.flatMap((name) => {
    const found = findSoapOperation(name);
    if (!found) return [];
    const { operation, dataset } = found;
    const known = !dataset && Object.hasOwn(records, operation.result);
    return [
      {
        name,
        fields: new Map(operation.fields.map((field: FieldDef) => [field.name, field.type])),
        ...(known ? { result: leavesOfRecord(operation.result as RecordName) } : {}),
        actions: {},
      },
    ];
  });
}
