import {
  type ChangeVerdict,
  type LicenceChange,
  mayHaveSent,
} from '../../../../shared/domain/licences/licence-change.ts';
import { verdictText } from '../../../../shared/domain/licences/licence-verdicts.ts';
import { Tag } from '../../../components/marks.tsx';

const tones: Readonly<Record<ChangeVerdict, 'good' | 'warn' | 'danger' | 'line'>> = {
  seen: 'good',
  'not-seen': 'danger',
  'half-done': 'warn',
  'on-its-way': 'warn',
  unknown: 'warn',
  confirmed: 'line',
  contradicted: 'line',
};

/** The verdict in its short form; the sentences with their times are beside it. */
export function VerdictTag({ change }: { change: LicenceChange }) {
  const { verdict } = change;
  if (change.undoneBy !== undefined) return <Tag tone="line">undone</Tag>;
  if (verdict !== null) return <Tag tone={tones[verdict]}>{verdictText[verdict]}</Tag>;
  return mayHaveSent(change) ? <Tag tone="warn">not read back yet</Tag> : <Tag tone="line">nothing sent</Tag>;
}
