import type { ServiceDescription } from '../../../../shared/domain/service-description.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, type Result } from '../../../../shared/result.ts';
import { type ReadOptions, readDescriptionText } from './wsdl.ts';

/** A description as far as it has been fetched. Plain data: it may cross into the worker, which has no network. */
export interface Gathered {
  text: string;
  options: Omit<ReadOptions, 'load' | 'now'>;
  /** What it imports, by address: the text, or why there is none. */
  documents: [location: string, text: Result<string>][];
}

/** `wanted`: addresses to fetch before it can be parsed. */
export type ReadGathered = { wanted: string[] } | { wanted?: never; description: Result<ServiceDescription> };

/** Parses a description from what has been fetched of it. Errors: those of `readDescriptionText`. */
export async function readGathered({ text, options, documents }: Gathered): Promise<ReadGathered> {
  const known = new Map(documents);
  const wanted: string[] = [];
  const description = await readDescriptionText(text, {
    ...options,
    load: (location) => {
      const document = known.get(location);
      if (document === undefined) wanted.push(location);
      return Promise.resolve(document ?? fail(appError('http-error')));
    },
  });
  return wanted.length > 0 ? { wanted } : { description };
}
