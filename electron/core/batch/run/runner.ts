import { setImmediate as turn } from 'node:timers/promises';
import type { MoneyClaim } from '../../../../shared/claims/money-claims.ts';
import type { BatchWait, BatchWant } from '../../../../shared/domain/batch.ts';
import type { RowKind } from '../../../../shared/domain/text/table.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import type { Result } from '../../../../shared/result.ts';
import { type Clock, isoNow } from '../../../ports.ts';
import type { CallContext } from '../../calls/caller.ts';
import type { Pauses } from '../../licences/change/change-deps.ts';
import { neededOf } from '../plan/plan.ts';
import { absentIn, type PremiseCall, type PremiseField, premiseSteps } from '../plan/premise-steps.ts';
import type { Ask, BatchFile, FileRow, RowChange } from '../store/batch-file.ts';
import { type GivenRow, type Judged, judgePremise, judgeSearch } from './judge.ts';
import { readFailure } from './outcome.ts';
import { type Content, fieldsIn, type Questions, type Stage } from './questions.ts';

/** What a person lets the batch do. */
interface RunTerms {
  limit: number;
  minimumBalance: number | null;
  /** Calls a second. */
  rate: number;
  keyLabel: string | null;
}

/** Why nothing is sent for a while; it goes on by itself. */
export interface Hold {
  kind: 'network' | 'rate-limited';
  /** ISO 8601. */
  until: string;
  text: string;
}

export interface RunnerParts {
  batchId: string;
  connectionId: string;
  kind: RowKind;
  wants: readonly BatchWant[];
  terms: RunTerms;
  file: BatchFile;
  questions: Questions;
  clock: Clock;
  pauses: Pauses;
  /** The last call that may have left for a question; undefined: none did. */
  callOf(ask: number): Result<{ callId: string | null; ending: string | null } | undefined>;
  /** A fall of the balance beyond what the calls of the batch count for, since it was last looked; undefined: none. */
  findOverrun(): Result<{ title: string; claims: MoneyClaim[] } | undefined>;
  claimsOf(callId: string): MoneyClaim[];
  onChange(): void;
  onHold(hold: Hold | null): void;
}

export type RunEnd = { is: 'done' } | { is: 'paused' } | { is: 'waiting'; wait: BatchWait };

export type Runner = ReturnType<typeof createRunner>;

/** Failures alike, one after the other, after which a person should look. */
const mostAlike = 5;
/** A question is asked again so often at most after 429. */
const mostTries = 2;
/** Without a Retry-After, in milliseconds, one after the other. */
const waitsAfter429 = [5000, 30_000];
const waitsWithoutNetwork = [2000, 5000, 15_000, 60_000];
/** Rows under work at once, at most: what is in flight is the rate's business. */
const mostLanes = 8;
/** Rows judged before everything else in main gets its turn. */
const rowsInOneTurn = 50;

/** What came of a question. held: nothing left, and it is asked when it can be. */
type Asked =
  | { is: 'answered'; ask: Ask; content: Content }
  | { is: 'unknown' | 'refused'; ask: Ask }
  | { is: 'held' }
  | { is: 'stopped-row'; ask: Ask };

/**
 * Runs the rows of one batch: saved answers first, then the questions of its plan, each once. A question's progress is on the disk before
 * it leaves; the limit is checked in the transaction that lets it out. Whatever is found wrong with key, credits or limit ends the sending; rows
 * that need none of it are still answered.
 */
