import { type RecordName, records } from '../../../../shared/catalogue/records.ts';
import { datasetSuffix, findSoapOperation, soapOperationNames } from '../../../../shared/catalogue/soap-operations.ts';
import type { FieldDef, RecordDef } from '../../../../shared/catalogue/types.ts';
import type {
  DescribedElement,
  DescribedOperation,
  ServiceDescription,
} from '../../../../shared/domain/service-description.ts';
import { mapOperationPattern, publishedName } from '../operation.ts';

/** One operation reduced to what can drift. */
export interface OperationView {
  /** As published; the map operation under the specification's spelling. */
  name: string;
  fields: ReadonlyMap<string, string>;
  /** Leaves of the result by path, `[].` before members of a list; undefined: nothing is known of it. */
  result?: ReadonlyMap<string, string>;
  /** The result unfolds into more than is compared. */
  tooLarge?: true;
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

/** Elements that may still be visited, counted down: types that refer to each other unfold like an entity bomb. */
export interface Looks {
  left: number;
}

/** For all operations of a description together; a description of the family takes about 5,000. */
export const startLooking = (): Looks => ({ left: 100_000 });
/** Nested types, each different from the one around it. Those of the family are three levels deep. */
const deepest = 100;

/**
 * The leaves of a result. A leaf's path says only whether it passes through a list, so a named type has the same leaves wherever it
 * occurs and is walked once for each of the two; inside itself it is a leaf. Undefined if there is more than may be visited.
 */
function leavesOf(
  element: DescribedElement,
  types: ServiceDescription['types'],
  looks: Looks,
): Map<string, string> | undefined {
  const leaves = new Map<string, string>();
  const walked = new Set<string>();
  const within = new Set<string>();
  const walk = (current: DescribedElement, path: '' | '[].', depth: number): boolean => {
    looks.left -= 1;
    if (looks.left < 0 || depth > deepest) return false;
    const named = Object.hasOwn(types, current.type) ? types[current.type] : undefined;
    const members = current.fields ?? named?.fields ?? [];
    if (members.length === 0 || (named && within.has(current.type))) {
      if (depth > 0) leaves.set(path + current.name, typeName(current.type));
      return true;
    }
    if (named) {
      const place = path + current.type;
      if (walked.has(place)) return true;
      walked.add(place);
      within.add(current.type);
    }
    const whole = members.every((member) => walk(member, member.maxOccurs === 1 ? path : '[].', depth + 1));
    if (named) within.delete(current.type);
    return whole;
  };
  return walk(element, '', 0) ? leaves : undefined;
}

/** A described operation; `asPublished` puts the map operation and its key under the specification's spelling. */
export function viewDescribed(
  operation: DescribedOperation,
  description: ServiceDescription,
  asPublished: boolean,
  looks: Looks,
): OperationView {
  const map = asPublished && mapOperationPattern.test(operation.name);
  const nameOf = (field: DescribedElement) => (map && /^s\w*Key$/.test(field.name) ? 'sWebMapKey' : field.name);
  const result = operation.result;
  const type = result && Object.hasOwn(description.types, result.type) ? description.types[result.type] : undefined;
  const known = result !== null && !result.any && !type?.any && !operation.name.endsWith(datasetSuffix);
  const leaves = known ? leavesOf(result, description.types, looks) : new Map<string, string>();
  return {
    name: asPublished ? publishedName(operation.name) : operation.name,
    fields: new Map(operation.request.map((field) => [nameOf(field), typeName(field.type)])),
    ...(leaves === undefined ? { tooLarge: true as const } : leaves.size > 0 ? { result: leaves } : {}),
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
