import { ActionIcon, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { markWords } from '../../../shared/domain/text/search-words.ts';
import { Kbd } from '../../components/marks.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { useSessionState } from '../../lib/session/session-state.ts';
import { countOf } from '../../lib/text/format.ts';
import { useGo, useRouteParams, useWalk } from '../../lib/window/routes.tsx';
import { countEntries, searchHelp, tokensOf } from './help-search.ts';
import { Markdown } from './markdown.tsx';
import { helpPages } from './pages.ts';
import { shortcutGroups } from './shortcut-groups.ts';
import { ShortcutLists } from './shortcut-overlay.tsx';
import './help.css';

/** The one page that is generated from the program's shortcuts. */
const shortcutsId = 'shortcuts';

const lines = [
  ...helpPages.map((page) => ({ id: page.id, title: page.title, count: countEntries(page) })),
  {
    id: shortcutsId,
    title: 'Shortcuts',
    count: shortcutGroups.reduce((sum, { lines: inGroup }) => sum + inGroup.length, 0),
  },
];

/** The program's help: pages at the left, one of them or the search results at the right. Nothing is sent. */
export function HelpScreen() {
  const go = useGo();
  const walk = useWalk();
  const [shown, setShown] = useSessionState<string>('help/page', helpPages[0].id);
  const [query, setQuery] = useState('');
  const text = useRef<HTMLElement>(null);
  const open = (id: string) => {
    if (!lines.some((line) => line.id === id)) return;
    setShown(id);
    setQuery('');
    text.current?.scrollTo({ top: 0 });
  };
  useRouteParams('help', 'page', ({ page }) => page !== undefined && open(page));
  const found = useMemo(() => searchHelp(query), [query]);
  const searching = query.trim() !== '';

  return (
    <>
      <div className="pagebar">
        <ScreenTitle>Help</ScreenTitle>
        <Kbd>F1</Kbd>
        <span className="grow" />
        <TextInput
          className="help-search"
          type="search"
          aria-label="Search the help"
          placeholder="Search the help"
          leftSection={<IconSearch size={14} className="ti t3" aria-hidden="true" />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== 'Escape' || query === '') return;
            event.preventDefault();
            setQuery('');
          }}
        />
        <ActionIcon variant="subtle" aria-label="Close the help" onClick={() => walk('back')}>
          <IconX size={16} aria-hidden="true" />
        </ActionIcon>
      </div>
      <div className="help-page">
        <nav className="help-list" aria-label="Pages of the help">
          {lines.map(({ id, title, count }) => (
            <button
              key={id}
              type="button"
              aria-current={!searching && id === shown ? 'page' : undefined}
              onClick={() => open(id)}
            >
              <span className="grow">{title}</span>
              <span className="xs t3 tn" aria-hidden="true">
                {count}
              </span>
            </button>
          ))}
          <p className="xs t3 help-note">Works without a network.</p>
        </nav>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by keyboard */}
        <article className="help-text" ref={text} tabIndex={0} aria-label="Help">
          {searching ? (
            <Found found={found} query={query} onOpen={open} />
          ) : (
            <Page id={shown}>
              {shown !== shortcutsId && (
                <Markdown
                  tokens={tokensOf(helpPages.find(({ id }) => id === shown) ?? helpPages[0])}
                  links={{ onPage: open, onPlace: (place) => go(place) }}
                />
              )}
            </Page>
          )}
        </article>
      </div>
    </>
  );
}

function Page({ id, children }: { id: string; children: ReactNode }) {
  return (
    <>
      <h2>{lines.find((line) => line.id === id)?.title}</h2>
      {id === shortcutsId ? <ShortcutLists groups={shortcutGroups} /> : children}
    </>
  );
}

interface FoundProps {
  found: ReturnType<typeof searchHelp>;
  query: string;
  onOpen: (page: string) => void;
}

function Found({ found, query, onOpen }: FoundProps) {
  const places = found.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <>
      <p className="sm t2" role="status">
        {places === 0
          ? 'No help page contains all of these words.'
          : `${countOf(places, 'place')} on ${countOf(found.length, 'page')}`}
      </p>
      {found.map(({ page, entries }) => (
        <section key={page.id} aria-label={page.title}>
          <h2>{page.title}</h2>
          {entries.map((entry) => (
            <button
              key={`${entry.title} ${entry.text}`}
              type="button"
              className="help-hit"
              onClick={() => onOpen(page.id)}
            >
              <b>
                <Marked text={entry.title} query={query} />
              </b>
              <span className="t2">
                <Marked text={entry.text} query={query} />
              </span>
            </button>
          ))}
        </section>
      ))}
    </>
  );
}

const Marked = ({ text, query }: { text: string; query: string }) =>
  markWords(text, query).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name and never move
    part.hit ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
  );
