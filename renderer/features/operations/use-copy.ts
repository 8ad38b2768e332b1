import { useCallback, useEffect, useState } from 'react';
import { announce } from '../../lib/window/announce.ts';
import { errorOf } from './error-of.ts';

export interface Copied {
  text: string;
  failed: boolean;
}

/** Has the main process copy or save something, and says for a moment what came of it or why nothing did. */
export function useCopy(): {
  copied: Copied | null;
  copy: (what: string, ask: () => Promise<unknown>) => void;
  /** `ask` resolves with what to say. */
  tell: (ask: () => Promise<string>, failed: string) => void;
} {
  const [copied, setCopied] = useState<Copied | null>(null);
  useEffect(() => {
    if (!copied || copied.failed) return;
    const timer = setTimeout(() => setCopied(null), 4000);
    return () => clearTimeout(timer);
  }, [copied]);
  const tell = useCallback((ask: () => Promise<string>, failed: string) => {
    const say = (text: string, isFailure: boolean) => {
      setCopied({ text, failed: isFailure });
      announce(text, isFailure);
    };
    ask().then(
      (text) => say(text, false),
      (thrown: unknown) => say(`${failed}: ${errorOf(thrown).message}`, true),
    );
  }, []);
  const copy = useCallback(
    (what: string, ask: () => Promise<unknown>) => tell(() => ask().then(() => `Copied ${what}`), 'Not copied'),
    [tell],
  );
  return { copied, copy, tell };
}
