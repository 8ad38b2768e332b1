import type { LicenceChange } from '../../../shared/domain/licence-change.ts';
import { Tag } from '../../components/marks.tsx';
import { mayHaveSent } from './change-words.ts';

/** The verdict in its one word. Contradicted: the service said one thing and reading showed another, or none of it happened. */
export function VerdictTag({ change }: { change: LicenceChange }) {
  if (change.verdict === 'confirmed') return <Tag tone="held">confirmed</Tag>;
  if (change.verdict === 'contradicted') return <Tag tone="danger">contradicted</Tag>;
  if (change.verdict === 'unknown') return <Tag tone="warn">unknown</Tag>;
  return mayHaveSent(change) ? <Tag tone="warn">not proved yet</Tag> : <Tag tone="line">nothing sent</Tag>;
}
