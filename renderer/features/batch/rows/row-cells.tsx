import { Loader } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Batch, BatchRow, RowProgress } from '../../../../shared/domain/batch.ts';
import { Dot, Tag } from '../../../components/marks.tsx';
import { legible } from '../../../lib/text/legible.ts';
import { progressText, resultNames } from '../messages.ts';

/** The progress of a row: its sign and its word. */
export function ProgressMark({ progress, batch }: { progress: RowProgress; batch: Pick<Batch, 'state'> }) {
  const word = progressText(progress, batch);
  switch (progress) {
    case 'done':
      return (
        <span className="mark good">
          <IconCheck size={14} stroke={2.2} className="fixed" aria-hidden="true" />
          {word}
        </span>
      );
    case 'at-work':
      return (
        <span className="mark accent m">
          {batch.state === 'running' ? <Loader size={12} aria-hidden="true" /> : <Dot />}
          {word}
        </span>
      );
    case 'waiting':
      return (
        <span className="mark t3">
          <Dot tone="hollow" />
          {word}
        </span>
      );
    case 'stopped':
      return (
        <span className="mark t2">
          <Dot />
          {word}
        </span>
      );
    case 'unknown':
      return <Tag tone="warn">{word}</Tag>;
    case 'failed':
      return <Tag tone="danger">{word}</Tag>;
    case 'malformed':
      return <Tag>{word}</Tag>;
  }
}

/** What the matching found; a row that is not done has none. */
export function ResultMark({ row }: { row: BatchRow }) {
  if (row.progress !== 'done') return row.progress === 'unknown' ? <span className="t3">none yet</span> : null;
  const word = row.chosenBy === '' ? resultNames[row.result] : `${resultNames[row.result]}, chosen`;
  switch (row.result) {
    case 'exact':
      return <span className="m">{word}</span>;
    case 'several':
      return <span className="accent m">{word}</span>;
    case 'differs':
      return <span className="warn m">{word}</span>;
    default:
      return <span className="t2">{word}</span>;
  }
}

/** What the service knows of a row; a code and words that were given and not used come first, since a narrow column cuts the end. */
export function RowText({ row }: { row: BatchRow }) {
  const quiet = row.progress !== 'done' || row.result === 'none' || row.result === 'premise-not-found';
  const unused = row.notUsed.filter((word) => !row.text.includes(word));
  return (
    <span className={quiet ? 't2' : undefined}>
      {row.returnCode !== undefined && <span className="warn">Return_Code {legible(row.returnCode)}: </span>}
      {unused.length > 0 && (
        <>
          <span className="warn">{legible(unused.join(' '))}</span> not used{row.text === '' ? '' : ': '}
        </>
      )}
      {legible(markWords(row.text, row.notUsed))}
    </span>
  );
}

function markWords(text: string, words: readonly string[]) {
  const found = words.filter((word) => word !== '' && text.includes(word));
  if (found.length === 0) return text;
  const pieces: { text: string; marked: boolean; at: number }[] = [];
  let at = 0;
  while (at < text.length) {
    const next = found
      .map((word) => ({ word, index: text.indexOf(word, at) }))
      .filter(({ index }) => index >= 0)
      .sort((a, b) => a.index - b.index || b.word.length - a.word.length)[0];
    if (!next) break;
    if (next.index > at) pieces.push({ text: text.slice(at, next.index), marked: false, at });
    pieces.push({ text: next.word, marked: true, at: next.index });
    at = next.index + next.word.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false, at });
  return pieces.map(({ text: piece, marked, at: key }) =>
    marked ? (
      <span key={key} className="warn">
        {piece}
      </span>
    ) : (
      <span key={key}>{piece}</span>
    ),
  );
}
