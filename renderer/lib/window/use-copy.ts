import { useCallback, useEffect, useState } from 'react';
import { mostCopied } from '../../../shared/domain/text/csv.ts';
import { appError } from '../../../shared/errors.ts';
import { call } from '../calls/bridge.ts';
import { CallError, errorOf } from '../calls/errors.ts';
import { announce } from './announce.ts';

/** The result of a copy: "Copied the details", or why not. */
export interface Copied {
  text: string;
  failed: boolean;
}

const shownMs = 4000;

interface Copy {
  /** What to show beside the button; null: nothing. A failure stays until the next copy. */
  copied: Copied | null;
  /** Has the main process put `text` on the clipboard and says "Copied {what}". */
  copy: (text: string | Promise<string>, what: string) => void;
  /** The same for what main copies or saves by itself: `ask` resolves with what to say, `failed` begins the sentence if it rejects. */
  report: (ask: () => Promise<string>, failed: string) => void;
  /** Clears `copied`: what was copied is no longer what the screen shows. */
  clear: () => void;
}

/** Copies through the main process, since the window has no clipboard of its own, and shows and announces the result. */
export function useCopy(): Copy {
  const [copied, setCopied] = useState<Copied | null>(null);
  useEffect(() => {
    if (!copied || copied.failed) return;
    const timer = setTimeout(() => setCopied(null), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);

  const report = useCallback((ask: () => Promise<string>, failed: string) => {
    const show = (text: string, isFailure: boolean) => {
      setCopied({ text, failed: isFailure });
      announce(text, isFailure);
    };
    ask().then(
      (text) => show(text, false),
      (thrown: unknown) => show(`${failed}: ${errorOf(thrown).message}`, true),
    );
  }, []);
  const copy = useCallback(
    (text: string | Promise<string>, what: string) =>
      report(async () => {
        const ready = await text;
        if (ready.length > mostCopied)
          throw new CallError(appError('bad-input', { message: 'too long for the clipboard' }));
        await call('app.copy-text', { text: ready });
        return `Copied ${what}`;
      }, 'Not copied'),
    [report],
  );
  const clear = useCallback(() => setCopied(null), []);
  return { copied, copy, report, clear };
}
