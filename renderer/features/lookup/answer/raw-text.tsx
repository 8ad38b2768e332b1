import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { showInvisible } from '../../../../shared/domain/text/visible-text.ts';
import { formatBytes, formatNumber } from '../../../lib/text/format.ts';

/** What is drawn at once. Of a longer text the start is drawn and found through; it is copied whole. */
const mostDrawn = 100_000;
/** A longer line is broken for drawing, and for nothing else. */
const longestLine = /[^\n]{1000}(?=[^\n])/g;

interface RawTextProps {
  text: string;
  label: string;
  tools: ReactNode;
}

/** A raw text with a box to find in it: Enter for the next place, Shift and Enter for the one before. */
export function RawText({ text, label, tools }: RawTextProps) {
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const box = useRef<HTMLElement>(null);
  const drawn = showInvisible(text.slice(0, mostDrawn)).replace(longestLine, '$&\n');
  const wanted = useDeferredValue(sought);
  const { pieces, matches } = useMemo(() => findInText(drawn, wanted), [drawn, wanted]);

  useEffect(() => {
    if (matches > 0) box.current?.querySelector(`[data-match="${at}"]`)?.scrollIntoView({ block: 'center' });
  }, [at, matches]);

  const step = (by: number) => matches > 0 && setAt((now) => (now + by + matches) % matches);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  };
  const count =
    wanted === ''
      ? ''
      : matches === 0
        ? 'not in it'
        : `${formatNumber(at + 1)} of ${matches >= mostMatches ? `${formatNumber(mostMatches)} or more` : formatNumber(matches)}`;
  return (
    <>
      <div className="row wrap lookup-raw-tools">
        {tools}
        <span className="grow" />
        <span className="row">
          <span className="sm t2 nowrap" role="status">
            {count}
          </span>
          <TextInput
            className="low"
            w={170}
            aria-label="Find in this text"
            placeholder="Find"
            data-autofocus
            value={sought}
            onChange={(event) => {
              setSought(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
            leftSection={<IconSearch size={13} className="ti" aria-hidden="true" />}
          />
          <ActionIcon aria-label="Place before" disabled={matches === 0} onClick={() => step(-1)}>
            <IconChevronUp size={15} className="ti" aria-hidden="true" />
          </ActionIcon>
          <ActionIcon aria-label="Next place" disabled={matches === 0} onClick={() => step(1)}>
            <IconChevronDown size={15} className="ti" aria-hidden="true" />
          </ActionIcon>
        </span>
      </div>
      {text.length > mostDrawn && (
        <p className="sm t2">
          Shown and found through: the first {formatBytes(mostDrawn)} of {formatBytes(text.length)}.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key */}
      <section ref={box} className="lookup-raw-text" aria-label={label} tabIndex={0}>
        <pre className="raw">
          {pieces.map((piece) =>
            piece.match !== null ? (
              <mark key={piece.at} data-match={piece.match} data-current={piece.match === at}>
                {piece.text}
              </mark>
            ) : piece.masked ? (
              <span key={piece.at} className="redact">
                {piece.text}
              </span>
            ) : (
              piece.text
            ),
          )}
        </pre>
      </section>
    </>
  );
}

interface Piece {
  text: string;
  /** Number of the match, from 0; null: the text between matches. */
  match: number | null;
  /** A masked secret. */
  masked: boolean;
  /** Position in the text. */
  at: number;
}

const mask = /••••[\p{L}\p{N}._-]{0,4}/gu;
const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Most matches marked at once; more are counted no further, and the count says so. */
const mostMatches = 1000;

/** Cuts a text at what is looked for (any case) and at masked secrets, in order and without loss. */
function findInText(text: string, sought: string): { pieces: Piece[]; matches: number } {
  const spans: { from: number; to: number; masked: boolean }[] = [];
  if (sought !== '') {
    for (const found of text.matchAll(new RegExp(escapePattern(sought), 'giu'))) {
      spans.push({ from: found.index, to: found.index + found[0].length, masked: false });
      if (spans.length >= mostMatches) break;
    }
  }
  const matches = spans.length;
  let masks = 0;
  let before = 0;
  for (const found of text.matchAll(mask)) {
    masks += 1;
    if (masks > mostMatches) break;
    const from = found.index;
    const to = from + found[0].length;
    // A match over a mask is the more useful of the two.
    while (before < matches && (spans[before]?.to ?? 0) <= from) before += 1;
    if ((spans[before]?.from ?? to) >= to || before >= matches) spans.push({ from, to, masked: true });
  }
  spans.sort((a, b) => a.from - b.from);

  const pieces: Piece[] = [];
  let at = 0;
  let match = 0;
  for (const span of spans) {
    if (span.from > at) pieces.push({ text: text.slice(at, span.from), match: null, masked: false, at });
    const own = text.slice(span.from, span.to);
    pieces.push({ text: own, match: span.masked ? null : match++, masked: span.masked, at: span.from });
    at = span.to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), match: null, masked: false, at });
  return { pieces, matches };
}
