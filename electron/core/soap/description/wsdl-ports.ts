import type { SoapVersion } from '../../../../shared/domain/connection.ts';
import type { DescribedPort, DescriptionNote } from '../../../../shared/domain/service-description.ts';
import { proveDestination } from '../../transport/connect/origin.ts';
import { type NamedElement, resolveName } from '../xml/names.ts';
import { type Definitions, lookUp } from './wsdl-definitions.ts';

/** Namespaces of the SOAP bindings; a binding of any other kind (HTTP GET, HTTP form POST, JMS) is listed and never called. */
export const versionByNamespace: ReadonlyMap<string, SoapVersion> = new Map([
  ['http://schemas.xmlsoap.org/wsdl/soap/', '1.1'],
  ['http://schemas.xmlsoap.org/wsdl/soap12/', '1.2'],
]);

export interface FoundPort extends DescribedPort {
  /** Its binding. */
  element: NamedElement | undefined;
}

function soapVersionOf(binding: NamedElement | undefined): SoapVersion | null {
  for (const child of binding?.children ?? []) {
    const version = versionByNamespace.get(child.namespace);
    const transport = child.attributes.transport ?? '';
    if (child.local === 'binding' && version && (transport === '' || /\/http\/?$/.test(transport))) return version;
  }
  return null;
}

/** Addresses are absolute in the family; one that is not is relative to where the description was read. */
function absolute(location: string | undefined, base: string): string | null {
  if (!location) return null;
  return URL.canParse(location) ? location : (URL.parse(location, base)?.href ?? location);
}

/** All ports, including those that are never called. Locations are relative to `base`. */
export function readPorts(definitions: Definitions, base: string): FoundPort[] {
  return definitions.ports.map((port) => {
    const name = resolveName(port, port.attributes.binding ?? '');
    const element = lookUp(definitions.bindings, name);
    const address = port.children.find((child) => child.local === 'address')?.attributes.location?.trim();
    return {
      name: port.attributes.name ?? '',
      binding: name.local,
      soapVersion: soapVersionOf(element),
      address: absolute(address, base),
      element,
    };
  });
}

/** Among several ports of one version the one at the configured address, else one of its origin, else the first. */
export function choosePort(
  ports: readonly FoundPort[],
  version: SoapVersion,
  configured: string | undefined,
): FoundPort | undefined {
  const candidates = ports.filter((port) => port.soapVersion === version);
  return (
    candidates.find((port) => port.address === configured) ??
    candidates.find((port) => port.address !== null && configured && proveDestination(port.address, configured).ok) ??
    candidates[0]
  );
}

/** The port's address if it is of the configured origin; otherwise null, with a note. */
export function chooseAddress(
  port: FoundPort | undefined,
  configured: string | undefined,
  notes: DescriptionNote[],
): string | null {
  if (!port?.address || configured === undefined) return port?.address ?? null;
  if (proveDestination(port.address, configured).ok) return port.address;
  if (!notes.some((note) => note.kind === 'address-refused' && note.subject === port.address)) {
    const detail = 'The description names an address of another origin; the configured one is used.';
    notes.push({ kind: 'address-refused', subject: port.address, detail });
  }
  return null;
}
