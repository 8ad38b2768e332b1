import type { ShownPrice } from '../../../../shared/domain/credits.ts';
import type { Provenance } from '../../../../shared/domain/lookup.ts';
import { Fields } from '../../../components/fields.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { formatPublished, formatWhen } from '../../../lib/text/format.ts';
import { describeSource } from '../source-words.ts';

export interface HeldAnswersProps {
  answers: readonly Provenance[];
  now: Date;
  onShowRaw: (answerId: string) => void;
  /** The other interface, or null where the connection has no address for it. */
  other: { name: 'REST' | 'SOAP'; price: ShownPrice } | null;
  busy: boolean;
  onOther: () => void;
}

/** Every answer kept of this premise, newest first, and the way to ask the other interface for the same. */
export function HeldAnswers({ answers, now, onShowRaw, other, busy, onOther }: HeldAnswersProps) {
  return (
    <section className="lookup-held" aria-label="Answers saved for this premise">
      <h3 className="h">Answers saved for this premise</h3>
      {answers.length > 0 ? (
        <Fields
          labelWidth={96}
          rows={answers.map((answer) => ({
            key: answer.answerId,
            label: formatWhen(answer.at, now),
            value: (
              <button
                type="button"
                className="link lookup-answer"
                aria-haspopup="dialog"
                onClick={() => onShowRaw(answer.answerId)}
              >
                {describeSource(answer, '')}
              </button>
            ),
            from: formatPublished(answer.expectedCredits),
          }))}
        />
      ) : (
        <p className="xs t3">None: answers are not saved on this computer. Settings say for how long they are.</p>
      )}
      {other && (
        <div className="row lookup-other">
          <PriceButton size="small" price={other.price} disabled={busy} onClick={onOther}>
            The same over {other.name}
          </PriceButton>
        </div>
      )}
    </section>
  );
}
