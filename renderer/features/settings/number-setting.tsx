import { NumberInput } from '@mantine/core';
import { useEffect, useState } from 'react';

interface NumberSettingProps {
  label: string;
  /** Behind the figure: "day", "MB". */
  unit: string;
  /** Of the field, in pixels. */
  width?: number;
  min: number;
  max: number;
  value: number;
  onSave: (value: number) => void;
}

/**
 * A whole number that applies when its field is left, or by Enter: every digit on the way to 64 would be a smaller one, and what is
 * older or more than that would be removed. What is no such number is put back.
 */
export function NumberSetting({ label, unit, width = 112, min, max, value, onSave }: NumberSettingProps) {
  const [typed, setTyped] = useState<number | string>(value);
  useEffect(() => setTyped(value), [value]);
  const save = () => {
    if (typed === value) return;
    // Until it is saved, and where it cannot be, the field shows what holds.
    setTyped(value);
    if (typeof typed === 'number' && typed >= min && typed <= max) onSave(typed);
  };
  return (
    <NumberInput
      aria-label={label}
      w={width}
      suffix={` ${unit}${unit === 'MB' || typed === 1 ? '' : 's'}`}
      min={min}
      max={max}
      clampBehavior="none"
      allowDecimal={false}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && save()}
    />
  );
}
