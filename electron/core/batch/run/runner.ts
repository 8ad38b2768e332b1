import { setImmediate as turn } from 'node:timers/promises';
import { isGeoData, postcodeOf } from '../../../../shared/domain/address/address.ts';
import type { BatchWait } from '../../../../shared/domain/batch.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { StorageFailure } from '../../storage/database/errors.ts';
import { neededOf } from '../plan/plan.ts';
import {
  absentIn,
  broughtBy,
  type PremiseCall,
  type PremiseField,
  premiseSteps,
  protocolOf,
  shapesFrom,
} from '../plan/premise-steps.ts';
import type { Ask, FileRow, RowChange } from '../store/batch-records.ts';
import { type GivenRow, type Judged, judgePremise, judgeSearch, sortAnswers } from './judge.ts';
import { createPacer } from './pacer.ts';
import { type Content, fieldsIn } from './questions.ts';
import { recoverQuestions } from './recover.ts';
import { createRowCaller, type RowOutcome } from './row-caller.ts';
import { createRowQueue } from './row-queue.ts';
import type { RunnerParts } from './runner-parts.ts';
import { mostAlike, waitAfterStrangers, waitForStorage } from './waits.ts';

type RunEnd = { is: 'done' } | { is: 'paused' } | { is: 'waiting'; wait: BatchWait };

export type Runner = ReturnType<typeof createRunner>;

/** The most rows worked on at once; how much is in flight is up to the rate. */
const mostLanes = 8;
/** Rows judged before main yields to everything else. */
const rowsInOneTurn = 50;

/**
 * Runs the rows of one batch: saved answers first, then the questions of its plan, each once. A question's progress is on disk before it
 * leaves; the limit is checked in the transaction that releases it. Anything wrong with key, credits or limit ends the run. `run` is called
 * once and never rejects; the file stays open.
 */
