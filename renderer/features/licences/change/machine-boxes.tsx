import { IconArrowRight, IconDeviceLaptop } from '@tabler/icons-react';
import type { Licence } from '../../../../shared/domain/licences/licence.ts';
import { type LicenceChange, nameLicence } from '../../../../shared/domain/licences/licence-change.ts';
import { isSameLicence } from '../../../../shared/domain/licences/licence-ids.ts';
import { Tag } from '../../../components/marks.tsx';
import { legible } from '../../../lib/text/legible.ts';
import { nameHoldings } from '../licence-facts.ts';

interface MachineBoxesProps {
  change: LicenceChange;
  licences: readonly Licence[];
  running: boolean;
}

/** The machines of a change: which licences each was read with, which are planned, and with which it was read afterwards. */
export function MachineBoxes({ change, licences, running }: MachineBoxesProps) {
  const boxes =
    change.fromMachine === null
      ? [{ machine: change.machine, gains: change.kind === 'register' }]
      : [
          { machine: change.fromMachine, gains: false },
          { machine: change.machine, gains: true },
        ];
  return (
    <div className={boxes.length === 2 ? 'machines two' : 'machines'}>
      {boxes.map(({ machine, gains }, index) => (
        <div key={machine} className="contents">
          {index === 1 && <IconArrowRight size={18} className="ti t3 arrow" aria-hidden="true" />}
          <MachineBox change={change} machine={machine} gains={gains} licences={licences} running={running} />
        </div>
      ))}
    </div>
  );
}

interface MachineBoxProps extends MachineBoxesProps {
  machine: string;
  gains: boolean;
}

function MachineBox({ change, machine, gains, licences, running }: MachineBoxProps) {
  const planned = change.state === 'planned' && !running;
  const before = change.before.find((holding) => holding.machine === machine)?.licenceNumbers;
  const now = planned
    ? requestedIds(before, change, gains)
    : change.after.find((holding) => holding.machine === machine)?.licenceNumbers;
  return (
    <section className="machine" aria-label={machine}>
      <div className="row wrap g6">
        <IconDeviceLaptop size={17} className="ti t3" aria-hidden="true" />
        <span className="mono machine-name sel">{legible(machine)}</span>
        {machine === change.thisMachine && <Tag>this machine</Tag>}
      </div>
      <dl className="sm holds">
        <dt className="t3">{planned ? 'Seen there' : 'Before'}</dt>
        <dd className={before?.length ? 'm' : 't3'}>
          {before ? legible(nameAll(before, change, licences)) : 'not read'}
        </dd>
        <dt className="t3">{planned ? 'After' : 'Last read'}</dt>
        <dd className={toneOf(now, change, gains)}>
          {now ? legible(nameAll(now, change, licences)) : describeUnread(change, machine, running)}
        </dd>
      </dl>
    </section>
  );
}

const has = (ids: readonly string[], change: LicenceChange) =>
  ids.some((id) => isSameLicence(id, change.licenceNumber));

/** Green for the licence where it is to be; a machine that is to release it and does not is not green. */
function toneOf(ids: readonly string[] | undefined, change: LicenceChange, gains: boolean): string {
  if (!ids) return 't3';
  if (gains && has(ids, change)) return 'm good';
  return ids.length === 0 ? 't3' : 'm';
}

function requestedIds(before: readonly string[] | undefined, change: LicenceChange, gains: boolean) {
  if (!before) return undefined;
  if (!gains) return before.filter((id) => !isSameLicence(id, change.licenceNumber));
  return has(before, change) ? before : [...before, change.licenceNumber];
}

/** References if the list has them; the change's own licence under the name it was planned with. */
function nameAll(ids: readonly string[], change: LicenceChange, licences: readonly Licence[]): string {
  if (ids.length === 0) return 'no licence named';
  return ids
    .map((id) => (isSameLicence(id, change.licenceNumber) ? nameLicence(change) : nameHoldings([id], licences)))
    .join(', ');
}

/** Of a machine of which no answer has come since the change began. */
export function describeUnread(
  { steps, machine: target, fromMachine }: Pick<LicenceChange, 'steps' | 'machine' | 'fromMachine'>,
  machine: string,
  running: boolean,
): string {
  if (!running) return 'not read back';
  const step = steps.find(({ state }) => state === 'running');
  // Each write is followed by its read: of a move the first two are the old machine's.
  const at = step && step.number <= 3 && fromMachine !== null ? fromMachine : target;
  if (step === undefined || at !== machine) return 'not asked yet';
  return step.effect === 'writes' ? 'being asked' : 'being read';
}
