import type { DriftFinding, DriftReport } from '../../../../shared/domain/drift.ts';
import type { ServiceDescription } from '../../../../shared/domain/service-description.ts';
import { Comparison, partsOf } from './drift-comparison.ts';
import { startLooking, viewCatalogue, viewDescribed } from './drift-view.ts';

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
  const looks = startLooking();
  comparison.compareOperations(
    viewCatalogue(),
    views.map((operation) => viewDescribed(operation, live, true, looks)),
  );
  comparison.findings.push(...compareActionsWithRule(live));
  return comparison.findings;
}

/** Actions are not published; the family's rule is (field notes): namespace, slash, name. One finding for all that differ. */
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
  const viewsOf = (description: ServiceDescription) => {
    const looks = startLooking();
    return description.operations.map((operation) => viewDescribed(operation, description, false, looks));
  };
  comparison.compareOperations(viewsOf(last), viewsOf(live));
  return comparison.findings;
}

/** What the connection was set up with, as far as it is published or agreed. Empty text: not set. */
export interface Published {
  soapNamespace?: string;
  utilitiesNamespace?: string;
}

/** Compares a live description with the catalogue and with the one last seen, and says what each difference affects. Pure. */
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
