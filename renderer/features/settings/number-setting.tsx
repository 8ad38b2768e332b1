import { NumberInput } from '@mantine/core';
import { useEffect, useState } from 'react';

interface NumberSettingProps {
  label: string;
  /** After the figure: "day", "MB". */
  unit: string;
  /** Of the field, in pixels. */
  width?: number;
  min: number;
  max: number;
  value: number;
  onSave: (value: number) => void;
}

/**
 * A whole number that applies when its field is left or Enter is pressed: while 64 is being typed the field says 6, and what is
 * older or more than that would be removed. An invalid number is replaced by the stored one.
 */
export function NumberSetting({ label, unit, width = 112, min, max, value, onSave }: NumberSettingProps) {
  const [typed, setTyped] = useState<number | string>(value);
  useEffect(() => setTyped(value), [value]);
  const save = () => {
    if (typed === value) return;
    // Until the new value is saved, or if it cannot be, the field shows the stored one.
    setTyped(value);
    if (Number.isInteger(typed) && Number(typed) >= min && Number(typed) <= max) onSave(Number(typed));
  };
  return (
    <NumberInput
      aria-label={label}
      w={width}
      suffix={` ${unit}${unit === 'MB' || typed === 1 ? '' : 's'}`}
      min={min}
      max={max}
      clampBehavior="none"
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && save()}
    />
  );
}
