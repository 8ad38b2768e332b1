import type { BatchWait } from '../../../../shared/domain/batch.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { isoNow } from '../../../ports.ts';
import type { CallContext } from '../../calls/caller.ts';
import type { Ask, FileRow } from '../store/batch-records.ts';
import { createFreeCalls } from './free-calls.ts';
import { readFailure } from './outcome.ts';
import type { createPacer } from './pacer.ts';
import type { Content, Stage } from './questions.ts';
import type { RunnerParts } from './runner-parts.ts';
import { mostAlike, serviceWords, waitAfterError, waitAfterFall } from './waits.ts';

/** In milliseconds, before each time that a question is asked again after 429, which is no more often. A Retry-After takes its place. */
const waitsAfter429 = [5000, 30_000];
/** In milliseconds, one after the other; then a minute each. */
const waitsWithoutNetwork = [2000, 5000, 15_000];

/**
 * What came of a question. later: nothing left, or 429 came, and it is asked when that is possible. stopped-row: the key or the account was
 * refused, and it may be asked again once a person has dealt with that.
 */
export type RowOutcome =
  | { is: 'answered'; ask: Ask; content: Content }
  | { is: 'unknown' | 'refused'; ask: Ask }
  | { is: 'later' }
  | { is: 'stopped-row'; ask: Ask };

/**
 * Answers the questions of a batch: from what is saved, otherwise by one call, whose question is on disk before it leaves. Whatever speaks
 * against continuing is passed to `waitFor`.
 */
