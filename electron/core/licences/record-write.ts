import type { LicenceChange } from '../../../shared/domain/licence-change.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { Result } from '../../../shared/result.ts';
import { isoNow } from './change-deps.ts';
import { type ChangeRun, record, withStep } from './change-record.ts';
import type { LicenceAnswer } from './licence-calls.ts';
import { readServiceWords } from './service-words.ts';

const stepOf = ({ steps }: LicenceChange, number: number) => steps.find((step) => step.number === number);

/** Journals that a step's write is about to leave: nothing may be sent before this has returned. `more` changes the change besides. */
export function recordSending(run: ChangeRun, number: number, about: string, more: Partial<LicenceChange> = {}): void {
  const running = { state: 'running', startedAt: isoNow(run.deps.ctx), durationMs: null, result: null } as const;
  record(
    run,
    'sending',
    `${stepOf(run.change, number)?.operation}: ${about}`,
    { ...more, steps: withStep(run.change, number, running), verdict: null },
    { step: number },
  );
}

/** Journals what came back of it: the service's own words, which prove nothing, or that no usable answer came. */
export function recordAnswer(
  run: ChangeRun,
  number: number,
  answer: Result<Pick<LicenceAnswer<string>, 'value' | 'durationMs'>>,
): void {
  const { redact, now } = run.deps.ctx;
  const step = stepOf(run.change, number);
  const words = answer.ok ? readServiceWords(answer.value.value, redact) : null;
  const text = answer.ok ? `the service returned “${words}”` : describeError(answer.error, redact);
  const durationMs = answer.ok ? answer.value.durationMs : Math.max(0, now() - Date.parse(step?.startedAt ?? ''));
  const state = answer.ok ? 'done' : isUnanswered(answer.error) ? 'unknown' : 'failed';
  record(
    run,
    'answered',
    `${step?.operation}: ${text}`,
    {
      steps: withStep(run.change, number, { state, durationMs, result: text }),
      serviceText: [...run.change.serviceText, ...(words === null ? [] : [words])],
    },
    { step: number },
  );
}

/** No complete answer came, so what the service did is not known from it. */
export const isUnanswered = (error: AppError): boolean => error.charge === 'may-have-been-charged';

function describeError(error: AppError, redact: (text: string) => string): string {
  const words = readServiceWords(error.detail ?? '', redact);
  const said = words === '' ? error.message : `${error.message} (${words})`;
  return isUnanswered(error) ? `no usable answer: ${said}` : said;
}
