import { marked, type Token, type Tokens } from 'marked';
import { searchWords } from '../../../shared/domain/text/search-words.ts';
import { type HelpPage, helpPages } from './pages.ts';

/** One place of the help that a search result can point to: a row of a table, an item of a list or a paragraph. */
export interface HelpEntry {
  page: HelpPage;
  /** What a row begins with, else the heading above. */
  title: string;
  text: string;
}

const lexed = new Map<string, readonly Token[]>();

/** The page parsed, once. The pages are the program's own files, so they contain nothing hostile. */
export function tokensOf({ id, text }: HelpPage): readonly Token[] {
  const known = lexed.get(id) ?? marked.lexer(text);
  lexed.set(id, known);
  return known;
}

/** The words of inline Markdown without its marks. */
const plainText = (tokens: readonly Token[] | undefined): string =>
  (tokens ?? [])
    .map((token) => {
      if (token.type === 'image') return '';
      return 'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? String(token.text) : '';
    })
    .join('');

function entriesOf(page: HelpPage): HelpEntry[] {
  let heading = page.title;
  return tokensOf(page).flatMap((token): HelpEntry[] => {
    const entry = (text: string, title = heading): HelpEntry[] => (text.trim() === '' ? [] : [{ page, title, text }]);
    switch (token.type) {
      case 'heading':
        heading = plainText(token.tokens);
        return [];
      case 'paragraph':
        return entry(plainText(token.tokens));
      case 'list':
        return (token as Tokens.List).items.flatMap((item) => entry(plainText(item.tokens)));
      case 'table':
        return (token as Tokens.Table).rows.flatMap(([first, ...rest]) =>
          entry(rest.map((cell) => plainText(cell.tokens)).join(' · '), plainText(first?.tokens)),
        );
      default:
        return [];
    }
  });
}

/** Pages with the places that contain every word typed, those with a word in their title first. */
export function searchHelp(query: string): { page: HelpPage; entries: HelpEntry[] }[] {
  const words = searchWords(query);
  if (words.length === 0) return [];
  const inTitle = ({ title }: HelpEntry): number =>
    title.toLowerCase() === words.join(' ') ? 0 : words.some((word) => title.toLowerCase().includes(word)) ? 1 : 2;
  const best = (entries: readonly HelpEntry[]): number => Math.min(...entries.map(inTitle));
  return helpPages
    .map((page) => ({
      page,
      entries: entriesOf(page)
        .filter(({ title, text }) => words.every((word) => `${title} ${text}`.toLowerCase().includes(word)))
        .sort((one, other) => inTitle(one) - inTitle(other)),
    }))
    .filter(({ entries }) => entries.length > 0)
    .sort((one, other) => best(one.entries) - best(other.entries));
}

/** Rows of a page's tables, else its headings: the count in the list of pages. */
export const countEntries = (page: HelpPage): number => {
  const rows = tokensOf(page).flatMap((token) => (token.type === 'table' ? (token as Tokens.Table).rows : []));
  return rows.length > 0 ? rows.length : tokensOf(page).filter(({ type }) => type === 'heading').length - 1;
};
