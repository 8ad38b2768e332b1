import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import {
  type ClipboardEvent,
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { protocolNames } from '../../../../shared/domain/connection.ts';
import { type LookupText, plainLookupText, readLookupText } from '../../../../shared/domain/lookup/lookup-text.ts';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { createKeyedStore } from '../../../lib/session/keyed-store.ts';
import { countOf, formatNumber, formatPrice, isFree } from '../../../lib/text/format.ts';
import { searchWaysQuery, suggestQuery } from '../queries.ts';
import { type BoxAction, type BoxActions, boxActions } from './box-actions.ts';
import { BoxPanel } from './box-panel.tsx';

interface SearchBarProps {
  connectionId: string;
  text: string;
  onText: (text: string) => void;
  /** The search that is shown is under way: nothing else is sent from here before it ends. */
  busy: boolean;
  onDo: (action: BoxAction) => void;
  /** Arrow down when nothing is offered under the box: to the results. */
  onDown: () => void;
  box: RefObject<HTMLInputElement | null>;
}

/** Characters of a search text; `mostPasted`: of a pasted list of postcodes. */
const mostText = 500;
const mostPasted = 200_000;

/** A pasted text of which the box shows the beginning. `list`: all its postcodes, null if it is no list; `leftOut`: characters at its end. */
interface Pasted {
  shown: string;
  list: string | null;
  leftOut: number;
}

/** The last one by connection. It outlives the window's process as the box's text does, which would be taken for the whole list. */
const pastes = createKeyedStore<{ pasted: Pasted | null }>({ pasted: null }, { sessionKey: 'lookup/pasted' });

/** What of a text is read: of one that is too long not half of its last part. */
const readable = (given: string): string =>
  given.length > mostPasted ? given.slice(0, mostPasted).replace(/[\r\n\t,;|][^\r\n\t,;|]*$/, '') : given;

/** As many whole postcodes as fit the box: half of one would make words of the list, for which a search may cost. */
function firstOf(postcodes: readonly string[]): string {
  let shown = '';
  for (const postcode of postcodes) {
    const next = shown === '' ? postcode : `${shown}, ${postcode}`;
    if (next.length > mostText) break;
    shown = next;
  }
  return shown;
}

/** What a person must know of what they pasted, now that the box's text is `text`; null: nothing. */
function pasteNoteOf({ shown, list, leftOut }: Pasted, text: string): string | null {
  const postcodes = list === null ? null : formatNumber(list.split(',').length);
  if (shown !== text) {
    const isChanged = postcodes !== null && text.startsWith(shown.slice(0, 20));
    return isChanged ? `Changed, the list is only what the box shows. Paste it again for all ${postcodes}.` : null;
  }
  const said = [];
  if (postcodes !== null && shown.replaceAll(', ', ',') !== list)
    said.push(
      `The box shows the first ${formatNumber(shown.split(', ').length)} of ${postcodes} postcodes; a batch takes all ${postcodes}.`,
    );
  if (leftOut > 0) {
    const room = formatNumber(postcodes === null ? mostText : mostPasted);
    said.push(`${countOf(leftOut, 'character')} at the end left out: there is room for ${room}.`);
  }
  return said.join(' ');
}

/** How long nothing must be typed before a text counts as finished (ms). */
const pauseMs = 700;

/** One box for all that can be searched for. Typing is read and priced on this computer; only Enter and the buttons send. */
export function SearchBar({ connectionId, text, onText, busy, onDo, onDown, box }: SearchBarProps) {
  const panelId = useId();
  const noteId = useId();
  const bar = useRef<HTMLFormElement>(null);
  const [focused, setFocused] = useState(false);
  /** The text for which the panel was closed. */
  const [closedFor, setClosedFor] = useState<string | null>(text);
  const [enteredFor, setEnteredFor] = useState<string | null>(null);
  const [rested] = useDebouncedValue(text, pauseMs);
  const { pasted: lastPasted } = pastes.use(connectionId);
  const pasted = lastPasted?.shown === text ? lastPasted : null;
  const pasteNote = lastPasted && pasteNoteOf(lastPasted, text);
  const whole = pasted?.list ?? text;
  const read = useMemo(() => readLookupText(whole), [whole]);
  const { actions, exact, isSavedKnown, unread } = useBox(connectionId, read);
  const { other } = actions;
  const hasPaused = rested === text || enteredFor === text;
  const open = focused && read.kind !== 'nothing' && closedFor !== text;

  /** As if it were typed over all of it: a text that React puts there is not taken back by the field's own undo. */
  const replace = (next: string) => {
    box.current?.focus();
    box.current?.select();
    // Deprecated, with nothing in its place; the field then says that it changed, as after a key.
    document.execCommand(next === '' ? 'delete' : 'insertText', false, next);
  };
  const act = (action: BoxAction) => {
    setClosedFor(text);
    // Before the panel is removed together with the element that has the focus.
    box.current?.focus();
    onDo(action);
  };
  /** Enter was pressed before it was known whether this very text is saved: it takes effect as soon as that is known. */
  const [pending, setPending] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setEnteredFor(text);
    if (busy) return;
    if (exact) {
      if (actions.main) act(actions.main);
    } else if (unread) for (const read of unread) void read.refetch();
    else setPending(text);
  };
  useEffect(() => {
    if (pending === null || !(exact || unread || pending !== text)) return;
    setPending(null);
    // Opening a premise may cost, and its price was not on the screen when Enter was pressed.
    if (pending === text && exact && actions.main && actions.main.kind !== 'open') act(actions.main);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      event.preventDefault();
      setClosedFor(text);
    }
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    const first = bar.current?.querySelector<HTMLElement>('.box-panel button:enabled');
    if (first) first.focus();
    else onDown();
  };
  /** Replaces line breaks by blanks: a field of one line would drop them and join the words of two lines. It would also cut unsaid. */
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const given = event.clipboardData.getData('text');
    const { selectionStart, selectionEnd } = event.currentTarget;
    const before = text.slice(0, selectionStart ?? text.length);
    const after = text.slice(selectionEnd ?? text.length);
    const isLong = before.length + given.length + after.length > mostText;
    if (!isLong && !/[\r\n\t]/.test(given.trim())) return;
    event.preventDefault();
    const taken = readable(given);
    const whole = `${before}${plainLookupText(taken)}${after}`;
    const read = readLookupText(whole);
    const shown =
      read.kind === 'postcodes' && whole.length > mostText ? firstOf(read.postcodes) : whole.slice(0, mostText);
    const leftOut = given.length - taken.length + (read.kind === 'postcodes' ? 0 : whole.length - shown.length);
    const isShort = shown !== whole && shown !== read.text;
    const list = read.kind === 'postcodes' ? read.postcodes.join(',') : null;
    pastes.change(connectionId, { pasted: isShort || leftOut > 0 ? { shown, list, leftOut } : null });
    replace(shown);
    // Another list may begin as the last one did, for which the panel was closed.
    setClosedFor(null);
  };
  const onBlur = (event: FocusEvent) => {
    if (!bar.current?.contains(event.relatedTarget)) setFocused(false);
  };
  const reason =
    read.kind === 'nothing'
      ? 'Type something to search for'
      : busy
        ? 'A search is under way'
        : actions.main
          ? undefined
          : read.reason;
  return (
    <search aria-label="Addresses">
      <form className="searchbar" onSubmit={submit} onFocus={() => setFocused(true)} onBlur={onBlur} ref={bar}>
        <div className="grow box-field">
          <TextInput
            ref={box}
            className="big lookup-box"
            aria-label="Postcode, street, business or building"
            aria-describedby={open ? noteId : undefined}
            placeholder="Postcode, street, business or building"
            value={text}
            maxLength={mostText}
            onChange={(event) => onText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            autoComplete="off"
            spellCheck={false}
            leftSection={<IconSearch size={16} className="ti" aria-hidden="true" />}
            rightSection={
              text !== '' && (
                <ActionIcon size={24} aria-label="Clear the search box" onClick={() => replace('')}>
                  <IconX size={14} className="ti" aria-hidden="true" />
                </ActionIcon>
              )
            }
          />
          {open && (
            <BoxPanel
              id={panelId}
              noteId={noteId}
              read={read}
              hasPaused={hasPaused}
              isSavedKnown={isSavedKnown}
              busy={busy}
              actions={actions}
              pasteNote={pasteNote}
              onDo={act}
              onUse={replace}
              onBack={() => {
                box.current?.focus();
                setClosedFor(text);
              }}
            />
          )}
        </div>
        <MainButton action={actions.main} both={other !== null} disabled={busy} title={reason} />
        {other && (
          <PriceButton size="big" price={other.way.price} disabled={busy || !exact} onClick={() => act(other)}>
            {other.label}
          </PriceButton>
        )}
      </form>
      {!open && pasteNote !== null && (
        <p className="pad pane-b sm warn" role="status">
          {pasteNote}
        </p>
      )}
      {unread && (
        <div className="pad pane-b">
          <ReadFailure of={unread} />
        </div>
      )}
    </search>
  );
}

