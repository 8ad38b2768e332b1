import { Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormField } from '../../../../shared/contract/operations.ts';
import { adviceOn } from '../form-state.ts';

const typeText: Record<FormField['type'], string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'yes or no',
};

interface FieldInputProps {
  field: FormField;
  value: string;
  onChange: (text: string) => void;
  listSeparator: string;
  /** What the program or the service says is wrong with it. */
  error: string | null;
}

/** One field of a form: its label, its published name and type, its help. */
export function FieldInput({ field, value, onChange, listSeparator, error }: FieldInputProps) {
  const { name, type, label, help, required, list } = field;
  if (type === 'boolean')
    return (
      <Switch
        label={label}
        description={`${name}. ${help}`}
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
        error={error}
      />
    );
  const advice = error === null ? adviceOn(field, value) : null;
  const description: ReactNode = (
    <>
      {name}, {typeText[type]}
      {required ? ', required' : ''}. {help}
      {list === 'separator' && ` One per line; sent joined by “${listSeparator}”.`}
      {list === 'elements' && ' One per line; each is sent as a separate element.'}
      {advice !== null && <span className="warn"> {advice}</span>}
    </>
  );
  const common = {
    label,
    description,
    value,
    error,
    inputWrapperOrder: ['label', 'input', 'error', 'description'] as ('label' | 'input' | 'error' | 'description')[],
    spellCheck: false,
    autoComplete: 'off',
  };
  // No maxLength: it would cut what is pasted without a word. What is too long is said, and not sent.
  return list === null ? (
    <TextInput {...common} onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <Textarea {...common} rows={4} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}
