import type { DescribedElement, DescribedOperation } from '../../../../shared/domain/service-description.ts';
import { listMemberOf } from '../operation.ts';
import { childrenNamed, type NamedElement, resolveName } from '../xml/names.ts';
import type { SchemaSet } from './schema.ts';
import { type Definitions, lookUp } from './wsdl-definitions.ts';
import { wsdlNamespace } from './wsdl-documents.ts';
import { type FoundPort, versionByNamespace } from './wsdl-ports.ts';

/** Elements with their namespace only if it is not `namespace`; null: with none. */
export const simplyNamed = (elements: readonly DescribedElement[], namespace: string | null): DescribedElement[] =>
  elements.map(({ namespace: own, fields, ...element }) => ({
    ...element,
    ...(fields ? { fields: simplyNamed(fields, namespace) } : {}),
    ...(namespace === null || own === undefined || own === namespace ? {} : { namespace: own }),
  }));

/** The family has 50, and a data-set twin of most. */
const mostOperations = 1000;

/** Reads the operations of ports; one offered by several ports is one operation with an action for each version. */
export class OperationReader {
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
      (child) => child.local === 'binding' && versionByNamespace.has(child.namespace),
    );
    const abstracts = new Map(
      childrenNamed(portType, wsdlNamespace, 'operation').map((item) => [item.attributes.name ?? '', item]),
    );
    for (const bound of childrenNamed(binding, wsdlNamespace, 'operation')) {
      const name = bound.attributes.name ?? '';
      const soap = bound.children.find(
        (child) => child.local === 'operation' && versionByNamespace.has(child.namespace),
      );
      const existing = this.operations.get(name);
      const action = soap?.attributes.soapAction?.trim() ?? '';
      if (existing) {
        existing.actions[soapVersion] ??= action;
        continue;
      }
      if (this.operations.size >= mostOperations) throw new RangeError('The description names too many operations.');
      const abstract = abstracts.get(name);
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
      ...(output === undefined || output.name.namespace === input?.name.namespace
        ? {}
        : { responseNamespace: output.name.namespace }),
      result: simplyNamed(resultFields, output?.name.namespace ?? null)[0] ?? null,
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

/** The integration guide's postcode request, recognised by its shape: the specification gives it no name. */
function isGuideRequest(request: readonly DescribedElement[]): boolean {
  return request.length === 2 && ['ApiKey', 'Postcode'].every((name) => request.some((field) => field.name === name));
}
