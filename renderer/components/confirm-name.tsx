import { TextInput } from '@mantine/core';

interface ConfirmNameProps {
  /** The name exactly as the plan shows it. */
  name: string;
  value: string;
  onChange: (value: string) => void;
  label: string;
  disabled: boolean;
  autoFocus?: boolean;
}

/** Whether what is typed is the name, case and inner blanks included; blanks at the ends are not part of a name. */
export function confirmsName(typed: string, name: string): boolean {
  return typed.trim() === name.trim() && name.trim() !== '';
}

const advise = (typed: string, name: string): string | null => {
  const said = typed.trim();
  if (said === '' || name.trim().startsWith(said)) return null;
  return said.toLowerCase() === name.trim().toLowerCase() ? 'Capital and small letters must match.' : 'Not that name.';
};

/** The field that confirms a licence change by the machine's name. Pasting is allowed: it names the machine just as well. */
export function ConfirmName({ name, value, onChange, label, disabled, autoFocus }: ConfirmNameProps) {
  return (
    <TextInput
      className="codes"
      label={label}
      value={value}
      disabled={disabled}
      autoFocus={autoFocus}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={advise(value, name)}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
    />
  );
}
