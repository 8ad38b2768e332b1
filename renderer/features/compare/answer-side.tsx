import { Select } from '@mantine/core';
import type { HeldSummary, Provenance } from '../../../shared/domain/lookup.ts';
import { Held } from '../../components/marks.tsx';
import { SpendNote } from '../../components/money/money-claims.tsx';
import { formatWhen } from '../../lib/text/format.ts';

export interface AnswerSideProps {
  label: string;
  value: string | null;
  onChange: (answerId: string | null) => void;
  /** Of the premise in hand, newest first. */
  own: readonly Provenance[];
  /** Any others that are held. */
  others: readonly HeldSummary[];
  /** What is known of the chosen one. */
  chosen: Provenance | null;
}

const over = (protocol: string) => (protocol === 'rest' ? 'REST' : protocol === 'soap' ? 'SOAP' : protocol);

/** One side of the comparison: any held answer, and where it came from. */
export function AnswerSide({ label, value, onChange, own, others, chosen }: AnswerSideProps) {
  const ownIds = new Set(own.map(({ answerId }) => answerId));
  const data = [
    {
      group: 'This premise',
      items: own.map((answer) => ({
        value: answer.answerId,
        label: `${over(answer.interface)} ${answer.operation}${answer.shape ? `, ${answer.shape}` : ''}, ${formatWhen(answer.at)}`,
      })),
    },
    {
      group: 'Other saved answers',
      items: others
        .filter(({ answerId }) => !ownIds.has(answerId))
        .map((answer) => ({
          value: answer.answerId,
          label: `${answer.label}: ${over(answer.interface)} ${answer.operation}, ${formatWhen(answer.at)}`,
        })),
    },
  ].filter(({ items }) => items.length > 0);
  return (
    <div className="compare-side">
      <Select
        aria-label={label}
        placeholder="Choose a saved answer"
        nothingFoundMessage="No saved answer"
        data={data}
        value={value}
        onChange={onChange}
        searchable
        maxDropdownHeight={320}
      />
      <div className="row wrap xs t3 compare-source">
        {chosen ? (
          <>
            {chosen.heldFor !== 'no' && <Held>saved, free</Held>}
            {chosen.shape && <span>{chosen.shape.length === 1 ? `shape ${chosen.shape}` : chosen.shape}</span>}
            <span>{formatWhen(chosen.at)}</span>
            <SpendNote expected={chosen.expectedCredits} claims={chosen.claims} />
          </>
        ) : (
          <span>nothing chosen</span>
        )}
      </div>
    </div>
  );
}
