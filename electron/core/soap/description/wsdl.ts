import type { SoapVersion } from '../../../../shared/domain/connection.ts';
import type { DescriptionNote, ServiceDescription } from '../../../../shared/domain/service-description.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { type NamedElement, parseNamed } from '../xml/names.ts';
import { SchemaSet } from './schema.ts';
import { indexDefinitions } from './wsdl-definitions.ts';
import { collectDocuments, type DescriptionDocuments, type LoadDocument, wsdlNamespace } from './wsdl-documents.ts';
import { OperationReader, simplyNamed } from './wsdl-operations.ts';
import { chooseAddress, choosePort, readPorts } from './wsdl-ports.ts';

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

/** The namespace that most `any` elements name. */
function mostNamed(namespaces: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const namespace of namespaces) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/**
 * Parses a WSDL 1.1 description from its text, following imports through `load` only. What it does not understand goes into `notes`.
 * Errors: those of parsing, and 'unreadable-answer' if the text is not a WSDL.
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
    const description = describeService(root.value, documents, options, notes);
    return description.operations.length > 0 ? ok(description) : fail(withoutOperations(description));
  } catch (error) {
    // The budget of schema.ts, or a chain of types too long for the stack.
    const detail = error instanceof Error ? error.message : String(error);
    return fail(appError('unsafe-answer', { charge: 'not-applicable', detail }));
  }
}

/** A well-formed text that names nothing to call: a stub, or what is left if the imported documents were not found. */
function withoutOperations({ notes }: ServiceDescription): AppError {
  const lost = notes.find(({ kind }) => kind === 'import-refused' || kind === 'import-failed');
  return appError('unreadable-answer', {
    charge: 'not-applicable',
    message: 'The description names no operation that can be called over SOAP.',
    next: 'Check the SOAP address under Connections: it may be another service’s.',
    ...(lost ? { detail: `${lost.subject} was not read. ${lost.detail}` } : {}),
  });
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
