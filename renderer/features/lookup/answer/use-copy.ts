import { useCallback, useEffect, useState } from 'react';
import { call } from '../../../lib/calls/bridge.ts';
import { announce } from '../../../lib/window/announce.ts';
import { errorOf } from '../error-of.ts';

export interface Copied {
  text: string;
  failed: boolean;
}

const longest = 200_000;

/** Copies by asking the main process, and says for a moment what was copied or why it was not. */
export function useCopy(): { copied: Copied | null; copy: (text: string, what: string) => void } {
  const [copied, setCopied] = useState<Copied | null>(null);
  useEffect(() => {
    if (!copied || copied.failed) return;
    const timer = setTimeout(() => setCopied(null), 3000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = useCallback((text: string, what: string) => {
    const say = (words: string, failed: boolean) => {
      setCopied({ text: words, failed });
      announce(words, failed);
    };
    if (text.length > longest) {
      say('Not copied: too long for the clipboard', true);
      return;
    }
    call('app.copy-text', { text }).then(
      () => say(`Copied ${what}`, false),
      (thrown: unknown) => say(`Not copied: ${errorOf(thrown).message}`, true),
    );
  }, []);
  return { copied, copy };
}
