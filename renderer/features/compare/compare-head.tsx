import { Button, Select } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import type { CachedSummary, Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { Cached } from '../../components/marks.tsx';
import { SpendNote } from '../../components/money/money-claims.tsx';
import { formatWhen } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import type { Sides } from './sides.ts';

interface CompareHeadProps {
  heading: string;
  subtitle: string;
  /** Back to the list of premises; null: it is shown, or there is none. */
  onAll: (() => void) | null;
  sides: Sides;
  onPick: (sides: Sides) => void;
  /** The answers of the chosen premise, newest first. */
  own: readonly Provenance[];
  /** All other saved answers. */
  others: readonly CachedSummary[];
  known: (answerId: string | null) => Provenance | null;
}

/** What is compared, and with which two answers. */
export function CompareHead({ heading, subtitle, onAll, sides, onPick, own, others, known }: CompareHeadProps) {
  const [left, right] = sides;
  return (
    <div className="compare-head">
      <div className="compare-title">
        {legible(
          <h2 className="title trunc" title={heading}>
            {heading}
          </h2>,
        )}
        <div className="sm t2">{legible(subtitle)}</div>
        {onAll && (
          <button type="button" className="link sm compare-all" onClick={onAll}>
            All premises
          </button>
        )}
      </div>
      <AnswerSide
        label="Left answer"
        value={left}
        onChange={(id) => onPick([id, right])}
        own={own}
        others={others}
        chosen={known(left)}
      />
      <AnswerSide
        label="Right answer"
        value={right}
        onChange={(id) => onPick([left, id])}
        own={own}
        others={others}
        chosen={known(right)}
      />
      <div className="compare-swap">
        <Button
          leftSection={<IconArrowsLeftRight size={15} className="ti" aria-hidden="true" />}
          disabled={left === null && right === null}
          onClick={() => onPick([right, left])}
        >
          Swap
        </Button>
      </div>
    </div>
  );
}

interface AnswerSideProps {
  label: string;
  value: string | null;
  onChange: (answerId: string | null) => void;
  /** The answers of the chosen premise, newest first. */
  own: readonly Provenance[];
  /** All other saved answers. */
  others: readonly CachedSummary[];
  /** Where the chosen answer came from. */
  chosen: Provenance | null;
}

const protocolName = (protocol: string) => (protocol === 'rest' ? 'REST' : protocol === 'soap' ? 'SOAP' : protocol);

/** One side of the comparison: any saved answer, and where it came from. */
function AnswerSide({ label, value, onChange, own, others, chosen }: AnswerSideProps) {
  const ownIds = new Set(own.map(({ answerId }) => answerId));
  const data = [
    {
      group: 'This premise',
      items: own.map((answer) => ({
        value: answer.answerId,
        label: `${protocolName(answer.interface)} ${answer.operation}${answer.shape ? `, ${answer.shape}` : ''}, ${formatWhen(answer.at)}`,
      })),
    },
    {
      group: 'Other saved answers',
      items: others
        .filter(({ answerId }) => !ownIds.has(answerId))
        .map((answer) => ({
          value: answer.answerId,
          label: `${drawable(answer.label)}: ${protocolName(answer.interface)} ${answer.operation}, ${formatWhen(answer.at)}`,
        })),
    },
  ].filter(({ items }) => items.length > 0);
  return (
    <div className="compare-side">
      <Select
        aria-label={label}
        placeholder="Choose a saved answer"
        nothingFoundMessage="Nothing listed here matches"
        data={data}
        value={value}
        onChange={onChange}
        searchable
        maxDropdownHeight={320}
      />
      <div className="row wrap xs t3 compare-source">
        {chosen ? (
          <>
            {chosen.cachedFor !== 'no' && <Cached>saved, free</Cached>}
            {chosen.shape && <span>{chosen.shape.length === 1 ? `shape ${chosen.shape}` : chosen.shape}</span>}
            <span>{formatWhen(chosen.at)}</span>
            <SpendNote expected={chosen.expectedCredits} claims={chosen.claims} />
          </>
        ) : (
          value === null && <span>nothing chosen</span>
        )}
      </div>
    </div>
  );
}
