import { Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { markWords } from '../../../shared/domain/text/search-words.ts';
import { Cached, Kbd } from '../../components/marks.tsx';
import { countOf, formatPrice, isFree } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { type Command, useCommandSources } from '../../lib/window/commands.ts';
import { shortcutText } from '../../lib/window/shortcuts.ts';
import { activePlace, findCommands, type MarkedLine } from './palette-match.ts';

interface PaletteProps {
  opened: boolean;
  onClose: () => void;
}

/** Every command, screen, saved thing and saved address, found by typing. Typing makes no network call; what spends shows its price. */
export function Palette({ opened, onClose }: PaletteProps) {
  return (
    <Modal.Root opened={opened} onClose={onClose} size={620}>
      <Modal.Overlay />
      <Modal.Content aria-label="Commands" classNames={{ content: 'palette', inner: 'palette-inner' }}>
        <Finder onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}

function Finder({ onClose }: { onClose: () => void }) {
  const id = useId();
  const sources = useCommandSources();
  const [query, setQuery] = useState('');
  const [marked, setMarked] = useState<MarkedLine | null>(null);
  const groups = useMemo(() => findCommands(sources.values(), query), [sources, query]);
  const flat = groups.flatMap((entry) => entry.commands);
  const active = activePlace(flat, marked);
  const chosen = flat[active];

  const run = (command: Command | undefined) => {
    if (!command) return;
    // Closed first, in a drawing of its own: where the form that a command opens takes the focus in the same one, the dialog takes that for
    // its own and gives it back to where it was.
    flushSync(onClose);
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      run(chosen);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const place = (active + step + flat.length) % flat.length;
    const next = flat[place];
    if (!next) return;
    event.preventDefault();
    setMarked({ id: next.id, place });
    document.getElementById(`${id}-${next.id}`)?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <>
      <div className="find">
        <IconSearch size={17} className="ti t3" aria-hidden="true" />
        <input
          ref={focusAtOnce}
          data-autofocus
          role="combobox"
          aria-label="Find a command, screen or address"
          aria-expanded={flat.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
          placeholder="Find a command, screen or address"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setMarked(null);
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd>Esc</Kbd>
      </div>
      <div className="found" role="listbox" id={`${id}-list`} aria-label="Found">
        {groups.map(({ group, commands }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div className="group" id={`${id}-${group}`}>
              {group}
            </div>
            {commands.map((command) => (
              <Line
                key={command.id}
                id={`${id}-${command.id}`}
                command={command}
                query={query}
                active={command === chosen}
                onRun={() => run(command)}
              />
            ))}
          </div>
        ))}
      </div>
      {flat.length === 0 && (
        <div className="group">Nothing listed here matches. Try a word of a command or an address.</div>
      )}
      <div className="foot">
        <span>↑↓ choose</span>
        <span>Enter runs</span>
        <span className="spoken" role="status">
          {countOf(flat.length, 'line')} found
        </span>
        <span className="grow" />
        <span>Prices are shown beside what costs credits</span>
      </div>
    </>
  );
}

/** The dialog focuses its field only a moment later, and anything typed in between would be lost. */
const focusAtOnce = (input: HTMLInputElement | null): void => input?.focus();

interface LineProps {
  id: string;
  command: Command;
  query: string;
  active: boolean;
  onRun: () => void;
}

function Line({ id, command, query, active, onRun }: LineProps) {
  const Icon = command.icon ?? IconSearch;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the combobox holds the focus and the keys
    <div id={id} role="option" aria-selected={active} className="cmd" onClick={onRun}>
      <Icon size={16} className="ti t3" aria-hidden="true" />
      <span className="grow trunc">
        {markWords(command.label, query).map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one label have no other name and never move
          part.hit ? <b key={index}>{legible(part.text)}</b> : <span key={index}>{legible(part.text)}</span>,
        )}
      </span>
      <Side command={command} />
    </div>
  );
}

function Side({ command }: { command: Command }) {
  if (command.price?.kind === 'cached') return <Cached>saved, free</Cached>;
  if (command.price?.kind === 'credits' && command.price.credits > 0)
    return <span className="xs nowrap accent m">{formatPrice(command.price)}</span>;
  if (command.price)
    return <span className={`xs nowrap ${isFree(command.price) ? 'good' : 't3'}`}>{formatPrice(command.price)}</span>;
  if (command.shortcut) return <kbd>{shortcutText(command.shortcut)}</kbd>;
  return command.note ? <span className="xs t3">{command.note}</span> : null;
}
