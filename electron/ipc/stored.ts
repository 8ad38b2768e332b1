import type { storedChannels } from '../../shared/contract/stored.ts';
import { mapResult } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { thinAfterDays } from '../core/upkeep/thin-readings.ts';
import type { HandlersOf } from './dispatcher.ts';

export function storedHandlers({ upkeep, emit }: AppCore): HandlersOf<typeof storedChannels> {
  return {
    'stored.sizes': async () =>
      mapResult(await upkeep.measure(), (sizes) => ({ ...sizes, keptReadingDays: thinAfterDays })),
    'stored.tidy': (_, { signal, requestId }) =>
      upkeep.tidyNow({ signal, onProgress: (progress) => emit('stored.progress', { requestId, ...progress }) }),
  };
}
