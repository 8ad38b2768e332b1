import type { SoapVersion } from '../../../shared/domain/connection.ts';
import type {
  DescribedElement,
  DescribedOperation,
  DescribedPort,
  DescriptionNote,
  ServiceDescription,
} from '../../../shared/domain/service-description.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { proveDestination } from '../transport/origin.ts';
import { listMemberOf } from './operation.ts';
import { SchemaSet } from './schema.ts';
import { collectDocuments, type DescriptionDocuments, type LoadDocument, wsdlNamespace } from './wsdl-documents.ts';
import { childrenNamed, keyOf, type NamedElement, parseNamed, type QualifiedName, resolveName } from './xml-names.ts';

/** Namespaces of the SOAP bindings; a binding of any other (HTTP GET, HTTP form POST, JMS) is listed and never called. */
const versionByNamespace: Readonly<Record<string, SoapVersion>> = {
  'http://schemas.xmlsoap.org/wsdl/soap/': '1.1',
  'http://schemas.xmlsoap.org/wsdl/soap12/': '1.2',
};
const versions: readonly SoapVersion[] = ['1.1', '1.2'];

export interface ReadOptions {
  /** An address or a file's name, as shown to the user. */
  source: string;
  /** Locations in the text are relative to it; default `source`. */
  base?: string;
  /** The connection's SOAP address; a service address of another origin is reported and not used. */
  configuredUrl?: string;
  load?: LoadDocument | undefined;
  now?: () => Date;
}

interface Definitions {
  messages: Map<string, NamedElement>;
  portTypes: Map<string, NamedElement>;
  bindings: Map<string, NamedElement>;
  ports: NamedElement[];
}

interface FoundPort extends DescribedPort {
  element: NamedElement | undefined;
}

function indexDefinitions(documents: readonly NamedElement[]): Definitions {
  const index: Definitions = { messages: new Map(), portTypes: new Map(), bindings: new Map(), ports: [] };
  for (const document of documents) {
    const namespace = document.attributes.targetNamespace?.trim() ?? '';
    const collect = (local: string, into: Map<string, NamedElement>) => {
      for (const element of childrenNamed(document, wsdlNamespace, local)) {
        into.set(keyOf({ namespace, local: element.attributes.name ?? '' }), element);
      }
    };
    collect('message', index.messages);
    collect('portType', index.portTypes);
    collect('binding', index.bindings);
    for (const service of childrenNamed(document, wsdlNamespace, 'service')) {
      index.ports.push(...childrenNamed(service, wsdlNamespace, 'port'));
    }
  }
  return index;
}

/** A referenced definition; a document that forgot its prefixes is helped by the local name. */
function lookUp(map: ReadonlyMap<string, NamedElement>, name: QualifiedName): NamedElement | undefined {
  return map.get(keyOf(name)) ?? [...map.values()].find((element) => element.attributes.name === name.local);
}

function soapVersionOf(binding: NamedElement | undefined): SoapVersion | null {
  for (const child of binding?.children ?? []) {
    const version = versionByNamespace[child.namespace];
    const transport = child.attributes.transport ?? '';
    if (child.local === 'binding' && version && (transport === '' || /\/http\/?$/.test(transport))) return version;
  }
  return null;
}

/** Addresses are absolute in the family; one that is not is relative to where the description was read. */
function absolute(location: string | undefined, base: string): string | null {
  if (!location) return null;
  return URL.canParse(location) || !URL.canParse(location, base) ? location : new URL(location, base).href;
}

