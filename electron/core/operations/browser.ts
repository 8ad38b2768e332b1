import { ok, type Result } from '../../../shared/result.ts';
import type { Browsed, BrowseJob, createShelf, Questions, Replies, Source } from '../decode/browse/browse.ts';
import type { Decoder } from '../decode/decoder.ts';
import { loadPart } from '../load-part.ts';

/** Small answers are opened here; large ones in the worker, which keeps them: only what is requested crosses. */
export function createBrowser(decoder: Pick<Decoder, 'run' | 'isFar' | 'release'>) {
  let here: ReturnType<typeof createShelf> | undefined;

  async function browseHere(job: BrowseJob): Promise<Result<Browsed>> {
    const loaded = await loadPart(() => import('../decode/browse/browse.ts'));
    if (!loaded.ok) return loaded;
    here ??= loaded.value.createShelf();
    return ok(here.ask(job));
  }

  async function ask<Q extends keyof Questions>(
    key: string,
    question: Questions[Q],
    /** Of the text that the source is made from. */
    length: number,
    source: () => Promise<Result<Source>>,
  ): Promise<Result<Replies[Q]>> {
    const asked = { key, question };
    const far = decoder.isFar(length);
    const browse = async (job: BrowseJob): Promise<Result<Browsed>> =>
      far ? decoder.run('browse', job) : browseHere(job);
    const first = await browse(asked);
    if (!first.ok) return first;
    if (first.value !== undefined) return first.value as Result<Replies[Q]>;
    const made = await source();
    if (!made.ok) return made;
    const second = await browse({ ...asked, source: made.value });
    return second.ok ? (second.value as Result<Replies[Q]>) : second;
  }

  return {
    ask,
    /** Of what is open under these names, or under one of them and a `/`, nothing is left. */
    release(names: readonly string[]): void {
      here?.release(names);
      decoder.release(names);
    },
  };
}

export type Browser = ReturnType<typeof createBrowser>;
