import { useCallback, useEffect, useState } from 'react';
import { call } from '../../lib/calls/bridge.ts';
import { announce } from '../../lib/window/announce.ts';
import { errorOf } from './flow.ts';

export interface Copied {
  text: string;
  failed: boolean;
}

/** Copies by asking the main process, and says for a moment what was copied, or until the next time why it was not. */
export function useCopy(): { copied: Copied | null; copy: (text: string | Promise<string>, what: string) => void } {
  const [copied, setCopied] = useState<Copied | null>(null);
  useEffect(() => {
    if (!copied || copied.failed) return;
    const timer = setTimeout(() => setCopied(null), 3000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = useCallback((text: string | Promise<string>, what: string) => {
    const say = (words: string, failed: boolean) => {
      setCopied({ text: words, failed });
      announce(words, failed);
    };
    Promise.resolve(text)
      .then((ready) => call('app.copy-text', { text: ready }))
      .then(
        () => say(`Copied ${what}`, false),
        (thrown: unknown) => say(`Not copied: ${errorOf(thrown).message}`, true),
      );
  }, []);
  return { copied, copy };
}
