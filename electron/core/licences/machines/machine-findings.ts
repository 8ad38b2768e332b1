import type { Licence } from '../../../../shared/domain/licences/licence.ts';
import { isExpiredOn, mergeRecords } from '../../../../shared/domain/licences/licence-filter.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import type {
  FindingKind,
  InventoryMachine,
  MachinesOverview,
  MachineView,
} from '../../../../shared/domain/licences/licence-machines.ts';
import { compareMachineNames, foldMachineName } from '../../../../shared/domain/licences/similar-names.ts';
import { naturalOrder } from '../../../../shared/domain/text/natural-order.ts';
import { formatDay, listIds } from '../change/change-messages.ts';
import type { StoredHoldings } from '../records/licence-store.ts';
import type { HistoryEntry, Scan } from './inventory-store.ts';

export interface MachineFacts {
  inventory: readonly InventoryMachine[];
  holdings: readonly StoredHoldings[];
  /** Newest first for each machine. */
  history: readonly HistoryEntry[];
  failures: readonly { machine: string; at: string; message: string }[];
  licences: readonly Licence[];
  /** When the account's list was asked for (ISO 8601); null: never. */
  readAt: string | null;
  /** Why the account may have licences that are not among them. */
  doubt?: string | undefined;
  lastScan: Scan | null;
  thisMachine: string;
  /** YYYY-MM-DD. */
  today: string;
}

type Finding = MachineView['findings'][number];
type Remark = MachinesOverview['remarks'][number];
const find = (kind: FindingKind, tone: Finding['tone'], text: string): Finding => ({ kind, tone, text });

/**
 * The map of which machine holds what, joined on the licence's number. Pointed out: similar names; doubles, a licence on more machines than
 * it has seats; orphans, a licence with more seats in use than machines found to hold it; ghosts, a machine that holds what the account's
 * list does not name; and what changed with the last scan.
 */
export function describeMachines(facts: MachineFacts): MachinesOverview {
  const { inventory, holdings, readAt, doubt, thisMachine, today } = facts;
  const licences = mergeRecords(facts.licences, today);
  const listed = new Map(licences.map((licence) => [plainId(licence.licenceNumber), licence]));
  const lastHoldings = new Map(holdings.map((one) => [one.machine, one]));
  const kept = new Map(inventory.map((one) => [one.name, one]));
  const failures = new Map(facts.failures.map((one) => [one.machine, one]));
  const history = Map.groupBy(facts.history, ({ machine }) => machine);
  const names = [...new Set([thisMachine, ...kept.keys(), ...lastHoldings.keys(), ...failures.keys()])].sort(
    naturalOrder.compare,
  );
  const holders = new Map<string, StoredHoldings[]>();
  for (const answer of holdings)
    for (const id of answer.licenceNumbers) holders.set(plainId(id), [...(holders.get(plainId(id)) ?? []), answer]);
  // It may have been changed since: what it says is said as of its day.
  const theList = readAt === null ? 'the account’s list' : `the account’s list of ${formatDay(readAt)}`;
  const nameOf = (id: string): string => listed.get(plainId(id))?.referenceNo.trim() || id;

  const remarks: Remark[] = [...compareNames(names), ...compareSeats(licences, holders)];
  const remarksOn = new Map<string, Remark[]>();
  for (const remark of remarks)
    for (const machine of new Set(remark.machines)) remarksOn.set(machine, [...(remarksOn.get(machine) ?? []), remark]);
  const machines = names.map((name): MachineView => {
    const answer = lastHoldings.get(name);
    const failed = failures.get(name);
    const findings = (remarksOn.get(name) ?? []).flatMap((remark): Finding[] => {
      if (remark.kind === 'near-equal') {
        const other = remark.machines.find((one) => one !== name) ?? '';
        return [find('near-equal', 'warn', `almost the same name as ${other}`)];
      }
      return remark.kind === 'double' ? [find('double', 'danger', `${remark.title}`)] : [];
    });
    for (const id of answer?.licenceNumbers ?? []) {
      const licence = listed.get(plainId(id));
      // Of one that a list leaves out nothing follows, unless the list is whole.
      if (!licence && licences.length > 0 && doubt === undefined)
        findings.push(find('ghost', 'warn', `named with ${id}, which ${theList} does not name`));
      if (licence && isExpiredOn(licence, today))
        findings.push(find('expired', 'warn', `named with ${nameOf(id)}, which has expired by ${theList}`));
    }
    findings.push(...compareHistory(history.get(name) ?? [], facts.lastScan, nameOf));
    const since = history.get(name)?.[0]?.askedAt;
    if (answer?.licenceNumbers.length === 0 && since !== undefined)
      findings.push(find('nothing', 'plain', `the service named no licence for it, first on ${formatDay(since)}`));
    if (failed) findings.push(find('no-answer', 'plain', `could not be read: ${failed.message}`));
    return {
      ...(kept.get(name) ?? { name, nickname: '', owner: '', site: '', note: '' }),
      kept: kept.has(name),
      thisMachine: name === thisMachine,
      holds: (answer?.licenceNumbers ?? []).map((id) => {
        const licence = listed.get(plainId(id));
        return {
          licenceNumber: id,
          name: nameOf(id),
          expired: licence !== undefined && isExpiredOn(licence, today),
          listed: licence === undefined && (readAt === null || doubt !== undefined) ? null : licence !== undefined,
        };
      }),
      askedAt: answer?.askedAt ?? null,
      failure: failed ? { at: failed.at, message: failed.message } : null,
      findings,
    };
  });
  return {
    machines,
    remarks,
    onNoMachine:
      holdings.length === 0
        ? []
        : licences.length === 0
          ? null
          : licences
              .filter((licence) => !holders.has(plainId(licence.licenceNumber)))
              .map((licence) => nameOf(licence.licenceNumber)),
  };
}

