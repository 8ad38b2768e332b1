import type { Licence, LicenceList } from '../../../../shared/domain/licences/licence.ts';
import { isExpiredOn } from '../../../../shared/domain/licences/licence-filter.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import type { LicenceSeen, MachinesSeen } from '../../../../shared/domain/licences/licence-seen.ts';
import { naturalOrder } from '../../../../shared/domain/text/natural-order.ts';
import { boundStatuses, describeListed } from '../change/plan.ts';
import { doubtReturn } from '../change/plan-warnings.ts';
import type { StoredHoldings } from '../records/licence-store.ts';
import type { HistoryEntry } from './inventory-store.ts';

export interface SeenFacts {
  names: readonly string[];
  /** What every machine named when it last answered. */
  holdings: readonly StoredHoldings[];
  /** Newest first for each machine. */
  history: readonly HistoryEntry[];
  failures: readonly { machine: string; at: string; message: string }[];
  list: LicenceList;
  statusLabels: ReadonlyMap<string, string>;
  /** YYYY-MM-DD. */
  today: string;
}

/**
 * Every licence seen on one of the machines, once, with each of those machines and the last time an answer named it there. A machine's last
 * answer says what is there; an earlier one, what was.
 */
export function listSeen({ names, holdings, history, failures, list, statusLabels, today }: SeenFacts): MachinesSeen {
  const wanted = new Set(names);
  const listed = new Map(list.licences.map((licence) => [plainId(licence.licenceNumber), licence]));
  const seen = new Map<string, LicenceSeen['seen']>();
  const put = (id: string, machine: string, at: string, last: boolean): void => {
    const places = seen.get(plainId(id)) ?? [];
    if (!places.some((place) => place.machine === machine)) seen.set(plainId(id), [...places, { machine, at, last }]);
  };
  const chosen = holdings.filter(({ machine }) => wanted.has(machine));
  for (const { machine, licenceNumbers, askedAt } of chosen)
    for (const id of licenceNumbers) put(id, machine, askedAt, true);
  for (const { machine, licenceNumbers, askedAt } of history)
    if (wanted.has(machine)) for (const id of licenceNumbers) put(id, machine, askedAt, false);
  const statuses = boundStatuses(list.licences, holdings);
  const describe = ([id, places]: [string, LicenceSeen['seen']]): LicenceSeen => {
    const licence: Licence | undefined = listed.get(id);
    return {
      licenceNumber: id,
      name: licence?.referenceNo.trim() || id,
      typeName: licence?.typeName ?? '',
      licence: licence ? describeListed(licence, list.readAt ?? '') : null,
      expired: licence !== undefined && isExpiredOn(licence, today),
      mayStayOff:
        list.readAt === null
          ? null
          : (doubtReturn(licence, today, statuses(id), statusLabels, list.doubt === undefined)?.why ?? null),
      seen: places.toSorted((a, b) => Number(b.last) - Number(a.last) || b.at.localeCompare(a.at)),
    };
  };
  return {
    licences: [...seen].map(describe).sort((a, b) => lastOf(b) - lastOf(a) || naturalOrder.compare(a.name, b.name)),
    machines: names.map((machine) => ({
      machine,
      askedAt: holdings.find((one) => one.machine === machine)?.askedAt ?? null,
      failure: failures.find((one) => one.machine === machine)?.message ?? null,
    })),
    listReadAt: list.readAt,
    isListWhole: list.doubt === undefined,
  };
}

const lastOf = ({ seen }: LicenceSeen): number => (seen.some(({ last }) => last) ? 1 : 0);
