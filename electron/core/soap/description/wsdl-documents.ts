import type { DescriptionNote } from '../../../../shared/domain/service-description.ts';
import type { Result } from '../../../../shared/result.ts';
import { childrenNamed, type NamedElement, parseNamed } from '../xml/names.ts';
import { schemaNamespace } from './schema.ts';

export const wsdlNamespace = 'http://schemas.xmlsoap.org/wsdl/';

/** Fetches one more document of a description. Refuses what is not of the description's own origin ('wrong-origin'). */
export type LoadDocument = (location: string) => Promise<Result<string>>;

/** A description is a handful of documents; more is a loop with changing addresses. */
const documentLimit = 64;
const depthLimit = 8;

export interface DescriptionDocuments {
  definitions: NamedElement[];
  /** `adopted`: the namespace of the schema that included it. */
  schemas: { element: NamedElement; adopted: string }[];
}

const resolveLocation = (location: string, base: string): string => URL.parse(location, base)?.href ?? location;

/** Follows `import` and `include` from a root document. Each location is read once; what cannot be followed is noted. */
export async function collectDocuments(
  root: NamedElement,
  base: string,
  load: LoadDocument | undefined,
  notes: DescriptionNote[],
): Promise<DescriptionDocuments> {
  const documents: DescriptionDocuments = { definitions: [], schemas: [] };
  const seen = new Set<string>([base]);

  const follow = async (location: string, from: string, adopted: string, depth: number): Promise<void> => {
    const target = resolveLocation(location, from);
    if (seen.has(target)) return;
    if (seen.size >= documentLimit || depth >= depthLimit) {
      notes.push({ kind: 'import-refused', subject: target, detail: 'The description refers to too many documents.' });
      return;
    }
    seen.add(target);
    const text = await load?.(target);
    if (text === undefined || (!text.ok && ['wrong-origin', 'insecure-address'].includes(text.error.code))) {
      notes.push({ kind: 'import-refused', subject: target, detail: 'It is not of the description’s own origin.' });
      return;
    }
    const parsed = text.ok ? parseNamed(text.value) : text;
    if (!parsed.ok) {
      notes.push({ kind: 'import-failed', subject: target, detail: parsed.error.detail ?? parsed.error.message });
      return;
    }
    await visit(parsed.value, target, adopted, depth + 1);
  };

  const visitSchema = async (schema: NamedElement, from: string, adopted: string, depth: number): Promise<void> => {
    documents.schemas.push({ element: schema, adopted });
    const own = schema.attributes.targetNamespace ?? adopted;
    for (const child of schema.children) {
      const location = child.attributes.schemaLocation;
      if (child.namespace !== schemaNamespace || location === undefined) continue;
      if (child.local === 'import') await follow(location, from, child.attributes.namespace ?? '', depth);
      else if (child.local === 'include' || child.local === 'redefine') await follow(location, from, own, depth);
    }
  };

  const visit = async (element: NamedElement, from: string, adopted: string, depth: number): Promise<void> => {
    if (element.namespace === schemaNamespace && element.local === 'schema')
      return visitSchema(element, from, adopted, depth);
    if (element.namespace !== wsdlNamespace || element.local !== 'definitions') return;
    documents.definitions.push(element);
    for (const types of childrenNamed(element, wsdlNamespace, 'types')) {
      for (const schema of childrenNamed(types, schemaNamespace, 'schema')) await visitSchema(schema, from, '', depth);
    }
    for (const imported of childrenNamed(element, wsdlNamespace, 'import')) {
      if (imported.attributes.location !== undefined) await follow(imported.attributes.location, from, '', depth);
    }
  };

  await visit(root, base, '', 0);
  return documents;
}
