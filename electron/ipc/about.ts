import { readFile } from 'node:fs/promises';
import { type aboutChannels, packageLicenceSchema } from '../../shared/contract/about.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok } from '../../shared/result.ts';
import type { HandlersOf } from './dispatcher.ts';
import type { Shell } from './shell.ts';

/** What the program says about itself beyond app.info. Errors: `internal` if the build left no list of licences. */
export function aboutHandlers({ licencesFile }: Shell): HandlersOf<typeof aboutChannels> {
  return {
    'about.licences': async () => {
      try {
        const text = await readFile(licencesFile ?? '', 'utf8');
        return ok({ licences: packageLicenceSchema.array().parse(JSON.parse(text)) });
      } catch (error) {
        return fail(
          appError('internal', {
            message: 'The list of licences could not be read.',
            next: 'It is also beside the program, in THIRD-PARTY-LICENCES.txt.',
            charge: 'not-applicable',
            detail: String(error),
          }),
        );
      }
    },
  };
}
