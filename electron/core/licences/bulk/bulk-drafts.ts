import type { Licence, LicenceList } from '../../../../shared/domain/licences/licence.ts';
import {
  type BulkRow,
  type BulkRowInput,
  type RowRequest,
  readRowRequest,
} from '../../../../shared/domain/licences/licence-bulk.ts';
import type { ChangeKind, ChangeRequest } from '../../../../shared/domain/licences/licence-change.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import { compareMachineNames, foldMachineName } from '../../../../shared/domain/licences/similar-names.ts';
import { describeListed, refuseRequest } from '../change/plan.ts';

export interface BulkRequest {
  connectionId: string;
  /** Name of the file, or that it was pasted. */
  source: string;
  /** The change of rows that name none. */
  kind: ChangeKind;
  /** If set, every row is a move to this machine, whatever its cells say of change and machine. */
  moveTo?: string | undefined;
  rows: readonly BulkRowInput[];
}

/** Why a row is left out that the table says was seen as planned. */
export const seenEarlier = 'seen in an earlier run';

/** A row while it is being planned; `request` is null once it is known that it will not be. */
export interface Draft {
  row: BulkRow;
  request: ChangeRequest | null;
}

const numberOf = ({ licenceNumber }: Licence): string => plainId(licenceNumber);

/** Each row as a change to be planned, or with the reason why it is none. */
export function draftRows(
  { connectionId, kind, moveTo, rows }: BulkRequest,
  { licences, readAt, doubt }: LicenceList & { readAt: string },
): Draft[] {
  const byReference = Map.groupBy(licences, ({ referenceNo }) => referenceNo.trim().toLowerCase());
  const byNumber = new Map(licences.map((licence) => [numberOf(licence), licence]));
  return rows.map((given): Draft => {
    const input = moveTo === undefined ? given : { ...given, change: 'move', machine: moveTo };
    const wanted = readRowRequest(input, kind);
    const row: BulkRow = {
      row: input.row,
      kind: null,
      licenceNumber: input.licence.trim().slice(0, 40),
      licenceReference: '',
      to: input.machine.trim().slice(0, 255) || null,
      from: input.from.trim().slice(0, 255) || null,
      state: 'skipped',
      text: '',
      serviceText: '',
      advised: false,
      changeId: null,
    };
    if (typeof wanted === 'string') return { row: { ...row, text: wanted }, request: null };
    Object.assign(row, { kind: wanted.kind, to: wanted.to, from: wanted.from });
    const numbered = byNumber.get(plainId(wanted.licence));
    // A list may name one licence more than once.
    const named = [...new Set(byReference.get(wanted.licence.toLowerCase())?.map(numberOf))];
    const others = numbered === undefined ? [] : named.filter((number) => number !== numberOf(numbered));
    const listed = numbered ?? (named.length === 1 ? byNumber.get(named[0] ?? '') : undefined);
    row.licenceNumber = plainId(listed?.licenceNumber ?? wanted.licence).slice(0, 40);
    row.licenceReference = listed?.referenceNo.trim() ?? '';
    if (listed) row.licence = describeListed(listed, readAt);
    // What an earlier version called done was not always read: such a row is planned anew, from reads.
    if (input.state.trim().toLowerCase() === 'seen') return { row: { ...row, text: seenEarlier }, request: null };
    const refused =
      others.length > 0
        ? 'names one licence by its number and another by its reference'
        : listed
          ? null
          : named.length > 1
            ? `${named.length} licences have this reference`
            : doubt === undefined
              ? 'the account lists no such licence'
              : 'the list that came, which may not be whole, names no such licence';
    if (refused !== null) return { row: { ...row, text: refused }, request: null };
    return draftRequest(row, wanted, connectionId);
  });
}

function draftRequest(row: BulkRow, wanted: RowRequest, connectionId: string): Draft {
  const request: ChangeRequest = {
    connectionId,
    kind: wanted.kind,
    licenceNumber: row.licenceNumber,
    machine: wanted.to ?? wanted.from ?? '',
    ...(wanted.kind === 'move' && wanted.from !== null ? { fromMachine: wanted.from } : {}),
  };
  if (!/^\d{1,10}$/.test(row.licenceNumber))
    return { row: { ...row, text: 'the LicenseID is not a whole number' }, request: null };
  const refused = refuseRequest(request);
  if (refused) return { row: { ...row, text: refused.message }, request: null };
  const differs = wanted.to && wanted.from ? compareMachineNames(wanted.from, wanted.to) : [];
  if (differs.length > 0)
    return { row: { ...row, text: `the names differ only in ${differs.join(' and ')}` }, request: null };
  return { row: { ...row, state: 'planned' }, request };
}

/** What becomes of a row that is not planned after all. */
export function endDraft(draft: Draft, state: 'skipped' | 'failed', text: string): void {
  draft.row = { ...draft.row, state, text, advised: false };
  draft.request = null;
}

/**
 * A row that repeats an earlier row's request, or touches the same licence on the same machine, is left out: the service may take a name in
 * another spelling for the same machine.
 */
export function refuseRepeats(drafts: readonly Draft[]): void {
  const seen = new Map<string, Draft>();
  for (const draft of drafts) {
    if (!draft.request) continue;
    const { kind, licenceNumber, from, to } = draft.row;
    const machines = [from, to].filter((machine) => machine !== null);
    const places = machines.map((machine) => `${licenceNumber}\n${foldMachineName(machine)}`);
    const earlier = places.flatMap((place) => seen.get(place) ?? [])[0];
    if (!earlier) {
      for (const place of places) seen.set(place, draft);
      continue;
    }
    const same = earlier.row.kind === kind && earlier.row.from === from && earlier.row.to === to;
    const there = machines.some((machine) => machine === earlier.row.from || machine === earlier.row.to)
      ? 'there'
      : 'under a similar machine name';
    endDraft(
      draft,
      'skipped',
      same
        ? `the same as row ${earlier.row.row}`
        : `conflicts with row ${earlier.row.row}, which changes the same licence ${there}`,
    );
  }
}
