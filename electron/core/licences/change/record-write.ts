import type { ChangeWrite, LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { Result } from '../../../../shared/result.ts';
import { isoNow } from '../../../ports.ts';
import { isUnsent } from '../../calls/call-outcome.ts';
import { readServiceText } from '../../transport/redact/service-text.ts';
import { type ChangeRun, record, withStep } from './change-record.ts';
import type { StepPlan } from './change-steps.ts';
import type { LicenceAnswer } from './licence-calls.ts';

const stepOf = ({ steps }: LicenceChange, number: number) => steps.find((step) => step.number === number);

/** How long nothing is written again after a write (ms): twice the longest time-out that can be set. */
const holdMs = 10 * 60_000;

/** Journals that a step's write is about to leave: nothing may be sent before this has returned. `more` changes the change further, `refuse` as in `record`. */
export function recordSending(
  run: ChangeRun,
  number: number,
  { write, machine }: Pick<StepPlan & { does: 'write' }, 'write' | 'machine'>,
  about: string,
  more: Partial<LicenceChange> = {},
  refuse: () => AppError | null = () => null,
): void {
  const { ctx } = run.deps;
  const sentAt = isoNow(ctx);
  const running = { state: 'running', startedAt: sentAt, durationMs: null, result: null } as const;
  const sent: ChangeWrite = {
    step: number,
    write,
    machine,
    sentAt,
    endedAt: null,
    left: true,
    uptime: ctx.uptime(),
    holdMs,
  };
  const operation = stepOf(run.change, number)?.operation;
  record(
    run,
    'sending',
    `${operation}: ${about}`,
    {
      // What was said before it, that no change has been sent, is so no longer.
      conclusion: `Under way: ${operation} was begun.`,
      ...more,
      steps: withStep(run.change, number, running),
      writes: [...run.change.writes, sent],
      verdict: null,
    },
    { step: number, refuse },
  );
}

/** Journals what came back: the service's own words, which prove nothing, or that no usable answer came. */
export function recordAnswer(
  run: ChangeRun,
  number: number,
  answer: Result<Pick<LicenceAnswer<string>, 'value' | 'durationMs'>>,
): void {
  const { redact, now, uptime } = run.deps.ctx;
  const step = stepOf(run.change, number);
  const words = answer.ok ? readServiceText(answer.value.value, redact) : null;
  const text = answer.ok ? `the service returned “${words}”` : describeError(answer.error, redact);
  const durationMs = answer.ok ? answer.value.durationMs : Math.max(0, now() - Date.parse(step?.startedAt ?? ''));
  const state = answer.ok ? 'done' : isUnanswered(answer.error) ? 'unknown' : 'failed';
  // A licence write has no published price, so no error of one that was sent is made into “not charged” (`asFree`).
  const left = answer.ok || !isUnsent(answer.error);
  const ended = { endedAt: isoNow(run.deps.ctx), uptime: uptime(), left };
  record(
    run,
    'answered',
    `${step?.operation}: ${text}`,
    {
      steps: withStep(run.change, number, { state, durationMs, result: text }),
      writes: run.change.writes.with(-1, { ...(run.change.writes.at(-1) as ChangeWrite), ...ended }),
      serviceText: [...run.change.serviceText, ...(words === null ? [] : [words])],
    },
    { step: number },
  );
}

/** No complete answer came, so what the service did is not known from it. */
export const isUnanswered = (error: AppError): boolean => error.charge === 'may-have-been-charged';

/** With the service's own words, if it can have said any: the detail of what never left is the runtime's, and is in the call's log. */
function describeError(error: AppError, redact: (text: string) => string): string {
  const words = isUnsent(error) ? '' : readServiceText(error.detail ?? '', redact);
  const said = words === '' ? error.message : `${error.message} (${words})`;
  return isUnanswered(error) ? `no usable answer: ${said}` : said;
}
