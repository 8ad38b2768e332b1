import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { Batch, Candidate, Choice, Several } from '../../../../shared/domain/batch.ts';
import { Failure } from '../../../components/failure.tsx';
import { Kbd } from '../../../components/marks.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { announce } from '../../../lib/window/announce.ts';
import { takeBatch } from '../follow.ts';
import { batchRowsKey, severalQuery } from '../queries.ts';

interface SeveralPaneProps {
  batch: Batch;
  row: number;
  /** Place among the rows shown, from 0. */
  index: number;
  total: number;
  onMove: (index: number) => void;
  /** After a choice, when the rows have been read again; `open`: it was taken back. */
  onChosen: (open: boolean) => Promise<void>;
  onClose: () => void;
}

const parts = ['organisation', 'number', 'street', 'town', 'postcode'] as const;
const heads = ['Organisation', 'Number', 'Street', 'Town', 'Postcode'] as const;
/** Candidates with a key of their own, 1 to 9. */
const mostKeys = 9;

/**
 * Which of several premises a row means. The buttons from row to row stay, so that they can be pressed quickly; those that choose are new for
 * each row.
 */
export function SeveralPane(props: SeveralPaneProps) {
  const { batch, row, index, total, onMove, onClose } = props;
  const { data, error } = useQuery(severalQuery(batch.id, row));
  return (
    <section className="batch-several pane-t" aria-label={`Row ${row}: which premise is meant?`}>
      <div className="subbar tall">
        <h2 className="title nowrap">
          Row {formatNumber(row)}
          {data ? `: ${data.text}` : error ? '' : ': reading'}
        </h2>
        <span className="t2 trunc">which one is meant?</span>
        <span className="grow" />
        {total > 0 && (
          <>
            <span className="t3 nowrap">
              {formatNumber(index + 1)} of {formatNumber(total)}
            </span>
            <Button disabled={index === 0} onClick={() => onMove(index - 1)}>
              Previous
            </Button>
            <Button disabled={index + 1 >= total} onClick={() => onMove(index + 1)}>
              Next
            </Button>
          </>
        )}
        <ActionIcon aria-label="Close the choice" onClick={onClose}>
          <IconX size={16} className="ti" aria-hidden="true" />
        </ActionIcon>
      </div>
      <Candidates key={row} {...props} />
    </section>
  );
}

/** The premises under what was given, in the same columns. Keys 1 to 9 choose, 0 leaves it. */
function Candidates({ batch, row, index, onMove, onChosen }: SeveralPaneProps) {
  const client = useQueryClient();
  const several = useQuery(severalQuery(batch.id, row));
  const choice = useMutation({
    mutationFn: (choice: Choice | null) => call('batch.choose', { batchId: batch.id, row, choice }),
    meta: { subject: `Choosing for row ${row} of ${batch.name}` },
    onSuccess: async ({ row: now, batch: changed }) => {
      takeBatch(client, changed);
      announce(now.chosenBy === '' ? `Row ${row} left as it was` : `Row ${row}: ${now.text}`);
      await client.invalidateQueries({ queryKey: [...batchRowsKey(batch.id)] });
      await client.invalidateQueries({ queryKey: severalQuery(batch.id, row).queryKey });
      await onChosen(now.result === 'several');
    },
  });
  /** By its place in the list; null: none of these. */
  const choose = (place: number | null) => {
    if (choice.isPending || !several.data) return;
    const candidate = place === null ? undefined : several.data.candidates[place];
    if (place !== null && candidate) choice.mutate({ place, premiseId: candidate.premiseId });
    else if (several.data.chosen === null) onMove(index + 1);
    else choice.mutate(null);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    // Kept pressed it would choose for the rows after this one.
    if (event.repeat) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('input, textarea, select, [role="dialog"], [role="menu"]')) return;
    if (!/^\d$/.test(event.key)) return;
    const number = Number(event.key);
    if (number !== 0 && !several.data?.candidates[number - 1]) return;
    event.preventDefault();
    choose(number === 0 ? null : number - 1);
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const { data } = several;
  return (
    <>
      {(several.error ?? choice.error) && (
        <div className="pad">
          <ReadFailure of={several} />
          {choice.error && <Failure error={errorOf(choice.error)} />}
        </div>
      )}
      {data && <CandidateTable data={data} busy={choice.isPending} onChoose={choose} />}
      <div className="footbar actions batch-foot">
        <button type="button" className="bare row g6 t2" disabled={!data} onClick={() => choose(null)}>
          <Kbd>0</Kbd> None of these: leave it as several
        </button>
        <span className="grow" />
        <span className="sm t3 batch-foot-text">
          Choosing is free and moves to the next row; rows that say the same go with it. The result then has the id and
          this address of the premise, for which nothing more is asked, and says who chose.
        </span>
      </div>
    </>
  );
}