interface MainButtonProps {
  action: BoxAction | null;
  /** Whether the same can be asked over the other interface too, so that the label names this one. */
  both: boolean;
  disabled: boolean;
  title: string | undefined;
}

/** What Enter does, with its price. */
function MainButton({ action, both, disabled, title }: MainButtonProps) {
  if (!action) {
    return (
      <Button className="big" type="submit" disabled title={title}>
        Search
      </Button>
    );
  }
  if (action.kind === 'search') {
    const { price, interface: protocol } = action.way;
    const over = both && price.kind === 'credits' ? ` over ${protocolNames[protocol]}` : '';
    return (
      <Button
        className={isFree(price) ? 'big free' : 'big'}
        variant={isFree(price) ? 'default' : 'filled'}
        type="submit"
        disabled={disabled}
        title={title}
      >
        {action.label} · {formatPrice(price)}
        {over}
      </Button>
    );
  }
  const price = action.kind === 'open' ? action.price : ({ kind: 'cached' } as const);
  return (
    <PriceButton main size="big" type="submit" price={price} disabled={disabled} title={title}>
      {action.kind === 'open' ? `Open premise ${action.premiseId}` : 'Open'}
    </PriceButton>
  );
}

interface Box {
  actions: BoxActions;
  /** Whether the prices are those of this very text. */
  exact: boolean;
  isSavedKnown: boolean;
  /** The reads of the prices that failed; null: none has. Nothing is searched for before they are read. */
  unread: readonly UseQueryResult[] | null;
}

