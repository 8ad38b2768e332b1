import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import type { BatchRow, Candidate, Choice, RowSource, Several } from '../../../shared/domain/batch.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { JudgedCandidate } from './match/match-address.ts';
import type { RowFields } from './run/judge.ts';
import type { BatchFile } from './store/batch-file.ts';
import type { BatchFiles } from './store/batch-files.ts';
import type { FileRow } from './store/batch-records.ts';
import type { RowFilter } from './store/row-pages.ts';

const noChoice = (message: string) =>
  fail(appError('bad-input', { message, next: 'Look at the batch again.', charge: 'not-applicable' }));

/**
 * The rows of a batch as shown, and the choice of one premise among several. Errors: `storage-failed`, and `bad-input` if the rows have
 * been deleted or nothing of the kind is to be chosen.
 */
export function createBatchRows(
  files: Pick<BatchFiles, 'use' | 'withHandle'>,
  { userName, claimsOf }: { userName: string; claimsOf(callId: string): MoneyClaim[] },
) {
  const read = (row: FileRow): BatchRow => readRow(row, claimsOf);

  function page(
    batchId: string,
    filter: RowFilter,
    from: number,
    limit: number,
  ): Promise<Result<{ rows: BatchRow[]; total: number }>> {
    return files.withHandle(batchId, async (file) => {
      const { rows, total } = await file.page(filter, from, limit);
      return ok({ rows: rows.map(read), total });
    });
  }

  function several(batchId: string, row: number): Result<Several> {
    const found = files.use(batchId, (file) => file.row(row));
    if (!found.ok) return found;
    return found.value?.candidates ? ok(severalOf(found.value)) : noChoice('Nothing is to be chosen in this row.');
  }

  /** Chooses among several premises, for all rows that say the same; null: none of these, which takes an earlier choice back. Free. */
  function choose(batchId: string, row: number, choice: Choice | null): Result<BatchRow> {
    const changed = files.use(batchId, (file) => chooseIn(file, row, choice, userName));
    if (!changed.ok) return changed;
    return changed.value ? ok(read(changed.value)) : noChoice('This row has no such premise to choose.');
  }

  return { page, several, choose };
}

/** Of a choice made in an earlier version, which kept nothing of what the row read before. */
const chosenEarlier = { reason: 'several-premises', text: 'several premises fit' };

const candidatesOf = ({ candidates }: FileRow): JudgedCandidate[] =>
  JSON.parse(candidates || '[]') as JudgedCandidate[];
const fieldsOf = ({ fields }: FileRow): RowFields => (fields ? (JSON.parse(fields) as RowFields) : {});

/** What a row read before a person chose. */
const undecidedOf = (row: FileRow): { reason: string; text: string } =>
  fieldsOf(row).beforeChoice ?? (row.reason === 'chosen' ? chosenEarlier : { reason: row.reason, text: row.text });

function chooseIn(file: BatchFile, row: number, choice: Choice | null, userName: string): FileRow | undefined {
  const same = file.row(row)?.sameAs ?? row;
  const found = file.row(same);
  if (!found || candidatesOf(found).length === 0) return undefined;
  const chosen = choice ? candidatesOf(found)[choice.place] : undefined;
  if (choice && chosen?.candidate.premiseId !== choice.premiseId) return undefined;
  const { address: _, beforeChoice: __, ...before } = fieldsOf(found);
  const undecided = undecidedOf(found);
  file.changeRow(
    same,
    chosen
      ? {
          progress: 'done',
          result: chosen.notUsed.length === 0 ? 'exact' : 'differs',
          reason: 'chosen',
          text: chosen.candidate.line,
          notUsed: JSON.stringify(chosen.notUsed),
          premiseId: chosen.candidate.premiseId,
          fields: JSON.stringify({ ...before, address: chosen.candidate.line, beforeChoice: undecided }),
          chosenBy: userName,
        }
      : {
          progress: 'done',
          result: 'several',
          ...undecided,
          notUsed: '[]',
          fields: JSON.stringify(before),
          premiseId: '',
          chosenBy: '',
        },
  );
  return file.row(row);
}

function readRow(row: FileRow, claimsOf: (callId: string) => MoneyClaim[]): BatchRow {
  const { returnCode } = fieldsOf(row);
  const isOpen = row.progress === 'unknown' || row.progress === 'stopped' || row.progress === 'failed';
  return {
    row: row.row,
    given: row.given,
    progress: row.progress,
    result: row.result,
    text: row.text,
    reason: row.reason,
    notUsed: JSON.parse(row.notUsed) as string[],
    ...(returnCode === undefined ? {} : { returnCode }),
    source: sourceOf(row),
    credits: { least: row.least, most: row.most },
    premiseId: row.premiseId,
    chosenBy: row.chosenBy,
    claims: isOpen && row.callId !== null ? claimsOf(row.callId) : [],
    callId: row.callId,
  };
}

function sourceOf(row: FileRow): RowSource | null {
  if (row.source === 'same') return { kind: 'same', row: row.sameAs ?? row.row };
  if (row.source === 'earlier-file') return { kind: 'earlier-file' };
  return row.source === null ? null : { kind: row.source, at: row.at ?? '' };
}

const emptyParts = { organisation: '', number: '', street: '', town: '', postcode: '' };

/** The candidates of a row in columns, so that their parts stand below each other. */
function severalOf(row: FileRow): Several {
  const { given } = JSON.parse(row.understood) as {
    given?: { organisation: string; premise: string; town: string; postcode: string };
  };
  const candidates = candidatesOf(row);
  const chosen = candidates.findIndex(
    ({ candidate }) => candidate.premiseId === row.premiseId && candidate.line === row.text,
  );
  return {
    row: row.row,
    text: undecidedOf(row).text,
    given: given
      ? { ...splitPremise(given.premise), organisation: given.organisation, town: given.town, postcode: given.postcode }
      : emptyParts,
    candidates: candidates.map(({ candidate, notUsed, notGiven }): Candidate => {
      const parts = candidate.line.split(',').map((part) => part.trim());
      const postcode = parts.at(-1) ?? '';
      const town = parts.at(-2) ?? '';
      return {
        premiseId: candidate.premiseId,
        line: candidate.line,
        parts: { ...splitPremise(parts.slice(0, -2).join(', ')), organisation: '', town, postcode },
        over: notGiven.flatMap((words) => words.split(/\s+/)),
        notUsed,
      };
    }),
    chosen: row.chosenBy === '' || chosen === -1 ? null : chosen,
  };
}

const numbered = /^(\d+[a-z]?(?:\s*[-–/]\s*\d+[a-z]?)?)\s+(.+)$/i;

/**
 * A premise on one line: what comes before its street, then the street with the places behind it. Without a number the last part is the
 * street.
 */
function splitPremise(premise: string): { number: string; street: string } {
  const parts = premise.split(',').map((part) => part.trim());
  const [street = '', ...places] = parts.splice(parts.findLastIndex((part) => numbered.test(part)));
  const [, number = '', name = street] = numbered.exec(street) ?? [];
  return { number: [...parts, number].filter(Boolean).join(', '), street: [name, ...places].join(', ') };
}