export function createRowCaller(
  parts: Pick<
    RunnerParts,
    | 'batchId'
    | 'connectionId'
    | 'terms'
    | 'file'
    | 'questions'
    | 'clock'
    | 'findMove'
    | 'findOverrun'
    | 'ledgerNow'
    | 'sampleBalance'
    | 'claimsOf'
    | 'onChange'
  >,
  pacer: ReturnType<typeof createPacer>,
  waitFor: (wait: BatchWait) => void,
  /** Whether a call may be made now; if not, only saved answers are used. */
  mayCall: () => boolean,
) {
  const { batchId, connectionId, terms, file, questions, clock } = parts;
  const underWay = new Map<number, Promise<RowOutcome>>();
  let alike = { code: '', times: 0 };
  /** Those that an answer has shown to be at their address. */
  const answering = new Set<Stage>();
  let withoutNetwork = 0;
  const freeCalls = createFreeCalls({
    clock,
    sampleBalance: parts.sampleBalance,
    onSample: (isFirst) => checkOverrun(null, !isFirst),
  });

  function waitAfter(kind: BatchWait['kind'], code: string, row: FileRow, error: AppError, isAlike = false): void {
    const claims = error.callId === undefined ? [] : parts.claimsOf(error.callId);
    waitFor(waitAfterError(kind, code, row.row, error, claims, isAlike));
  }

  /** Rows that need the same question meanwhile get the same answer. */
  function answer(id: number, row: FileRow): Promise<RowOutcome> {
    const running = underWay.get(id);
    if (running) return running;
    const asking = answerOnce(id, row).finally(() => underWay.delete(id));
    underWay.set(id, asking);
    return asking;
  }

  async function answerOnce(id: number, row: FileRow): Promise<RowOutcome> {
    const ask = file.ask(id);
    if (ask.state === 'answered')
      return { is: 'answered', ask, content: JSON.parse(ask.content ?? '{"kind":"nothing"}') };
    if (ask.state === 'unknown' || ask.state === 'refused') return { is: ask.state, ask };
    const moved = parts.findMove();
    if (moved) return unsent(row, moved);
    const stage = ask.stage as Stage;
    const saved = await questions.find(connectionId, stage, ask.text);
    if (!saved.ok) return unsent(row, saved.error);
    if (saved.value) {
      const { content, at } = saved.value;
      file.endAsk(id, { state: 'answered', source: 'saved', at, least: 0, most: 0, content: JSON.stringify(content) });
      return { is: 'answered', ask: file.ask(id), content };
    }
    if (!mayCall()) return { is: 'later' };
    if (questions.priceOf(stage) === 0) await freeCalls.before();
    return (await pacer.turn()) ? send(ask, stage, row) : { is: 'later' };
  }

  async function send(ask: Ask, stage: Stage, row: FileRow): Promise<RowOutcome> {
    const { id } = ask;
    const moved = parts.findMove();
    if (moved) return unsent(row, moved);
    const price = questions.priceOf(stage);
    const isInLedger = price > 0 && stage === 'search';
    file.markAsked(id, row.row, isoNow(clock), price, !isInLedger, parts.ledgerNow());
    parts.onChange();
    const context: CallContext = {
      logAs: `row ${row.row} of batch ${batchId.slice(0, 8)}`,
      keyLabel: terms.keyLabel ?? undefined,
      batch: { id: batchId, ask: id, limit: terms.limit, lost: file.lost(), minimumBalance: terms.minimumBalance },
    };
    if (price === 0) freeCalls.count();
    const { sent, answered } = await questions.ask(connectionId, stage, ask.text, context);
    const credits = sent ? price : 0;
    if (!answered.ok) return failed(ask, row, answered.error, { sent, credits });
    const { content, callId } = answered.value;
    const text = JSON.stringify(content);
    const at = isoNow(clock);
    const end = { state: 'answered', source: 'asked', at, callId, isOwn: sent, content: text } as const;
    file.endAsk(id, { ...end, least: credits, most: credits });
    networkAnswers();
    goesWell(stage);
    checkOverrun(row.row);
    return { is: 'answered', ask: file.ask(id), content };
  }

  /** `credits`: what the call counts for. */
  function failed(
    ask: Ask,
    row: FileRow,
    error: AppError,
    { sent, credits }: { sent: boolean; credits: number },
  ): RowOutcome {
    const { id } = ask;
    const stage = ask.stage as Stage;
    const failure = readFailure(error);
    const at = isoNow(clock);
    if (failure.is === 'unsent') {
      file.endAsk(id, { state: 'waiting', at, least: 0, most: 0 });
      if (failure.kind !== null || error.code === 'cancelled') return unsent(row, error);
      const ms = waitsWithoutNetwork[withoutNetwork] ?? 60_000;
      withoutNetwork += 1;
      pacer.backOff('network', ms, error.message);
      return { is: 'later' };
    }
    const end = {
      at,
      callId: error.callId ?? null,
      isOwn: sent,
      least: 0,
      most: credits,
      words: serviceWords(error),
    };
    if (failure.is !== 'unknown') networkAnswers();
    switch (failure.is) {
      case 'nothing': {
        const { is: kind, ...more } = failure;
        const content: Content = { kind, ...more };
        file.endAsk(id, {
          ...end,
          state: 'answered',
          source: 'asked',
          code: 'none',
          content: JSON.stringify(content),
        });
        // Of a server without such a page all rows would read so: it is a failure until the page has answered.
        if (failure.status === undefined || answering.has(stage)) goesWell(stage);
        else countAlike(`not-found-${failure.status}`, row, error);
        return { is: 'answered', ask: file.ask(id), content };
      }
      case 'again': {
        const wait = waitsAfter429[ask.tries];
        const isLast = wait === undefined;
        file.endAsk(id, { ...end, state: isLast ? 'refused' : 'waiting', isTry: !isLast, code: 'refused-429' });
        if (!isLast) {
          pacer.backOff('rate-limited', failure.afterMs ?? wait, error.message);
          return { is: 'later' };
        }
        countAlike('refused-429', row, error);
        return { is: 'refused', ask: file.ask(id) };
      }
      case 'person':
        // After a refusal of key or account it may be asked again, once a person has dealt with it.
        file.endAsk(id, { ...end, state: 'waiting', code: failure.code });
        waitAfter(failure.kind, failure.code, row, error);
        return { is: 'stopped-row', ask: file.ask(id) };
      default:
        file.endAsk(id, { ...end, state: failure.is, code: failure.code });
        countAlike(failure.code, row, error);
        return { is: failure.is, ask: file.ask(id) };
    }
  }

  /** Nothing left this computer: what the program or a person must deal with first. */
  function unsent(row: FileRow, error: AppError): RowOutcome {
    const failure = readFailure(error);
    if (failure.is === 'unsent' && failure.kind !== null) waitAfter(failure.kind, failure.code, row, error);
    else if (error.code !== 'cancelled') waitAfter('storage', error.code, row, error);
    return { is: 'later' };
  }

  function goesWell(stage: Stage): void {
    answering.add(stage);
    alike = { code: '', times: 0 };
  }

  /** A complete answer came, whatever it says. */
  function networkAnswers(): void {
    withoutNetwork = 0;
    pacer.recovered();
  }

  function countAlike(code: string, row: FileRow, error: AppError): void {
    alike = { code, times: alike.code === code ? alike.times + 1 : 1 };
    if (alike.times >= mostAlike) waitAfter('refused', code, row, error, true);
  }

  /** Whether the balance has fallen by more than the calls account for since the last look. */
  function checkOverrun(row: number | null, hasFreeCalls = freeCalls.sent() > 0): void {
    const found = parts.findOverrun(hasFreeCalls);
    if (found.ok && found.value) waitFor(waitAfterFall(row, found.value, freeCalls.sent()));
  }

  return {
    answer,
    unsent,
    endFree: freeCalls.end,
    underWay: (): Iterable<Promise<RowOutcome>> => underWay.values(),
  };
}
