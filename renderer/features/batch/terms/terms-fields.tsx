import { Checkbox, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { formatDate } from '../../../lib/text/format.ts';
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
      <NumberInput
        label="Limit for this batch"
        value={terms.limit}
        onChange={(value) => onChange({ limit: whole(value) ?? 0 })}
        min={0}
        max={10_000_000}
        allowDecimal={false}
        allowNegative={false}
      />
      <NumberInput
        label="Minimum balance"
        placeholder="none"
        value={terms.minimumBalance ?? ''}
        onChange={(value) => onChange({ minimumBalance: whole(value) })}
        min={0}
        max={10_000_000}
        allowDecimal={false}
        allowNegative={false}
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
          value={keyNamed(keys, terms.keyLabel)?.label ?? null}
          onChange={(keyLabel) => onChange({ keyLabel })}
        />
      )}
    </div>
  );
}

const whole = (value: number | string): number | null => (typeof value === 'number' ? Math.round(value) : null);

/** Days for which a batch goes on by itself once that is ticked. */
const goOnDays = 2;
const dayMs = 86_400_000;

/** Going on after a start of the program without being asked: a tick, off, and only for a while. */
export function GoOnTick({ terms, onChange }: Pick<TermsFieldsProps, 'terms' | 'onChange'>) {
  const [until] = useState(() => terms.goOnUntil ?? new Date(Date.now() + goOnDays * dayMs).toISOString());
  return (
    <Checkbox
      className="batch-tick"
      label="Carry on automatically after a restart"
      description={`Up to the limit, until ${formatDate(until)}.`}
      checked={terms.goOnUntil !== null}
      onChange={(event) => onChange({ goOnUntil: event.currentTarget.checked ? until : null })}
    />
  );
}