/** Names that fold to the same text are compared within their group only: every pair of 5,000 names would be too many. */
function compareNames(names: readonly string[]): Remark[] {
  return [...Map.groupBy(names, foldMachineName).values()].flatMap((group) =>
    group.slice(1).map((second): Remark => {
      const first = group[0] ?? '';
      return {
        kind: 'near-equal',
        tone: 'warn',
        title: 'Two names may be one machine.',
        text: `${first} and ${second} differ only in ${compareMachineNames(first, second).join(' and ')}. The service may take them for two.`,
        machines: [first, second],
        licenceNumber: null,
      };
    }),
  );
}

function compareSeats(licences: readonly Licence[], holders: ReadonlyMap<string, StoredHoldings[]>): Remark[] {
  return licences.flatMap((licence): Remark[] => {
    const answers = holders.get(plainId(licence.licenceNumber)) ?? [];
    const machines = answers.map(({ machine }) => machine);
    const { seatsUsed, seatsFree } = licence;
    const name = licence.referenceNo.trim() || licence.licenceNumber;
    if (seatsUsed !== null && seatsFree !== null && machines.length > Math.max(1, seatsUsed + seatsFree)) {
      const seats = Math.max(1, seatsUsed + seatsFree);
      const times = answers.map(({ askedAt }) => askedAt).sort();
      const [first, last] = [times[0] ?? '', times.at(-1) ?? ''].map(formatDay);
      const moved = first === last ? '' : ` The answers came between ${first} and ${last}: it may have been moved.`;
      return [
        {
          kind: 'double',
          tone: 'danger',
          title: `${seats === 1 ? 'one seat' : `${seats} seats`}, ${machines.length} machines`,
          text: `${name} was named for ${listIds(machines)}, which is more than its seats, if LicenseInUse and Available count them. One may be left over from a change made elsewhere.${moved}`,
          machines,
          licenceNumber: licence.licenceNumber,
        },
      ];
    }
    if (seatsUsed !== null && holders.size > 0 && seatsUsed > machines.length) {
      const missing = seatsUsed - machines.length;
      return [
        {
          kind: 'orphan',
          tone: 'plain',
          title: `${missing === 1 ? 'One seat' : `${missing} seats`} of ${name} not found on any machine that answered.`,
          text: `LicenseInUse is ${seatsUsed}, taken for seats in use; ${machines.length === 0 ? 'it was named for no machine asked' : `found on ${listIds(machines)}`}.`,
          machines: [],
          licenceNumber: licence.licenceNumber,
        },
      ];
    }
    return [];
  });
}

/** What appeared and disappeared with the last scan; nothing if a machine was read for the first time. */
function compareHistory(
  entries: readonly HistoryEntry[],
  scan: Scan | null,
  nameOf: (id: string) => string,
): Finding[] {
  const [now, before] = entries;
  if (!now || !before || scan === null || now.sequence <= scan.historyBefore) return [];
  const without = (left: HistoryEntry, right: HistoryEntry): string[] =>
    left.licenceNumbers.filter((id) => !right.licenceNumbers.some((other) => plainId(other) === plainId(id)));
  const gained = without(now, before).map(nameOf);
  const lost = without(before, now).map(nameOf);
  const words = [
    ...(gained.length > 0 ? [`new: ${listIds(gained)}`] : []),
    ...(lost.length > 0 ? [`no longer named: ${listIds(lost)}`] : []),
  ];
  return words.length === 0 ? [] : [find('changed', 'plain', `since the scan before, ${words.join('; ')}`)];
}
