import { Button } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import type { HeldSummary, Provenance } from '../../../shared/domain/lookup.ts';
import { AnswerSide } from './answer-side.tsx';
import type { Sides } from './sides.ts';

export interface CompareHeadProps {
  /** null: any two answers, of no premise in particular. */
  premiseId: string | null;
  title: string | undefined;
  subtitle: string | undefined;
  sides: Sides;
  onPick: (sides: Sides) => void;
  /** Of the premise in hand, newest first. */
  own: readonly Provenance[];
  /** Any others that are held. */
  others: readonly HeldSummary[];
  known: (answerId: string | null) => Provenance | null;
}

/** What is compared, and with which two answers. */
export function CompareHead({ premiseId, title, subtitle, sides, onPick, own, others, known }: CompareHeadProps) {
  const [left, right] = sides;
  return (
    <div className="compare-head">
      <div className="compare-title">
        <h2 className="title trunc" title={title}>
          {premiseId === null ? 'Any two answers' : (title ?? `Premise ${premiseId}`)}
        </h2>
        <div className="sm t2">{premiseId === null ? 'or choose a premise' : subtitle}</div>
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
