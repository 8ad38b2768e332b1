import type { CacheMode } from '../../../../shared/domain/call.ts';
import type { PremiseView, UprnOperation } from '../../../../shared/domain/lookup/lookup.ts';
import { Fields } from '../../../components/fields.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { describeSource, shortSource } from '../source-messages.ts';

export interface IdentifiersPartProps {
  view: PremiseView;
  busy: boolean;
  /** By the way whose price the button names. */
  onGetUprn: (operation: UprnOperation, cache: CacheMode) => void;
}

/** UPRN, UDPRN and the premise's own identifier, as text. The UPRN is asked for by the planner's cheapest way. */
export function IdentifiersPart({ view, busy, onGetUprn }: IdentifiersPartProps) {
  const { uprn, udprn, uprnPlan: plan } = view;
  return (
    <section className="lookup-identifiers" aria-label="Identifiers">
      <Fields
        labelWidth={64}
        rows={[
          {
            label: 'UPRN',
            value: uprn?.value ?? (
              <span className="t3">
                {!plan ? 'not in SOAP answers' : plan.cameEmpty ? 'asked for, came empty' : 'not asked for'}
              </span>
            ),
            from:
              (uprn && shortSource(uprn.source)) ??
              (plan && (
                <PriceButton
                  size="small"
                  price={{ kind: 'credits', credits: plan.credits }}
                  disabled={busy}
                  onClick={() => onGetUprn(plan.operation, plan.cameEmpty ? 'reload' : 'default')}
                >
                  {plan.cameEmpty ? 'Ask again' : 'Get UPRN'}
                </PriceButton>
              )),
          },
          {
            label: 'UDPRN',
            value: udprn?.value ?? <span className="t3">not given</span>,
            from: udprn && shortSource(udprn.source),
          },
          { label: 'Premise', value: view.premiseId, from: describeSource(view.provenance).split(' ')[0] },
        ]}
      />
      {!uprn && plan && <p className="xs t3 lookup-plan">{plan.explanation}</p>}
    </section>
  );
}