export function createRunner(parts: RunnerParts) {
  const { batchId, connectionId, kind, wants, terms, file, questions, clock, pauses } = parts;
  const stop = new AbortController();
  const busy = new Set<string>();
  /** Rows that need a call which cannot be made now. */
  const skipped = new Set<string>();
  const underWay = new Map<number, Promise<Asked>>();
  let cursor = 0;
  let wait: BatchWait | null = null;
  let alike = { code: '', times: 0 };
  let nextAt = 0;
  let heldUntil = 0;
  let withoutNetwork = 0;
  let freed: (() => void)[] = [];

  const keyOf = (row: FileRow): string => (row.ask === null ? `row ${row.row}` : `ask ${row.ask}`);

  /** The next row nobody works on; later: only such are left; null: none. */
  function claim(): FileRow | 'later' | null {
    let isFromStart = cursor === 0;
    for (;;) {
      const row = file.nextWaiting(cursor);
      if (row) {
        cursor = row.row;
        const key = keyOf(row);
        if (busy.has(key) || skipped.has(key)) continue;
        busy.add(key);
        return row;
      }
      if (busy.size > 0) return 'later';
      if (isFromStart) return null;
      cursor = 0;
      isFromStart = true;
    }
  }

  function release(row: FileRow): void {
    busy.delete(keyOf(row));
    // A row that was passed over while its question was under way stands before the cursor.
    cursor = Math.min(cursor, row.row - 1);
    const waiting = freed;
    freed = [];
    for (const one of waiting) one();
  }

  /** Waits for the rate, and for whatever holds the calls. False: nothing is to be sent. */
  async function pass(): Promise<boolean> {
    for (;;) {
      if (stop.signal.aborted || wait !== null) return false;
      const now = pauses.uptime();
      const at = Math.max(nextAt, heldUntil, now);
      if (at <= now) {
        nextAt = now + 1000 / terms.rate;
        return true;
      }
      if (heldUntil <= now) {
        // Its place in the row is taken now, so that lanes leave one after the other.
        nextAt = at + 1000 / terms.rate;
        await pauses.wait(at - now, stop.signal);
        if (heldUntil <= pauses.uptime()) return !stop.signal.aborted && wait === null;
      } else await pauses.wait(heldUntil - now, stop.signal);
    }
  }

  function hold(kindOf: Hold['kind'], ms: number, text: string): void {
    heldUntil = Math.max(heldUntil, pauses.uptime() + ms);
    parts.onHold({ kind: kindOf, until: new Date(clock.now() + ms).toISOString(), text });
  }

  function waitFor(found: BatchWait): void {
    wait ??= found;
    parts.onChange();
  }

  function ensure(id: number, row: FileRow): Promise<Asked> {
    const running = underWay.get(id);
    if (running) return running;
    const asking = settle(id, row).finally(() => underWay.delete(id));
    underWay.set(id, asking);
    return asking;
  }

  async function settle(id: number, row: FileRow): Promise<Asked> {
    const ask = file.ask(id);
    if (ask.state === 'answered')
      return { is: 'answered', ask, content: JSON.parse(ask.content ?? '{"kind":"nothing"}') };
    if (ask.state === 'unknown' || ask.state === 'refused') return { is: ask.state, ask };
    const stage = ask.stage as Stage;
    const saved = questions.find(connectionId, stage, ask.text);
    if (!saved.ok) return unsentBy(row, saved.error);
    if (saved.value) {
      const { content, at } = saved.value;
      file.endAsk(id, { state: 'answered', source: 'saved', at, least: 0, most: 0, content: JSON.stringify(content) });
      return { is: 'answered', ask: file.ask(id), content };
    }
    if (!(await pass())) return { is: 'held' };
    return send(ask, stage, row);
  }

  async function send(ask: Ask, stage: Stage, row: FileRow): Promise<Asked> {
    const { id } = ask;
    file.markAsked(id, row.row, isoNow(clock));
    parts.onChange();
    const context: CallContext = {
      logAs: `row ${row.row} of batch ${batchId.slice(0, 8)}`,
      keyLabel: terms.keyLabel ?? undefined,
      batch: { id: batchId, ask: id, limit: terms.limit, minimumBalance: terms.minimumBalance },
    };
    const price = questions.priceOf(stage);
    const answer = await questions.ask(connectionId, stage, ask.text, context);
    const at = isoNow(clock);
    if (answer.ok) {
      const { content, callId, sent } = answer.value;
      const credits = sent ? price : 0;
      file.endAsk(id, {
        state: 'answered',
        source: 'asked',
        at,
        callId,
        least: credits,
        most: credits,
        content: JSON.stringify(content),
      });
      calm();
      lookForOverrun(row);
      return { is: 'answered', ask: file.ask(id), content };
    }
    const { error } = answer;
    const failure = readFailure(error);
    const callId = error.callId ?? null;
    const words = error.detail ?? '';
    if (failure.is === 'unsent') {
      file.endAsk(id, { state: 'waiting', at, least: 0, most: 0 });
      if (failure.kind === null && error.code !== 'cancelled') {
        const ms = waitsWithoutNetwork[Math.min(withoutNetwork, waitsWithoutNetwork.length - 1)] ?? 60_000;
        withoutNetwork += 1;
        hold('network', ms, error.message);
        return { is: 'held' };
      }
      return unsentBy(row, error);
    }
    const base = { at, callId, least: 0, most: price, words };
    if (failure.is === 'nothing') {
      file.endAsk(id, {
        ...base,
        state: 'answered',
        source: 'asked',
        code: 'none',
        content: JSON.stringify({ kind: 'nothing' }),
      });
      calm();
      return { is: 'answered', ask: file.ask(id), content: { kind: 'nothing' } };
    }
    if (failure.is === 'again') {
      const isLast = ask.tries >= mostTries;
      file.endAsk(id, { ...base, state: isLast ? 'refused' : 'waiting', isTry: !isLast, code: 'refused-429' });
      const ms = failure.afterMs ?? waitsAfter429[Math.min(ask.tries, waitsAfter429.length - 1)] ?? 30_000;
      if (!isLast) {
        hold('rate-limited', ms, error.message);
        return { is: 'held' };
      }
      noteAlike('refused-429', row, error);
      return { is: 'refused', ask: file.ask(id) };
    }
    if (failure.is === 'unknown') {
      file.endAsk(id, { ...base, state: 'unknown', code: failure.code });
      noteAlike(failure.code, row, error);
      return { is: 'unknown', ask: file.ask(id) };
    }
    // After a word about key or account it may be asked again, when a person has seen to it.
    file.endAsk(id, { ...base, state: failure.is === 'person' ? 'waiting' : 'refused', code: failure.code });
    if (failure.is === 'person') {
      waitFor(sayWait(failure.kind, failure.code, row.row, error));
      return { is: 'stopped-row', ask: file.ask(id) };
    }
    noteAlike(failure.code, row, error);
    return { is: 'refused', ask: file.ask(id) };
  }

  function unsentBy(row: FileRow, error: AppError): Asked {
    const failure = readFailure(error);
    if (failure.is === 'unsent' && failure.kind !== null) waitFor(sayWait(failure.kind, failure.code, row.row, error));
    else if (error.code !== 'cancelled') waitFor(sayWait('storage', error.code, row.row, error));
    return { is: 'held' };
  }

  function calm(): void {
    alike = { code: '', times: 0 };
    if (withoutNetwork > 0 || heldUntil > 0) parts.onHold(null);
    withoutNetwork = 0;
    heldUntil = 0;
  }

  function noteAlike(code: string, row: FileRow, error: AppError): void {
    alike = { code, times: alike.code === code ? alike.times + 1 : 1 };
    if (alike.times >= mostAlike) waitFor(sayWait('refused', code, row.row, error));
  }

  function lookForOverrun(row: FileRow): void {
    const found = parts.findOverrun();
    if (!found.ok || !found.value) return;
    waitFor({
      kind: 'fell-more',
      row: row.row,
      title: found.value.title,
      claims: found.value.claims,
      serviceText: '',
      does: 'Waiting for you: look at the balance, then resume. Answered rows are not asked again.',
      code: 'fell-more',
      callId: null,
    });
  }

  function sayWait(of: BatchWait['kind'], code: string, row: number, error: AppError): BatchWait {
    return {
      kind: of,
      row,
      title: titleOf(of, row),
      claims: error.callId === undefined ? [] : parts.claimsOf(error.callId),
      serviceText: error.charge === 'not-charged' ? error.message : (error.detail ?? error.message),
      does: `Waiting for you: ${error.next.replace(/^./, (letter) => letter.toLowerCase())} Answered rows are not asked again.`,
      code,
      callId: error.callId ?? null,
    };
  }

  /** Ends the rows of a question that brought no answer. */
  function endRows(row: FileRow, asked: Extract<Asked, { ask: Ask }>): void {
    const { ask } = asked;
    const change: RowChange =
      asked.is === 'unknown'
        ? { progress: 'unknown', reason: ask.code === 'cut-off' ? 'cut-off' : 'sent-no-answer', text: '' }
        : asked.is === 'stopped-row'
          ? { progress: 'stopped', reason: ask.code, text: sayRefused(ask) }
          : { progress: 'failed', reason: ask.code, text: sayRefused(ask) };
    const rows = ask.id === row.ask && asked.is !== 'stopped-row' ? file.openOfAsk(ask.id) : [row];
    file.transaction(() => {
      for (const one of rows) {
        const isFirst = one.row === ask.row;
        const credits = file.creditsOfRow(one.row);
        file.changeRow(one.row, {
          ...change,
          ...credits,
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
      ...file.creditsOfRow(row.row),
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
    judged.premiseId === null ? [] : neededOf(kind, wants, [], judged.needsAddress);

  /** All rows of a question, or one that has its identifier already. */
  async function work(row: FileRow): Promise<void> {
    if (row.ask === null) return workPremise(row, judgeRow(row, { kind: 'nothing' }), []);
    const asked = await ensure(row.ask, row);
    if (asked.is === 'held') return putBack(row);
    if (asked.is !== 'answered') return endRows(row, asked);
    for (;;) {
      const rows = file.openOfAsk(row.ask);
      if (rows.length === 0) return;
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
        if (file.row(one.row)?.progress === 'waiting') return putBack(row);
      }
    }
  }

  /** Asks what of one premise is wanted and not known, by the cheapest calls; each at most once a batch. */
  async function workPremise(row: FileRow, judged: Judged, sources: readonly Ask[]): Promise<void> {
    const { premiseId } = judged;
    if (premiseId === null) return;
    const used: Ask[] = [...sources];
    const answered = new Set<PremiseCall>();
    let isMissing = false;
    for (;;) {
      const known = questions.premise(connectionId, premiseId);
      const server = questions.server(connectionId);
      if (!known.ok || !server.ok) {
        unsentBy(row, known.ok ? (server.ok ? appError('internal') : server.error) : known.error);
        return putBack(row);
      }
      const own = used.flatMap((ask) => addressIn(ask));
      const addresses = [...own, ...known.value.map(({ address }) => address)];
      const has = new Set<PremiseField>([...fieldsIn(addresses), ...coveredBy(answered, server.value.shape)]);
      const absent = server.value.shape === null ? [] : absentIn(server.value.shape);
      const need = neededOf(kind, wants, [], judged.needsAddress).filter(
        (field) => !has.has(field) && !absent.includes(field),
      );
      const steps = isMissing || need.length === 0 ? [] : premiseSteps(need, server.value.shape, server.value.premise);
      const next = steps?.find((call) => !answered.has(call));
      if (next === undefined) {
        const sorted = [...addresses].sort((a, b) => Number(isGeo(a)) - Number(isGeo(b)));
        finish(
          row,
          judgePremise(givenOf(row), judged, sorted, isMissing || addresses.length === 0),
          used,
          known.value[0]?.at ?? null,
        );
        parts.onChange();
        return;
      }
      const { ask } = file.askFor(`${next} ${premiseId}`, next, premiseId);
      const asked = await ensure(ask.id, row);
      if (asked.is === 'held') return putBack(row);
      if (asked.is !== 'answered') return endRows(row, asked);
      answered.add(next);
      used.push(asked.ask);
      if (asked.content.kind === 'nothing') isMissing = true;
    }
  }

  /** Its question was not asked now: it waits, and is not looked at again by this run if nothing is sent any more. */
  function putBack(row: FileRow): void {
    file.backToWaiting(row.row);
    if (wait !== null) {
      skipped.add(keyOf(row));
      if (row.ask !== null) for (const one of file.openOfAsk(row.ask)) file.backToWaiting(one.row);
    }
    parts.onChange();
  }

  async function lane(): Promise<void> {
    while (!stop.signal.aborted) {
      const row = claim();
      if (row === null) return;
      if (row === 'later') {
        await new Promise<void>((go) => freed.push(go));
        continue;
      }
      try {
        await work(row);
      } finally {
        release(row);
      }
      await turn();
    }
  }

  /** Questions of a run that was killed: what may have left is not asked again. */
  function recover(): void {
    for (const ask of file.asksIn('asked')) {
      const call = parts.callOf(ask.id);
      const saved = questions.find(connectionId, ask.stage as Stage, ask.text);
      const isFree = questions.priceOf(ask.stage as Stage) === 0;
      const left = !call.ok || call.value !== undefined || isFree;
      const callId = call.ok ? (call.value?.callId ?? null) : null;
      const at = ask.at ?? isoNow(clock);
      const price = questions.priceOf(ask.stage as Stage);
      if (saved.ok && saved.value && saved.value.at >= at)
        file.endAsk(ask.id, {
          state: 'answered',
          source: 'asked',
          at: saved.value.at,
          callId,
          least: left ? price : 0,
          most: left ? price : 0,
          content: JSON.stringify(saved.value.content),
        });
      else if (left) file.endAsk(ask.id, { state: 'unknown', at, callId, least: 0, most: price, code: 'cut-off' });
      else file.endAsk(ask.id, { state: 'waiting', at, least: 0, most: 0 });
    }
    file.backToWaiting();
  }

  async function run(): Promise<RunEnd> {
    try {
      recover();
      const lanes = Math.min(mostLanes, Math.max(1, Math.ceil(terms.rate * 2)));
      await Promise.all(Array.from({ length: lanes }, lane));
    } catch (cause) {
      // The disk is full, or the file of the rows cannot be written: what is not written down is not sent.
      stop.abort();
      await Promise.allSettled(underWay.values());
      wait ??= {
        kind: 'storage',
        row: null,
        title: 'Stopped: the rows could not be saved',
        claims: [],
        serviceText: cause instanceof Error ? cause.message : '',
        does: 'Waiting for you: free some room on the disk, then resume. Answered rows are not asked again.',
        code: 'storage-failed',
        callId: null,
      };
    }
    if (wait !== null) return { is: 'waiting', wait };
    return stop.signal.aborted ? { is: 'paused' } : { is: 'done' };
  }

  return { run, pause: (): void => stop.abort(), isPausing: (): boolean => stop.signal.aborted };
}

const addressIn = (ask: Ask) => {
  const content = JSON.parse(ask.content ?? '{"kind":"nothing"}') as Content;
  return content.kind === 'premise' ? [content.address] : [];
};

const isGeo = (address: { origin: { operation: string } }): boolean => address.origin.operation === 'GetPremiseGeoData';

/** What calls that were answered bring, though it was empty: it is not asked for again. */
function coveredBy(calls: ReadonlySet<PremiseCall>, shape: 'A' | 'B' | null): PremiseField[] {
  const fields: PremiseField[] = [];
  if (calls.has('premise') || calls.has('premise-uprn') || calls.has('address')) fields.push('full');
  if (calls.has('premise') || calls.has('premise-uprn') || calls.has('geo')) fields.push('coordinates', 'udprn');
  if (calls.has('premise-uprn') || (calls.has('geo') && shape === 'A')) fields.push('uprn');
  return fields;
}

const sayRefused = ({ code, tries, words }: Ask): string =>
  code === 'refused-429' && tries > 0
    ? `asked again after 429: ${tries}`
    : `refused (${code.replace('refused-', '')})${words === '' ? '' : `: “${words.slice(0, 200)}”`}`;

const titles: Readonly<Record<BatchWait['kind'], string>> = {
  limit: 'the limit is reached',
  cap: 'a spending cap holds it back',
  'minimum-balance': 'the minimum balance is reached',
  'no-price': 'a call has no published price',
  credits: 'the service says that the credits are used up',
  key: 'the key cannot be used',
  refused: `${mostAlike} failures alike, one after the other`,
  'fell-more': 'the balance fell by more than was counted',
  storage: 'the program could not record what it does',
};

const titleOf = (kind: BatchWait['kind'], row: number): string => `Stopped at row ${row}: ${titles[kind]}`;