function CandidateTable({ data, busy, onChoose }: { data: Several; busy: boolean; onChoose: (place: number) => void }) {
  return (
    <div className="batch-candidates">
      <table className="tbl sticky-head diff" aria-label="What was given, and the premises that fit">
        <colgroup>
          <col className="key" />
          <col className="organisation" />
          <col className="number" />
          <col className="street" />
          <col className="town" />
          <col className="postcode" />
          <col />
          <col className="choose" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span className="spoken">Key</span>
            </th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <th scope="col">Against what was given</th>
            <th scope="col">
              <span className="spoken">Choose</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="given">
            <th scope="row" className="t3">
              given
            </th>
            {parts.map((part) => (
              <td key={part} className={data.given[part] === '' ? 't3' : 'm'} title={data.given[part]}>
                {data.given[part] === '' ? 'not given' : legible(data.given[part])}
              </td>
            ))}
            <td className="t3">{countOf(parts.filter((part) => data.given[part] !== '').length, 'part')}</td>
            <td />
          </tr>
          {data.candidates.map((candidate, index) => {
            const chosen = index === data.chosen;
            return (
              <tr key={`${candidate.premiseId} ${candidate.line}`} aria-selected={chosen}>
                <th scope="row">{index < mostKeys && <Kbd>{index + 1}</Kbd>}</th>
                {parts.map((part) => (
                  <td key={part} title={candidate.parts[part]}>
                    {markOver(candidate.parts[part], candidate.over)}
                  </td>
                ))}
                <td className="t2">{against(candidate)}</td>
                <td className="num">
                  <Button
                    size="compact-xs"
                    className="small"
                    disabled={busy}
                    aria-label={`Choose ${candidate.line}`}
                    onClick={() => onChoose(index)}
                  >
                    {chosen ? 'Chosen' : 'Choose'}
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** "2 words over", "4 over, “Row” not used", "every word used". */
function against({ over, notUsed }: Candidate): string {
  if (notUsed.length === 0) return over.length === 0 ? 'the same words' : `${countOf(over.length, 'word')} left over`;
  const unused = `“${notUsed.join(' ')}” not used`;
  return over.length === 0 ? unused : `${formatNumber(over.length)} left over, ${unused}`;
}

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Marks the words of a premise that were not given. */
function markOver(text: string, over: readonly string[]): ReactNode {
  const marked = new Set(over.map(plain));
  const runs: { at: number; text: string; over: boolean }[] = [];
  for (const match of text.matchAll(/\S+/g)) {
    const isOver = marked.has(plain(match[0]));
    const last = runs.at(-1);
    if (last && last.over === isOver) last.text = text.slice(last.at, match.index + match[0].length);
    else runs.push({ at: match.index, text: match[0], over: isOver });
  }
  return runs.map((run, index) => (
    <span key={run.at}>
      {index > 0 && ' '}
      {run.over ? <mark>{legible(run.text)}</mark> : legible(run.text)}
    </span>
  ));
}
