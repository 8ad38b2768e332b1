import { Checkbox, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { mostCredits } from '../../../../shared/domain/credits/credits.ts';
import { WholeNumber } from '../../../components/whole-number.tsx';
import { countOf, formatDate } from '../../../lib/text/format.ts';
import type { Terms } from '../batch-store.ts';
import { keyNamed, keyOptions, usePayingKeys } from '../money.ts';

interface TermsFieldsProps {
  connectionId: string;
  terms: Terms;
  onChange: (change: Partial<Terms>) => void;
}

/** What a batch may spend, how fast, and with which key. */
export function TermsFields({ connectionId, terms, onChange }: TermsFieldsProps) {
  const keys = usePayingKeys(connectionId);
  return (
    <div className="batch-terms">
      <WholeNumber
        // Of the dialog: not on its button, which spends.
        data-autofocus
        label="Limit for this batch"
        value={terms.limit}
        max={mostCredits}
        onChange={(limit) => onChange({ limit: limit ?? 0 })}
      />
      <WholeNumber
        label="Minimum balance"
        placeholder="none"
        value={terms.minimumBalance}
        max={mostCredits}
        onChange={(minimumBalance) => onChange({ minimumBalance })}
      />
      <NumberInput
        label="Calls a second"
        value={terms.rate}
        onChange={(value) => typeof value === 'number' && value >= 0.1 && onChange({ rate: Math.min(50, value) })}
        min={0.1}
        max={50}
        step={1}
        decimalScale={1}
        allowNegative={false}
      />
      {keys.length > 0 && (
        <Select
          label="Key"
          data={keyOptions(keys, false)}
          placeholder="choose a key"
          value={keyNamed(keys, terms.keyLabel)?.label ?? null}
          onChange={(keyLabel) => onChange({ keyLabel })}
        />
      )}
    </div>
  );
}

/** Days for which a batch may go on by itself. */
const goOnDays = [1, 2, 7, 30] as const;
const dayMs = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();
/** The shortest offered time, in days, that reaches `until`. */
const daysUntil = (until: string): number =>
  goOnDays.find((days) => Date.parse(until) - Date.now() <= days * dayMs) ?? 30;

/** A tick, off at first, that lets the batch resume by itself after a start of the program, for a limited time. */
export function GoOnTick({ terms, onChange }: Pick<TermsFieldsProps, 'terms' | 'onChange'>) {
  const [days, setDays] = useState(() => (terms.goOnUntil === null ? 2 : daysUntil(terms.goOnUntil)));
  const until = terms.goOnUntil ?? inDays(days);
  return (
    <div className="batch-go-on">
      <Checkbox
        className="batch-tick"
        label="Carry on automatically after a restart"
        description={`Up to the limit, until ${formatDate(until)}.`}
        checked={terms.goOnUntil !== null}
        onChange={(event) => onChange({ goOnUntil: event.currentTarget.checked ? inDays(days) : null })}
      />
      {terms.goOnUntil !== null && (
        <Select
          className="low"
          aria-label="Carry on for"
          w={110}
          data={goOnDays.map((count) => ({ value: String(count), label: countOf(count, 'day') }))}
          value={String(days)}
          allowDeselect={false}
          onChange={(value) => {
            const next = Number(value);
            setDays(next);
            onChange({ goOnUntil: inDays(next) });
          }}
        />
      )}
    </div>
  );
}
