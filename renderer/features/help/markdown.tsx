import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { type Place, places } from '../../../shared/places.ts';

export interface MarkdownLinks {
  /** Another page of the help, by its file's name. */
  onPage: (id: string) => void;
  onPlace: (place: Place) => void;
}

/**
 * Markdown as elements of the window. Drawn from the parser's tokens, since the window's trusted types allow no HTML from a string. Pictures
 * are left out: they are for readers of the repository; here the screens themselves can be opened.
 */
export function Markdown({ tokens, links }: { tokens: readonly Token[]; links: MarkdownLinks }): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a page's parts have no other name and never move
    <Fragment key={index}>{block(token, links)}</Fragment>
  ));
}

const isPicture = (token: Token): boolean =>
  token.type === 'paragraph' && (token as Tokens.Paragraph).tokens.every(({ type }) => type === 'image');

function block(token: Token, links: MarkdownLinks): ReactNode {
  if (isPicture(token)) return null;
  switch (token.type) {
    case 'heading':
      // The screen already shows the page's own heading.
      return (token as Tokens.Heading).depth === 1 ? null : <h3 className="h">{inline(token.tokens, links)}</h3>;
    case 'paragraph':
      return <p>{inline(token.tokens, links)}</p>;
    case 'code':
      return <pre className="mono sel">{(token as Tokens.Code).text}</pre>;
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      const lines = items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <li key={index}>{item.tokens.map((part) => inline('tokens' in part ? part.tokens : [part], links))}</li>
      ));
      return ordered ? <ol>{lines}</ol> : <ul>{lines}</ul>;
    }
    case 'table':
      return <HelpTable table={token as Tokens.Table} links={links} />;
    default:
      return null;
  }
}

function HelpTable({ table, links }: { table: Tokens.Table; links: MarkdownLinks }) {
  return (
    <table className="help-table">
      <thead>
        <tr>
          {table.header.map((cell) => (
            <th key={cell.text} scope="col">
              {inline(cell.tokens, links)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row) => (
          <tr key={row[0]?.text}>
            {row.map((cell, index) =>
              index === 0 ? (
                <th key={cell.text} scope="row">
                  {inline(cell.tokens, links)}
                </th>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row's cells have no other name and never move
                <td key={index}>{placeOrText(cell, links)}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A cell that contains only the name of a screen is a link to it. */
function placeOrText(cell: Tokens.TableCell, links: MarkdownLinks): ReactNode {
  const place = places.find(({ label }) => label === cell.text);
  if (!place) return inline(cell.tokens, links);
  return (
    <button type="button" className="link" onClick={() => links.onPlace(place.id)}>
      {place.label}
    </button>
  );
}

function inline(tokens: readonly Token[] | undefined, links: MarkdownLinks): ReactNode {
  return (tokens ?? []).map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <Fragment key={index}>{piece(token, links)}</Fragment>
  ));
}

function piece(token: Token, links: MarkdownLinks): ReactNode {
  switch (token.type) {
    case 'strong':
      return <b>{inline(token.tokens, links)}</b>;
    case 'em':
      return <em>{inline(token.tokens, links)}</em>;
    case 'codespan':
      return <code className="mono sel">{(token as Tokens.Codespan).text}</code>;
    case 'link': {
      const id = (token as Tokens.Link).href.replace(/\.md$/, '');
      return (
        <button type="button" className="link" onClick={() => links.onPage(id)}>
          {inline(token.tokens, links)}
        </button>
      );
    }
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token.tokens, links) : (token as Tokens.Text).text;
    default:
      return null;
  }
}
