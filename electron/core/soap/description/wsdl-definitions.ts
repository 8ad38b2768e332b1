import { childrenNamed, keyOf, type NamedElement, type QualifiedName } from '../xml/names.ts';
import { wsdlNamespace } from './wsdl-documents.ts';

/** The named definitions of all documents of a description, by namespace and name. */
export interface Definitions {
  messages: Map<string, NamedElement>;
  portTypes: Map<string, NamedElement>;
  bindings: Map<string, NamedElement>;
  ports: NamedElement[];
}

export function indexDefinitions(documents: readonly NamedElement[]): Definitions {
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

/** A referenced definition; if a document does not declare its prefixes, the local name is used. */
export function lookUp(map: ReadonlyMap<string, NamedElement>, name: QualifiedName): NamedElement | undefined {
  return map.get(keyOf(name)) ?? [...map.values()].find((element) => element.attributes.name === name.local);
}