/** What the box offers for a text. While the text's own prices are on their way, those of an unsaved search are shown. */
function useBox(connectionId: string, read: LookupText): Box {
  // The service has no question for a list of postcodes, and a long one is no text to price.
  const asked = read.kind === 'postcodes' ? '' : read.text;
  const text = useDeferredValue(asked);
  const base = useQuery(searchWaysQuery(connectionId, { text: '' }));
  const own = useQuery({ ...searchWaysQuery(connectionId, { text }), enabled: text !== '' });
  const saved = useQuery({
    ...suggestQuery(connectionId, text),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  const isSavedKnown = text === asked && saved.data !== undefined && !saved.isPlaceholderData;
  // A number that is saved opens for nothing. Where what is saved cannot be read, it may still be asked for.
  const isMainKnown = read.kind !== 'number' || isSavedKnown || saved.error !== null;
  const exact = text === asked && own.data !== undefined && isMainKnown;
  const ways = (exact ? own.data : base.data)?.ways;
  const suggestions = text === '' ? undefined : saved.data?.saved;
  const actions = useMemo(() => boxActions(read, ways ?? [], suggestions ?? []), [read, ways, suggestions]);
  const failed = [base, ...(text === '' ? [] : [own])].filter(({ error }) => error);
  return {
    actions,
    exact,
    isSavedKnown,
    unread: failed.length > 0 ? [...failed, ...(saved.error ? [saved] : [])] : null,
  };
}
