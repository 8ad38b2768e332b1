import type { OperationAnswer } from '../../../shared/contract/operations.ts';
import type { Provenance } from '../../../shared/domain/lookup.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { StoredAnswer } from '../lookup/stored-answer.ts';
import { parseJsonTexts } from '../rest/json-text.ts';
import type { Decoder } from '../soap/decoder.ts';
import { resolveOperation } from '../soap/operation.ts';
import type { Outcome } from '../soap/outcome.ts';
import { fieldsOf, type Listed, type Table, tablesOf } from './tables.ts';

/** An answer taken apart for the window. */
export interface Presented {
  stored: StoredAnswer;
  outcome: Outcome;
  tables: Table[];
  listed: Listed;
}

/** A decoded SOAP answer as it came from the client, so that a fresh one is not decoded twice. */
export interface SoapValueOf {
  value: unknown;
  outcome: Outcome;
}

/**
 * Takes an answer apart. The raw text, masked, is what it is read from: of JSON because it keeps each number as it was written, of SOAP
 * where a held answer has nothing else. Errors: 'unreadable-answer' and what the decoder says.
 */
export async function present(
  stored: StoredAnswer,
  fresh: SoapValueOf | undefined,
  decoder: Decoder,
  description: () => ServiceDescription | undefined,
): Promise<Result<Presented>> {
  if (stored.interface === 'rest') {
    const value = readJson(stored.raw.text);
    const tables = tablesOf(value, stored.operation);
    return ok({
      stored,
      outcome: { found: isEmptySearch(stored, tables) ? 'nothing' : 'something' },
      tables,
      listed: fieldsOf(value),
    });
  }
  const read = fresh ? ok(fresh) : await decodeAgain(stored, decoder, description());
  if (!read.ok) return read;
  const { value, outcome } = read.value;
  return ok({ stored, outcome, tables: tablesOf(value, nameOfResult(stored, value)), listed: fieldsOf(value) });
}

function readJson(text: string): unknown {
  try {
    return parseJsonTexts(text);
  } catch {
    // Masking may have left text that is no JSON any more; the raw view shows it.
    return text;
  }
}

const isEmptySearch = (stored: StoredAnswer, tables: readonly Table[]): boolean =>
  stored.operation === 'Search' && tables.every(({ columns }) => !columns.some((column) => /^(id|key)$/i.test(column)));

const nameOfResult = ({ operation }: StoredAnswer, value: unknown): string =>
  typeof value === 'object' ? operation : 'Answer';

async function decodeAgain(
  stored: StoredAnswer,
  decoder: Decoder,
  description: ServiceDescription | undefined,
): Promise<Result<SoapValueOf>> {
  const operation = resolveOperation(stored.operation, description);
  if (!operation.ok) return operation;
  const { described, name, result } = operation.value;
  const decoded = await decoder.decode({
    body: new TextEncoder().encode(stored.raw.text),
    status: stored.raw.status,
    // The text is held as text: its declared charset is that of bytes long gone.
    contentType: 'text/xml; charset=utf-8',
    operation: name,
    result,
    described: described && {
      responseElement: described.responseElement,
      result: described.result,
      types: description?.types ?? {},
    },
    secrets: [],
  });
  if (!decoded.result.ok)
    return fail({ ...decoded.result.error, charge: 'not-applicable', money: 'Nothing was asked.' });
  const { value, unknown: _, ...outcome } = decoded.result.value;
  return ok({ value, outcome });
}

/** What crosses to the window of it: everything but the bulk. */
export function summarise({ stored, outcome, tables, listed }: Presented, provenance: Provenance): OperationAnswer {
  return {
    answerId: provenance.answerId,
    provenance,
    status: stored.raw.status,
    bytes: stored.raw.bytes,
    found: outcome.found,
    returnCode: outcome.returnCode ?? null,
    returnMeaning: outcome.returnMeaning ?? null,
    errorMessage: outcome.errorMessage ?? null,
    truncated: outcome.truncated ?? false,
    tables: tables.map(({ name, columns, rows }) => ({ name, columns, rows: rows.length })),
    fields: listed.fields,
    fieldCount: listed.count,
    timings: stored.timings ?? null,
  };
}
