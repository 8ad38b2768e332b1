import type { OperationAnswer } from '../../../shared/contract/operations.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { Exchange } from '../calls/clients.ts';
import type { Descriptions } from '../calls/descriptions.ts';
import type { Ledger } from '../credits/ledger.ts';
import type { Answers, KnownAnswer } from '../lookup/answers.ts';
import { provenanceOf } from '../lookup/provenance.ts';
import type { Decoder } from '../soap/decoder.ts';
import { type Presented, present, type SoapValueOf, summarise } from './present.ts';
import { createRawTexts } from './raw-texts.ts';
import { createRecent } from './recent.ts';

export interface AnswersAtHandParts {
  answers: Pick<Answers, 'byId'>;
  descriptions: Pick<Descriptions, 'lastSeen'>;
  decoder: Decoder;
  ledger: Ledger;
  log: ActivityLog;
}

interface RowsOf {
  answerId: string;
  /** By its place among the answer's tables. */
  table: number;
  from: number;
  count: number;
}

/** How many stay at hand; an older one is read from what is held. */
const atHand = 12;

export type AnswersAtHand = ReturnType<typeof createAnswersAtHand>;

/** Answers as they are shown: whole, by rows and by raw lines; from memory while they are at hand, then from what is held. */
export function createAnswersAtHand({ answers, descriptions, decoder, ledger, log }: AnswersAtHandParts) {
  const presented = createRecent<Presented>(atHand);
  /** Answers that may not be held, and exchanges that ended in an error: shown as long as they are at hand. */
  const unheld = createRecent<KnownAnswer>(atHand);
  const failed = createRecent<Exchange>(atHand);
  const freshValues = createRecent<SoapValueOf>(atHand);

  /** An answer that just came; `fresh`, its decoded value, saves decoding it again. */
  function note(known: KnownAnswer, fresh: SoapValueOf | undefined): void {
    if (known.heldFor === 'no') unheld.set(known.answerId, known);
    if (fresh) freshValues.set(known.answerId, fresh);
  }

  const noteFailed = (callId: string, exchange: Exchange): void => failed.set(callId, exchange);

  /** Errors: 'bad-input' where it is held no longer. */
  function find(answerId: string): Result<KnownAnswer> {
    const inMemory = unheld.get(answerId);
    if (inMemory) return ok(inMemory);
    const found = answers.byId(answerId);
    if (!found.ok) return found;
    return found.value
      ? ok(found.value)
      : fail(
          appError('bad-input', {
            message: 'This answer is no longer held.',
            next: 'Ask again to see it.',
            charge: 'not-applicable',
          }),
        );
  }

  async function takeApart(known: KnownAnswer): Promise<Result<Presented>> {
    const ready = presented.get(known.answerId);
    if (ready) return ok(ready);
    const made = await present(known.answer, freshValues.get(known.answerId), decoder, () => {
      const call = log.findCall(known.answer.callId);
      return call.ok && call.value ? descriptions.lastSeen(call.value.connectionId) : undefined;
    });
    if (made.ok) presented.set(known.answerId, made.value);
    return made;
  }

  /** As the window shows it. */
  async function show(known: KnownAnswer, held: boolean): Promise<Result<OperationAnswer>> {
    const apart = await takeApart(known);
    return apart.ok ? ok(summarise(apart.value, provenanceOf(ledger, { ...known, held }))) : apart;
  }

  async function readRows({ answerId, table, from, count }: RowsOf): Promise<Result<{ rows: (string | null)[][] }>> {
    const known = find(answerId);
    if (!known.ok) return known;
    const apart = await takeApart(known.value);
    return apart.ok ? ok({ rows: apart.value.tables[table]?.rows.slice(from, from + count) ?? [] }) : apart;
  }

  const raw = createRawTexts((id) => {
    const exchange = failed.get(id);
    if (exchange) return ok(exchange);
    const known = find(id);
    return known.ok ? ok({ request: known.value.answer.request, raw: known.value.answer.raw }) : known;
  });

  return { note, noteFailed, find, show, readRows, raw };
}