export function createRunner(parts: RunnerParts) {
  const { connectionId, kind, wants, terms, file, questions, clock, pauses } = parts;
  const stop = new AbortController();
  const waiting = new AbortController();
  const ended = AbortSignal.any([stop.signal, waiting.signal]);
  let wait: BatchWait | null = null;
  const queue = createRowQueue(file);
  const pacer = createPacer({
    rate: terms.rate,
    clock,
    pauses,
    signal: ended,
    onBackoff: parts.onBackoff,
  });
  /** Saved answers come first: nothing is sent meanwhile. */
  let isCalling = false;
  const waitFor = (found: BatchWait): void => {
    wait ??= found;
    // Who waits for the end of a Retry-After need not wait any longer: nothing more is sent.
    waiting.abort();
    parts.onChange();
  };
  const rowCaller = createRowCaller(parts, pacer, waitFor, () => isCalling);
  /** Answers about the number of a premise in another postcode, since one was about the premise itself. */
  let strangers = 0;

  /** Ends the rows of a question that brought no answer. */
  function endRows(row: FileRow, asked: Extract<RowOutcome, { ask: Ask }>): void {
    const { ask } = asked;
    const progress = asked.is === 'unknown' ? 'unknown' : asked.is === 'stopped-row' ? 'stopped' : 'failed';
    const text = asked.is === 'unknown' ? '' : formatRefused(ask);
    const rows = ask.id === row.ask && asked.is !== 'stopped-row' ? file.openOfAsk(ask.id) : [row];
    file.transaction(() => {
      for (const one of rows) {
        const isFirst = one.row === ask.row;
        file.changeRow(one.row, {
          progress,
          reason: ask.code,
          text,
          source: isFirst ? 'asked' : 'same',
          at: ask.at,
          callId: ask.callId,
        });
      }
    });
  }

  /** Ends a row with what was found. */
  function finish(row: FileRow, change: RowChange, sources: readonly Ask[], savedAt: string | null): void {
    const own = sources.find((ask) => ask.row === row.row && ask.source === 'asked');
    const shared = sources.find((ask) => ask.source === 'asked');
    const saved = sources.find((ask) => ask.source === 'saved');
    file.changeRow(row.row, {
      ...change,
      source: own ? 'asked' : shared ? 'same' : 'saved',
      at: own?.at ?? shared?.at ?? saved?.at ?? savedAt,
      callId: own?.callId ?? shared?.callId ?? null,
    });
  }

  const givenOf = (row: FileRow): GivenRow => JSON.parse(row.understood) as GivenRow;

  /** The plan counted an address only for rows that name a flat. */
  function judgeRow(row: FileRow, content: Content): Judged {
    const judged = judgeSearch(givenOf(row), content, wants);
    return { ...judged, needsAddress: judged.needsAddress && row.flat };
  }

  const needOf = (judged: Judged): PremiseField[] =>
    judged.premiseId === null ? [] : neededOf(kind, wants, judged.needsAddress);

  /** All rows of a question, or one that has its identifier already. */
  async function work(row: FileRow): Promise<void> {
    if (row.ask === null) return workPremise(row, judgeRow(row, { kind: 'nothing' }), []);
    const asked = await rowCaller.answer(row.ask, row);
    if (asked.is === 'later') return putBack(row);
    if (asked.is !== 'answered') return endRows(row, asked);
    for (let after = 0; ; ) {
      const rows = file.openOfAsk(row.ask, after);
      const last = rows.at(-1);
      if (!last) return;
      after = last.row;
      const further: { one: FileRow; judged: Judged }[] = [];
      for (let from = 0; from < rows.length; from += rowsInOneTurn) {
        file.transaction(() => {
          for (const one of rows.slice(from, from + rowsInOneTurn)) {
            const judged = judgeRow(one, asked.content);
            if (needOf(judged).length === 0) finish(one, judged.change, [asked.ask], null);
            else further.push({ one, judged });
          }
        });
        await turn();
      }
      parts.onChange();
      for (const { one, judged } of further) {
        if (stop.signal.aborted) return putBack(row);
        await workPremise(one, judged, [asked.ask]);
        if (isCalling && file.row(one.row)?.progress === 'waiting') return putBack(row);
      }
    }
  }

  /** Asks what is wanted of one premise and not yet known, by the cheapest calls; each at most once per batch. */
  async function workPremise(row: FileRow, judged: Judged, sources: readonly Ask[]): Promise<void> {
    const { premiseId } = judged;
    if (premiseId === null) return;
    const used: Ask[] = [...sources];
    const answered = new Set<PremiseCall>();
    let missing: Extract<Content, { kind: 'nothing' }> | null = null;
    const unable = (error: AppError): void => {
      rowCaller.unsent(row, error);
      putBack(row);
    };
    for (;;) {
      const moved = parts.findMove();
      if (moved) return unable(moved);
      const known = await questions.premise(connectionId, premiseId);
      if (!known.ok) return unable(known.error);
      const server = questions.server(connectionId);
      if (!server.ok) return unable(server.error);
      const answers = [...used.flatMap(premiseIn), ...known.value].toSorted(
        (a, b) => Number(isGeoData(a.address)) - Number(isGeoData(b.address)),
      );
      const { own, stranger } = sortAnswers(givenOf(row), judged, answers);
      const isStranger = (call: PremiseCall) => stranger?.origin.interface === protocolOf(call);
      const { shapes, premise } = server.value;
      // What answered calls return, even if empty, is not asked for again; where the shape could not be stored, all that they may return.
      const covered = [...answered].flatMap((call) =>
        isStranger(call) ? [] : shapesFrom(shapes).flatMap((one) => broughtBy(call, one)),
      );
      const has = new Set<PremiseField>([...fieldsIn(own.map(({ address }) => address)), ...covered]);
      const absent = absentIn(shapes);
      const need = needOf(judged).filter((field) => !has.has(field) && !absent.includes(field));
      // If no call is possible any more, as without its key, the cheapest is tried all the same: it fails before it leaves, and says why.
      const steps =
        missing !== null || need.length === 0
          ? []
          : (premiseSteps(need, shapes, premise) ?? premiseSteps(need, shapes, questions.published));
      const next = steps?.find((call) => !answered.has(call) && !isStranger(call));
      if (next === undefined) {
        const met = need.length > 0 ? stranger : undefined;
        finish(row, judgePremise(givenOf(row), judged, own, missing, met), used, known.value[0]?.at ?? null);
        if (met) strangers += 1;
        else if (own.some(({ address }) => postcodeOf(address) !== '')) strangers = 0;
        if (strangers >= mostAlike) waitFor(waitAfterStrangers(row.row));
        parts.onChange();
        return;
      }
      const ask = file.askFor(`${next} ${premiseId}`, next, premiseId);
      const asked = await rowCaller.answer(ask.id, row);
      if (asked.is === 'later') return putBack(row);
      if (asked.is !== 'answered') return endRows(row, asked);
      answered.add(next);
      used.push(asked.ask);
      if (asked.content.kind === 'nothing') missing = asked.content;
    }
  }

  /** Its question was not asked now: it waits. */
  function putBack(row: FileRow): void {
    file.backToWaiting(row.row);
    parts.onChange();
  }

  /** Ends every row whose answers are saved, whoever asked for them. Free. */
  async function answerSaved(): Promise<void> {
    const searches = questions.savedSearches(connectionId);
    const premises = questions.savedPremises(connectionId);
    const rows = function* (): Generator<FileRow | undefined> {
      for (const [key, text] of searches.ok ? searches.value : []) {
        // In the file of an earlier version the text is the key.
        const ask = file.askByKey(`search ${key}`) ?? file.askByKey(`search ${text}`);
        yield ask && file.openOfAsk(ask.id)[0];
      }
      for (const id of premises.ok ? premises.value : []) {
        const row = file.firstWith(id);
        yield row === null ? undefined : file.row(row);
      }
    };
    let looked = 0;
    for (const row of rows()) {
      if (stop.signal.aborted) return;
      if (row?.progress === 'waiting') await work(row);
      looked += 1;
      if (looked % rowsInOneTurn === 0) await turn();
    }
  }

  async function lane(): Promise<void> {
    while (!ended.aborted) {
      const row = queue.next();
      if (row === null) return;
      if (row === 'later') {
        await queue.changed();
        continue;
      }
      try {
        await work(row);
      } finally {
        queue.release(row);
      }
      await turn();
    }
  }

  /** What became of the questions of a run that was killed, and of the rows that asked them. Sends nothing. Throws where SQLite does. */
  async function recover(): Promise<void> {
    const ended = await recoverQuestions(file, questions, clock, parts);
    if (parts.isLedgerOlder) {
      const counted = parts.countedByLedger();
      if (!counted.ok) throw new StorageFailure(counted.error);
      file.loseCalls(counted.value);
      file.seeLedger(parts.ledgerNow());
    }
    for (const id of ended) {
      const asked = file.ask(id).row;
      const row = asked === null ? undefined : file.row(asked);
      if (row?.progress === 'waiting') await work(row);
    }
  }

  async function run(): Promise<RunEnd> {
    let isLeft = true;
    try {
      await recover();
      // A stopped batch is continued: its stopped rows wait again.
      await file.goOn();
      // Only now: a row that was opened by a run that did not begin would be asked by the next one without its tick.
      if (parts.again && !stop.signal.aborted) await file.openAgain(parts.again);
      await answerSaved();
      isCalling = true;
      const lanes = Math.min(mostLanes, Math.max(1, Math.ceil(terms.rate * 2)));
      await Promise.all(Array.from({ length: lanes }, lane));
      await rowCaller.endFree();
      isLeft = file.left().rows > 0;
    } catch (cause) {
      stop.abort();
      await Promise.allSettled(rowCaller.underWay());
      wait ??= waitForStorage(cause);
    }
    if (wait !== null) return { is: 'waiting', wait };
    // Paused or stopped during its last calls: they have ended, and nothing is left to resume.
    return stop.signal.aborted && isLeft ? { is: 'paused' } : { is: 'done' };
  }

  return { run, recover, pause: (): void => stop.abort() };
}

const premiseIn = (ask: Ask) => {
  const content = JSON.parse(ask.content ?? '{"kind":"nothing"}') as Content;
  return content.kind === 'premise' ? [content] : [];
};

function formatRefused({ code, tries, words }: Ask): string {
  if (code === 'refused-429' && tries > 0) return `asked again after 429: ${tries}`;
  const status = code.replace('refused-', '');
  const said = words === '' ? '' : `: “${words.slice(0, 200)}”`;
  // A service that finds nothing may say so by them: it has refused nothing then.
  if (status === '404' || status === '410')
    return `the answer was ${status}, nothing was found or the server has no such page${said}`;
  return `refused (${status})${said}`;
}