function readPorts(definitions: Definitions, base: string): FoundPort[] {
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

/** Of several ports of one version the one at the configured address, else one of its origin, else the first. */
function choosePort(
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

const simplyNamed = (elements: readonly DescribedElement[], namespace: string | null): DescribedElement[] =>
  elements.map(({ namespace: own, fields, ...element }) => ({
    ...element,
    ...(fields ? { fields: simplyNamed(fields, namespace) } : {}),
    ...(namespace === null || own === undefined || own === namespace ? {} : { namespace: own }),
  }));

class OperationReader {
  private readonly definitions: Definitions;
  private readonly schemas: SchemaSet;
  readonly operations = new Map<string, DescribedOperation>();

  constructor(definitions: Definitions, schemas: SchemaSet) {
    this.definitions = definitions;
    this.schemas = schemas;
  }

  readPort({ element: binding, soapVersion }: FoundPort): void {
    if (!binding || soapVersion === null) return;
    const portType = lookUp(this.definitions.portTypes, resolveName(binding, binding.attributes.type ?? ''));
    const soapBinding = binding.children.find(
      (child) => child.local === 'binding' && versionByNamespace[child.namespace],
    );
    for (const bound of childrenNamed(binding, wsdlNamespace, 'operation')) {
      const name = bound.attributes.name ?? '';
      const soap = bound.children.find((child) => child.local === 'operation' && versionByNamespace[child.namespace]);
      const held = this.operations.get(name);
      const action = soap?.attributes.soapAction?.trim() ?? '';
      if (held) {
        held.actions[soapVersion] ??= action;
        continue;
      }
      const abstract = childrenNamed(portType, wsdlNamespace, 'operation').find(
        (item) => item.attributes.name === name,
      );
      const style = soap?.attributes.style ?? soapBinding?.attributes.style ?? 'document';
      this.operations.set(name, {
        ...this.readOperation(name, abstract, bound, style),
        actions: { [soapVersion]: action },
      });
    }
  }

  private readOperation(
    name: string,
    abstract: NamedElement | undefined,
    bound: NamedElement,
    style: string,
  ): Omit<DescribedOperation, 'actions'> {
    const input = this.readMessage(abstract, 'input');
    const output = this.readMessage(abstract, 'output');
    const request = input?.content ? simplyNamed(input.content.fields, input.name.namespace) : [];
    const resultFields = output?.content?.fields ?? [];
    const documentation = abstract && childrenNamed(abstract, wsdlNamespace, 'documentation')[0]?.text.trim();
    const encoded = bound.children.some((part) => part.children.some((child) => child.attributes.use === 'encoded'));
    const reason =
      style !== 'document' || encoded
        ? 'It is not a document/literal operation.'
        : input?.content
          ? this.findStructure(request)
          : 'The schema of its request was not found.';
    return {
      name,
      requestElement: input?.name.local ?? name,
      requestNamespace: input?.name.namespace ?? '',
      request,
      responseElement: output?.name.local ?? null,
      result: simplyNamed(resultFields, null)[0] ?? null,
      callable: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      ...(documentation ? { documentation } : {}),
      ...(isGuideRequest(request) ? { publishedInGuideOnly: true as const } : {}),
    };
  }

  /** Fields are texts or lists of texts; a structure has no place in a form. */
  private findStructure(request: readonly DescribedElement[]): string | undefined {
    const structure = request.find((field) => {
      const members = field.fields ?? this.schemas.types.get(field.type)?.fields;
      return members !== undefined && listMemberOf(members, (type) => this.schemas.types.has(type)) === undefined;
    });
    return structure && `Its field ${structure.name} is a structure.`;
  }

  private readMessage(abstract: NamedElement | undefined, direction: 'input' | 'output') {
    const part = abstract && childrenNamed(abstract, wsdlNamespace, direction)[0];
    if (!part) return undefined;
    const message = lookUp(this.definitions.messages, resolveName(part, part.attributes.message ?? ''));
    const element =
      message && childrenNamed(message, wsdlNamespace, 'part').find((item) => item.attributes.element !== undefined);
    if (!element) return undefined;
    const name = resolveName(element, element.attributes.element ?? '');
    return { name, content: this.schemas.readGlobalElement(name) };
  }
}

/** The integration guide's postcode request, by its shape: the specification gives it no name. */
function isGuideRequest(request: readonly DescribedElement[]): boolean {
  return request.length === 2 && ['ApiKey', 'Postcode'].every((name) => request.some((field) => field.name === name));
}

function chooseAddress(
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

/** The namespace that most `any` elements name. */
function mostNamed(namespaces: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const namespace of namespaces) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/**
 * Reads a WSDL 1.1 description from its text, following imports through `load` only. What it does not understand stands in
 * `notes`. Errors: those of parsing, and 'unreadable-answer' where the text is not a WSDL.
 */
export async function readDescriptionText(text: string, options: ReadOptions): Promise<Result<ServiceDescription>> {
  const root = parseNamed(text);
  if (!root.ok) return fail(appError(root.error.code, { charge: 'not-applicable', detail: root.error.detail }));
  if (root.value.local !== 'definitions' || root.value.namespace !== wsdlNamespace) {
    return fail(
      appError('unreadable-answer', {
        charge: 'not-applicable',
        detail: `This is not a WSDL but <${root.value.local}>.`,
      }),
    );
  }
  const notes: DescriptionNote[] = [];
  const documents = await collectDocuments(root.value, options.base ?? options.source, options.load, notes);
  try {
    return ok(describeService(root.value, documents, options, notes));
  } catch (error) {
    // The budget of schema.ts, or a chain of types too long for the stack.
    const detail = error instanceof Error ? error.message : String(error);
    return fail(appError('unsafe-answer', { charge: 'not-applicable', detail }));
  }
}

function describeService(
  root: NamedElement,
  documents: DescriptionDocuments,
  options: ReadOptions,
  notes: DescriptionNote[],
): ServiceDescription {
  const definitions = indexDefinitions(documents.definitions);
  const wsdlTarget = root.attributes.targetNamespace?.trim() ?? '';
  const schemas = new SchemaSet(wsdlTarget, notes);
  for (const { element, adopted } of documents.schemas) schemas.add(element, adopted);

  const ports = readPorts(definitions, options.base ?? options.source);
  const chosen = Object.fromEntries(
    versions.map((version) => [version, choosePort(ports, version, options.configuredUrl)]),
  );
  const reader = new OperationReader(definitions, schemas);
  for (const port of Object.values(chosen)) if (port) reader.readPort(port);
  const operations = [...reader.operations.values()];
  return {
    readAt: (options.now?.() ?? new Date()).toISOString(),
    source: options.source,
    // Requests are in the namespace of their schema; in the family both are the same.
    targetNamespace: operations.find((operation) => operation.requestNamespace !== '')?.requestNamespace ?? wsdlTarget,
    utilitiesNamespace: mostNamed(schemas.anyNamespaces),
    ports: ports.map(({ element: _binding, ...port }) => port),
    addresses: {
      '1.1': chooseAddress(chosen['1.1'], options.configuredUrl, notes),
      '1.2': chooseAddress(chosen['1.2'], options.configuredUrl, notes),
    },
    operations,
    types: Object.fromEntries(
      [...schemas.types].map(([key, type]) => [key, { ...type, fields: simplyNamed(type.fields, null) }]),
    ),
    notes,
  };
}
