import { baseOf, datasetSuffix, findSoapOperation } from '../../../../shared/catalogue/soap-operations.ts';
import type { ConsolePart, DriftFinding, DriftKind } from '../../../../shared/domain/drift.ts';
import { distanceOperations } from '../../../../shared/domain/lookup/lookup.ts';
import { soapSearches } from '../../../../shared/domain/lookup/lookup-text.ts';
import type { OperationView } from './drift-view.ts';

type Against = DriftFinding['against'];

/** What Lookup and its batches call. */
const ofLookup: ReadonlySet<string> = new Set([...soapSearches, ...distanceOperations, 'GetPremiseAddress']);

/** Where a user meets an operation. Every operation is also in the operations explorer. */
export function partsOf(name: string): ConsolePart[] {
  const base = baseOf(name);
  const parts: ConsolePart[] = ['Operations'];
  if (/Licen[cs]e/.test(base) && findSoapOperation(base)?.operation.group === 'Licences and credits')
    parts.push('Licences');
  if (base === 'GetAvailableCredits' || base === 'ServiceTest') parts.push('Credits');
  if (base === 'ServiceTest') parts.push('Connections');
  if (ofLookup.has(name)) parts.push('Lookup');
  return parts;
}

const others: Readonly<Record<Against, string>> = {
  catalogue: 'the published interface',
  'last-seen': 'the description last seen',
};

/** Collects the differences between two views of the operations, as texts. */
export class Comparison {
  readonly findings: DriftFinding[] = [];
  private readonly against: Against;

  constructor(against: Against) {
    this.against = against;
  }

  add(kind: DriftKind, message: string, touches: ConsolePart[], more: Partial<DriftFinding> = {}): void {
    this.findings.push({ against: this.against, kind, ...more, touches, message });
  }

  compareOperations(before: readonly OperationView[], after: readonly OperationView[]): void {
    const old = new Map(before.map((view) => [view.name, view]));
    const live = new Map(after.map((view) => [view.name, view]));
    for (const [name, view] of live) {
      const earlier = old.get(name);
      if (earlier) this.compareOperation(earlier, view);
      else this.addOrRemove(name, 'added', old.has(baseOf(name)));
    }
    for (const name of old.keys()) if (!live.has(name)) this.addOrRemove(name, 'removed', live.has(baseOf(name)));
  }

  private addOrRemove(name: string, what: 'added' | 'removed', baseThere: boolean): void {
    const twin = name.endsWith(datasetSuffix) && baseThere;
    const kind = twin
      ? what === 'added'
        ? 'twin-found'
        : 'twin-lost'
      : what === 'added'
        ? 'operation-added'
        : 'operation-removed';
    const other = others[this.against];
    const verb = what === 'added' ? `is new: ${other} does not have it` : `is gone: ${other} has it`;
    this.add(kind, `${twin ? `The data-set twin ${name}` : name} ${verb}.`, partsOf(name), { operation: name });
  }

  private compareOperation(old: OperationView, live: OperationView): void {
    this.compareMembers(live.name, old.fields, live.fields, '');
    const common = [...old.fields.keys()].filter((field) => live.fields.has(field));
    const order = [...live.fields.keys()].filter((field) => old.fields.has(field));
    if (common.join() !== order.join()) {
      const more = { operation: live.name, before: common.join(', '), after: order.join(', ') };
      this.add('fields-reordered', `${live.name} takes its fields in another order.`, partsOf(live.name), more);
    }
    if (live.tooLarge) {
      const message = `The result of ${live.name} is not compared: its types unfold into too many fields …`;
      this.add('result-not-compared', message, partsOf(live.name), { operation: live.name });
    }
    if (old.result && live.result) this.compareMembers(live.name, old.result, live.result, 'result-');
    for (const [version, action] of Object.entries(old.actions)) {
      const now = live.actions[version];
      if (now === undefined || now === action) continue;
      const more = { operation: live.name, before: action, after: now };
      this.add('action-changed', `The SOAP ${version} action of ${live.name} changed.`, partsOf(live.name), more);
    }
  }

  private compareMembers(
    operation: string,
    old: ReadonlyMap<string, string>,
    live: ReadonlyMap<string, string>,
    prefix: '' | 'result-',
  ): void {
    const place = prefix === '' ? `of ${operation}` : `in the result of ${operation}`;
    const touches = partsOf(operation);
    for (const [field, type] of live) {
      const before = old.get(field);
      const more = { operation, field, after: type };
      if (before === undefined) this.add(`${prefix}field-added`, `The field ${field} ${place} is new.`, touches, more);
      else if (before !== type) {
        this.add(`${prefix}field-retyped`, `The field ${field} ${place} is now ${type}, it was ${before}.`, touches, {
          ...more,
          before,
        });
      }
    }
    for (const [field, type] of old) {
      if (live.has(field)) continue;
      this.add(`${prefix}field-removed`, `The field ${field} ${place} is gone.`, touches, {
        operation,
        field,
        before: type,
      });
    }
  }
}
