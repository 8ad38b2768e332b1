import { useCallback, useEffect, useState } from 'react';
import { announce } from '../../app/announce.tsx';
import { errorOf } from './error-of.ts';

export interface Copied {
  text: string;
  failed: boolean;
}

/** Copies by asking the main process, and says for a moment what was copied or why it was not. */
export function useCopy(): { copied: Copied | null; copy: (what: string, ask: () => Promise<unknown>) => void } {
  const [copied, setCopied] = useState<Copied | null>(null);
  useEffect(() => {
    if (!copied || copied.failed) return;
    const timer = setTimeout(() => setCopied(null), 4000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = useCallback((what: string, ask: () => Promise<unknown>) => {
    const say = (text: string, failed: boolean) => {
      setCopied({ text, failed });
      announce(text, failed);
    };
    ask().then(
      () => say(`Copied ${what}`, false),
      (thrown: unknown) => say(`Not copied: ${errorOf(thrown).message}`, true),
    );
  }, []);
  return { copied, copy };
}
