import { Button } from '@mantine/core';
import type { Protocol } from '../../../shared/domain/connection.ts';
import { publishedPrice } from '../../../shared/domain/credits/published-price.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { PriceButton } from './price-button.tsx';

/** Operations that open one premise, whose answer Lookup shows again or asks for. */
const opensPremise: Readonly<Record<string, Protocol>> = { GetPremise: 'rest', GetPremiseAddress: 'soap' };

interface WaysOnProps {
  operation: string;
  subject: string;
  /** Whether the premise's answer is saved here. */
  isSaved: boolean;
}

/**
 * What can be done after a call: first the saved answer for nothing, then asking again at its price. A button that only fills a form
 * names no price: the form's button does.
 */
export function WaysOn({ operation, subject, isSaved }: WaysOnProps) {
  const go = useGo();
  const protocol = opensPremise[operation];
  if (protocol) {
    return (
      <div className="row wrap">
        {isSaved && (
          <PriceButton price={{ kind: 'credits', credits: 0 }} main onClick={() => go('lookup', { premise: subject })}>
            Open the saved answer
          </PriceButton>
        )}
        <PriceButton
          price={publishedPrice(operation)}
          onClick={() => go('lookup', { premise: subject, again: protocol })}
        >
          Ask again
        </PriceButton>
      </div>
    );
  }
  if (operation === 'Search') {
    return (
      <div className="row wrap">
        <Button onClick={() => go('lookup', { text: subject, focus: 'search' })}>Put it into the search box</Button>
      </div>
    );
  }
  if (operation === 'GetCredits') return null;
  return (
    <div className="row wrap">
      <Button onClick={() => go('lookup', { tab: 'operations', operation })}>Open its form</Button>
    </div>
  );
}
