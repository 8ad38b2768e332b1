import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../lib/text/format.ts';

interface WholeNumberProps extends Pick<NumberInputProps, 'label' | 'aria-label' | 'placeholder' | 'className' | 'w'> {
  /** null: empty. */
  value: number | null;
  max: number;
  'data-autofocus'?: boolean;
  onChange: (value: number | null) => void;
}

/**
 * A field for a whole number from 0. What is none is refused, and it says which number counts meanwhile: with `allowDecimal={false}`
 * the point is dropped, so that 1,000.50 pasted as a limit is 100,050.
 */
export function WholeNumber({ value, max, onChange, ...rest }: WholeNumberProps) {
  const [refused, setRefused] = useState<string | number | null>(null);
  const counts = value === null ? 'None is set.' : `${formatNumber(value)} counts.`;
  return (
    <NumberInput
      {...rest}
      clampBehavior="none"
      value={refused ?? value ?? ''}
      min={0}
      max={max}
      error={refused !== null && `A whole number up to ${formatNumber(max)}. ${counts}`}
      onChange={(next) => {
        const whole = /^\d*$/.test(String(next)) && Number(next) <= max;
        setRefused(whole ? null : next);
        if (whole) onChange(next === '' ? null : Number(next));
      }}
    />
  );
}
