import { IconArrowRight, IconDeviceLaptop } from '@tabler/icons-react';
import type { Bulk, BulkRow } from '../../../../shared/domain/licences/licence-bulk.ts';
import { isSameLicence } from '../../../../shared/domain/licences/licence-ids.ts';
import type { MachineHoldings, MachineView } from '../../../../shared/domain/licences/licence-machines.ts';
import { Tag } from '../../../components/marks.tsx';
import { formatWhen } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { type MovesStage, nameOfRow } from './moves-stage.ts';

interface MovesBoxesProps {
  bulk: Bulk;
  stage: MovesStage;
  machines: readonly MachineView[];
}

/** The machines that everything leaves, and the one that takes it: what each was last named with. */
export function MovesBoxes({ bulk, stage, machines }: MovesBoxesProps) {
  const moved = stage.kind === 'planned' ? bulk.rows.filter(({ row }) => stage.chosen.has(row)) : stage.begun;
  const nameOf = (licenceNumber: string): string => {
    const row = bulk.rows.find((one) => isSameLicence(one.licenceNumber, licenceNumber));
    const known = machines.flatMap(({ holds }) => holds).find((one) => isSameLicence(one.licenceNumber, licenceNumber));
    return row ? nameOfRow(row) : (known?.name ?? licenceNumber);
  };
  const sources = [...new Set(bulk.rows.flatMap(({ from }) => from ?? []))];
  return (
    <div className="machines two">
      <div className="col g8">
        {sources.map((name) => (
          <Box
            key={name}
            name={name}
            machine={machines.find((one) => one.name === name)}
            before={bulk.before?.find(({ machine }) => machine === name)}
            nameOf={nameOf}
            planned={`leave it: ${namesOf(moved.filter(({ from }) => from === name))}`}
          />
        ))}
      </div>
      <IconArrowRight size={18} className="ti t3 arrow" aria-hidden="true" />
      <Box
        name={bulk.moveTo ?? ''}
        machine={machines.find((one) => one.name === bulk.moveTo)}
        before={bulk.before?.find(({ machine }) => machine === bulk.moveTo)}
        nameOf={nameOf}
        planned={`come to it: ${namesOf(moved)}`}
      />
    </div>
  );
}

const namesOf = (rows: readonly BulkRow[]): string => rows.map(nameOfRow).join(', ') || 'none';

interface BoxProps {
  name: string;
  machine: MachineView | undefined;
  /** What the machine's answer named when this was planned; undefined: planned by an earlier version, or not read. */
  before: MachineHoldings | undefined;
  nameOf: (licenceNumber: string) => string;
  planned: string;
}

function Box({ name, machine, before, nameOf, planned }: BoxProps) {
  const { askedAt = null, holds = [] } = machine ?? {};
  return (
    <section className="machine" aria-label={name}>
      <div className="row wrap g6">
        <IconDeviceLaptop size={17} className="ti t3" aria-hidden="true" />
        <span className="mono machine-name sel">{legible(name)}</span>
        {machine?.thisMachine && <Tag>this machine</Tag>}
      </div>
      {machine && machine.nickname !== '' && <p className="sm t2">{machine.nickname}</p>}
      <dl className="sm holds">
        {before && (
          <>
            <dt className="t3">Before</dt>
            <dd>
              {before.licenceNumbers.map(nameOf).join(', ') || 'named no licence'}, {formatWhen(before.askedAt)}
            </dd>
          </>
        )}
        <dt className="t3">Last read</dt>
        <dd className={holds.length === 0 ? 't3' : 'm'}>
          {askedAt === null
            ? 'no answer is stored'
            : `${holds.length === 0 ? 'named no licence' : holds.map((one) => one.name).join(', ')}, ${formatWhen(askedAt)}`}
        </dd>
        <dt className="t3">Planned</dt>
        <dd>{planned}</dd>
      </dl>
    </section>
  );
}
