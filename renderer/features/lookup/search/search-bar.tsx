import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck, IconSearch, IconX } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, type RefObject, useId } from 'react';
import { checkPostcode } from '../../../../shared/domain/postcode.ts';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { isFree } from '../../../lib/text/format.ts';
import type { SearchPrice } from './use-search.ts';

interface SearchBarProps {
  text: string;
  onText: (text: string) => void;
  price: SearchPrice;
  /** A search is under way: another is not sent before it ends. */
  busy: boolean;
  onSubmit: () => void;
  /** Arrow down: to the results. */
  onDown: () => void;
  box: RefObject<HTMLInputElement | null>;
}

/** One box for all that can be searched for. Typing only checks and prices, both on this computer; Enter and the button ask. */
export function SearchBar({ text, onText, price, busy, onSubmit, onDown, box }: SearchBarProps) {
  const noteId = useId();
  const empty = text.trim() === '';
  const ready = !empty && !busy && price.price !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) onSubmit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    onDown();
  };
  const reason = empty ? 'Type something to search for' : busy ? 'A search is under way' : undefined;
  return (
    <search aria-label="Addresses">
      <form className="searchbar" onSubmit={submit}>
        <TextInput
          ref={box}
          className="grow big lookup-box"
          aria-label="Postcode, street, business or building"
          aria-describedby={noteId}
          placeholder="Postcode, street, business or building"
          value={text}
          maxLength={500}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          autoComplete="off"
          spellCheck={false}
          leftSection={<IconSearch size={16} className="ti" aria-hidden="true" />}
          rightSectionWidth="auto"
          rightSection={
            <span className="row sm lookup-check">
              <span id={noteId} className="row">
                <PostcodeNote text={text} onCorrect={onText} />
              </span>
              {text !== '' && (
                <ActionIcon
                  size={24}
                  aria-label="Clear the search box"
                  onClick={() => {
                    onText('');
                    box.current?.focus();
                  }}
                >
                  <IconX size={14} className="ti" aria-hidden="true" />
                </ActionIcon>
              )}
            </span>
          }
        />
        {price.price ? (
          <PriceButton main size="big" type="submit" price={price.price} disabled={!ready} title={reason}>
            {isFree(price.price) && price.price.kind === 'cached' ? 'Show' : 'Search'}
          </PriceButton>
        ) : (
          <Button className="big" type="submit" disabled title="The price is not known yet">
            Search
          </Button>
        )}
      </form>
    </search>
  );
}

/** So long nothing has to be typed before a text counts as finished (ms). */
const pauseMs = 700;

/** What the postcode's form says: a good one at once, anything else after a pause. It only warns: the service may know better. */
function PostcodeNote({ text, onCorrect }: { text: string; onCorrect: (text: string) => void }) {
  const [settled] = useDebouncedValue(text, pauseMs);
  const check = checkPostcode(text);
  if (check.state !== 'well-formed' && settled !== text) return null;
  if (check.state === 'not-a-postcode') {
    return check.hint ? <span className="t3 trunc lookup-hint">{check.hint}</span> : null;
  }
  if (check.state === 'well-formed') {
    return (
      <span className="row g4 held nowrap">
        <IconCircleCheck size={14} className="ti" aria-hidden="true" />
        well-formed postcode
      </span>
    );
  }
  return (
    <span className="row g4 warn" title={check.hint}>
      <IconAlertTriangle size={14} className="ti" aria-hidden="true" />
      <span className="nowrap">{check.state === 'unusual' ? 'unusual postcode' : 'malformed postcode'}</span>
      {check.state === 'malformed' && check.normalised !== undefined ? (
        <button type="button" className="link" onClick={() => onCorrect(check.normalised ?? text)}>
          Did you mean {check.normalised}?
        </button>
      ) : (
        check.hint && <span className="t2 trunc lookup-hint">{check.hint}</span>
      )}
    </span>
  );
}
