import { datasetSuffix, findSoapOperation } from '../../../shared/catalogue/soap-operations.ts';
import type { ConsolePart, DriftFinding, DriftKind, DriftReport } from '../../../shared/domain/drift.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { type OperationView, viewCatalogue, viewDescribed } from './drift-view.ts';

type Against = DriftFinding['against'];

/** Operations of the lookup screen: what the planner may choose (the credit-free searches, the lists and the full records). */
const lookupName = /^(Search|Return|Get(Premise)?Address|LightSearch|AdvancedSearch|GeoData_|CoordinateData_)/;

/** Where a user meets an operation. Every operation also stands in the operations explorer. */
function partsOf(name: string): ConsolePart[] {
  const base = name.endsWith(datasetSuffix) ? name.slice(0, -datasetSuffix.length) : name;
  const parts: ConsolePart[] = ['Operations'];
  if (/Licen[cs]e/.test(base) && findSoapOperation(base)?.operation.group === 'Licences and credits')
    parts.push('Licences');
  if (base === 'GetAvailableCredits' || base === 'ServiceTest') parts.push('Credits');
  if (base === 'ServiceTest') parts.push('Connections');
  if (lookupName.test(base) && base === name) parts.push('Lookup');
  return parts;
}

const others: Readonly<Record<Against, string>> = {
  catalogue: 'the published interface',
  'last-seen': 'the description last seen',
};

class Comparison {
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
      const held = old.get(name);
      if (held) this.compareOperation(held, view);
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

const baseOf = (name: string): string => (name.endsWith(datasetSuffix) ? name.slice(0, -datasetSuffix.length) : name);

function compareWithCatalogue(live: ServiceDescription, published: Published): DriftFinding[] {
  const comparison = new Comparison('catalogue');
  const namespace = published.soapNamespace;
  if (namespace && namespace !== live.targetNamespace) {
    const more = { before: namespace, after: live.targetNamespace };
    comparison.add(
      'namespace-changed',
      'The namespace is not the one of the connection.',
      ['Connections', 'Operations'],
      more,
    );
  }
  const utilities = published.utilitiesNamespace;
  if (utilities && live.utilitiesNamespace && utilities !== live.utilitiesNamespace) {
    const more = { before: utilities, after: live.utilitiesNamespace };
    comparison.add(
      'namespace-changed',
      'The data sets’ namespace is not the one of the connection.',
      ['Connections'],
      more,
    );
  }
  for (const note of live.notes.filter((item) => item.kind === 'address-refused')) {
    comparison.add('address-changed', note.detail, ['Connections'], { after: note.subject });
  }
  const guide = live.operations.filter((operation) => operation.publishedInGuideOnly);
  for (const { name } of guide) {
    const message = `${name} has the shape of the request that only the integration guide shows.`;
    comparison.add('guide-operation-found', message, ['Operations'], { operation: name });
  }
  const views = live.operations.filter((operation) => !operation.publishedInGuideOnly);
  comparison.compareOperations(
    viewCatalogue(),
    views.map((operation) => viewDescribed(operation, live, true)),
  );
  comparison.findings.push(...compareActionsWithRule(live));
  return comparison.findings;
}

/** Actions are not published; the rule of the family is (field notes): namespace, slash, name. One finding for all that differ. */
function compareActionsWithRule(live: ServiceDescription): DriftFinding[] {
  const comparison = new Comparison('catalogue');
  for (const { name, actions, requestNamespace } of live.operations) {
    const expected = `${requestNamespace}${requestNamespace.endsWith('/') ? '' : '/'}${name}`;
    const different = Object.values(actions).find((action) => action !== expected);
    if (different === undefined) continue;
    const more = { operation: name, before: expected, after: different };
    comparison.add('action-changed', `The action of ${name} does not follow the family’s rule.`, partsOf(name), more);
  }
  return comparison.findings;
}

function compareWithLastSeen(live: ServiceDescription, last: ServiceDescription): DriftFinding[] {
  const comparison = new Comparison('last-seen');
  const places = [
    ['namespace', last.targetNamespace, live.targetNamespace],
    ['data sets’ namespace', last.utilitiesNamespace, live.utilitiesNamespace],
  ] as const;
  for (const [what, before, after] of places) {
    if (before === after) continue;
    const more = { before: before ?? '', after: after ?? '' };
    comparison.add('namespace-changed', `The ${what} changed.`, ['Connections', 'Operations'], more);
  }
  for (const version of ['1.1', '1.2'] as const) {
    const addressOf = ({ addresses, ports }: ServiceDescription) =>
      addresses[version] ?? ports.find((port) => port.soapVersion === version)?.address ?? '';
    const more = { before: addressOf(last), after: addressOf(live) };
    if (more.before !== more.after) {
      comparison.add('address-changed', `The address for SOAP ${version} changed.`, ['Connections'], more);
    }
  }
  comparison.compareOperations(
    last.operations.map((operation) => viewDescribed(operation, last, false)),
    live.operations.map((operation) => viewDescribed(operation, live, false)),
  );
  return comparison.findings;
}

/** What the connection was set up with, as far as it is published or agreed. Empty text: not set. */
export interface Published {
  soapNamespace?: string;
  utilitiesNamespace?: string;
}

/** Holds a live description against the catalogue and against the one last seen, and says what each difference touches. Pure. */
export function compareDescriptions(
  live: ServiceDescription,
  lastSeen: ServiceDescription | undefined,
  published: Published = {},
): DriftReport {
  return {
    liveReadAt: live.readAt,
    lastSeenReadAt: lastSeen?.readAt ?? null,
    findings: [...compareWithCatalogue(live, published), ...(lastSeen ? compareWithLastSeen(live, lastSeen) : [])],
  };
}
