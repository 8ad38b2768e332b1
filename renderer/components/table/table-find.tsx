import { ActionIcon, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useEffect } from 'react';
import { countOf, formatNumber } from '../../lib/text/format.ts';

interface TableFindProps {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  /** How many rows contain the text. */
  found: number;
  /** Which of them is current, from 0; −1: none. */
  at: number;
  /** Rows that are not read yet are not searched. */
  partly: boolean;
  onText: (text: string) => void;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}

/** Searching the rows of a table, as a browser searches a page: Enter goes on, Shift and Enter back, Escape ends it. */
export function TableFind({ field, text, found, at, partly, onText, onStep, onClose }: TableFindProps) {
  useEffect(() => field.current?.focus(), [field]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
    else if (event.key === 'ArrowDown') onStep(1);
    else if (event.key === 'ArrowUp') onStep(-1);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const count =
    text === ''
      ? ''
      : found === 0
        ? 'not found'
        : at < 0
          ? countOf(found, 'row')
          : `${formatNumber(at + 1)} of ${formatNumber(found)}`;
  return (
    <search className="table-find" aria-label="Find in the table">
      <TextInput
        ref={field}
        className="low grow"
        aria-label="Find in the table"
        placeholder="Find in the table"
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        leftSection={<IconSearch size={13} className="ti" aria-hidden="true" />}
      />
      <span className="sm t2 nowrap" role="status">
        {count}
        {count !== '' && partly && ' in the rows read so far'}
      </span>
      <ActionIcon size={24} aria-label="Previous row found" disabled={found === 0} onClick={() => onStep(-1)}>
        <IconArrowUp size={14} className="ti" aria-hidden="true" />
      </ActionIcon>
      <ActionIcon size={24} aria-label="Next row found" disabled={found === 0} onClick={() => onStep(1)}>
        <IconArrowDown size={14} className="ti" aria-hidden="true" />
      </ActionIcon>
      <ActionIcon size={24} aria-label="Close finding" onClick={onClose}>
        <IconX size={14} className="ti" aria-hidden="true" />
      </ActionIcon>
    </search>
  );
}
