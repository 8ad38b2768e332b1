import type { MachineView } from '../../../shared/domain/licences/licence-machines.ts';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { Dot, Mono, Tag } from '../../components/marks.tsx';
import type { TableColumn } from '../../components/table/table-columns.ts';
import { formatMoment, formatWhen } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';

export const tones = { danger: 'danger', warn: 'warn', plain: 'hollow' } as const;
const order = { danger: 0, warn: 1, plain: 2 } as const;

/** A machine's findings, the most serious first. */
export const worstFirst = (findings: MachineView['findings']): MachineView['findings'] =>
  findings.toSorted((a, b) => order[a.tone] - order[b.tone]);

export const machineColumns: readonly TableColumn<MachineView>[] = [
  {
    id: 'name',
    head: 'Machine, as sent',
    value: ({ name }) => name,
    cell: ({ name, thisMachine }) => (
      <span className="row g6" title={name}>
        <Mono>{name}</Mono>
        {thisMachine && <Tag>this machine</Tag>}
      </span>
    ),
    width: 200,
    grow: true,
  },
  {
    id: 'nickname',
    head: 'Nickname',
    value: ({ nickname }) => nickname || null,
    cell: ({ nickname, kept }) => nickname || <span className="t3">{kept ? 'not named' : 'not in the inventory'}</span>,
    width: 146,
  },
  {
    id: 'owner',
    head: 'Owner, site',
    value: ({ owner, site }) => [owner, site].filter(Boolean).join(', ') || null,
    cell: ({ owner, site }) => (
      <span className="t2">{[owner, site].filter(Boolean).join(', ') || <span className="t3">unknown</span>}</span>
    ),
    width: 104,
  },
  {
    id: 'holds',
    head: 'Holds',
    value: ({ askedAt, holds }) => (askedAt === null ? null : holds.map(({ name }) => name).join(' ')),
    cell: (machine) => <Holds machine={machine} />,
    width: 140,
  },
  {
    id: 'asked',
    head: 'Asked',
    value: ({ askedAt }) => askedAt,
    text: ({ askedAt, failure }) => (askedAt !== null ? formatMoment(askedAt) : failure ? 'not read' : 'never'),
    cell: ({ askedAt, failure }) =>
      failure ? (
        <span className="warn">not read</span>
      ) : askedAt === null ? (
        <span className="t3">never</span>
      ) : (
        <span className="t2 tn">{formatWhen(askedAt)}</span>
      ),
    width: 100,
  },
  {
    id: 'finding',
    head: 'Finding',
    value: ({ findings }) => worstFirst(findings)[0]?.text ?? null,
    cell: ({ findings }) => <FindingCell findings={worstFirst(findings)} />,
    width: 130,
    grow: true,
  },
];

function Holds({ machine: { askedAt, holds } }: { machine: MachineView }) {
  if (askedAt === null) return <span className="t3">unknown</span>;
  if (holds.length === 0) return <span className="t3">none named</span>;
  return (
    <span className="row g4">
      {holds.slice(0, 3).map(({ licenceNumber, name, expired }) => (
        <span key={licenceNumber} className={expired ? 'tag line danger-text' : 'tag line'}>
          {legible(name)}
          {expired && <span className="spoken"> expired</span>}
        </span>
      ))}
      {holds.length > 3 && <span className="xs t3">and {holds.length - 3} more</span>}
    </span>
  );
}

function FindingCell({ findings }: { findings: MachineView['findings'] }) {
  const [first, ...rest] = findings;
  if (!first) return null;
  return (
    <span className="row g6" title={drawable(findings.map(({ text }) => text).join('\n'))}>
      <Dot tone={tones[first.tone]} />
      <span className="trunc">{legible(first.text)}</span>
      {rest.length > 0 && <span className="xs t3 nowrap">and {rest.length} more</span>}
    </span>
  );
}
