import { IconColumns2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Connection, type Protocol, protocolNames } from '../../../shared/domain/connection.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { CopiedNote } from '../../components/copied-note.tsx';
import { Failure } from '../../components/failure.tsx';
import { NotRead, NotReadAgain, ReadFailure } from '../../components/read-failure.tsx';
import { EmptyState } from '../../components/state.tsx';
import { cachedPremisesQuery } from '../../lib/calls/queries.ts';
import { countOf } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { announce } from '../../lib/window/announce.ts';
import { useKeptFocus } from '../../lib/window/kept-focus.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { useCopy } from '../../lib/window/use-copy.ts';
import { AskLine, useAskOther } from './ask-line.tsx';
import { CompareHead } from './compare-head.tsx';
import { type CompareForm, CompareTools } from './compare-tools.tsx';
import { comparedColumns, differencesText, filterRows, type RowFilter } from './compared-rows.ts';
import { ComparedTable } from './compared-table.tsx';
import { cachedAnswersQuery, comparisonQuery, mostListed, premiseAnswersQuery, useCompareNews } from './queries.ts';
import { RawCompare } from './raw-compare.tsx';
import { chooseSides, missingProtocol, type Sides, sideName } from './sides.ts';
import './compare.css';

/** Two saved answers side by side; what is missing can be asked for, its price said first. */
export function CompareScreen({ connection }: { connection: Connection }) {
  const connectionId = connection.id;
  const [premiseId, setPremiseId] = useState<string | null>(null);
  const [picked, setPicked] = useState<Sides | null>(null);
  const [filter, setFilter] = useState<RowFilter>('all');
  const [form, setForm] = useState<CompareForm>('fields');
  const [showEmpty, setShowEmpty] = useState(false);
  const choose = (premise: string | null) => {
    setPremiseId(premise);
    setPicked(null);
  };
  useRouteParams('lookup', 'compare', ({ compare }) => {
    if (compare !== undefined) choose(compare);
  });

  useCompareNews(connectionId);

  const cached = useQuery(cachedPremisesQuery(connectionId));
  const all = useQuery(cachedAnswersQuery(connectionId));
  const own = useQuery({ ...premiseAnswersQuery(connectionId, premiseId ?? ''), enabled: premiseId !== null });
  const answers = (premiseId !== null && own.data?.answers) || [];
  const [left, right] = picked ?? chooseSides(answers);
  const comparison = useQuery({
    ...comparisonQuery(left ?? '', right ?? ''),
    enabled: left !== null && right !== null,
  });
  const { ask, asking, failure, dismiss, stop } = useAskOther(connection, premiseId);
  // Of two other answers nothing is said as of the premise chosen before.
  const isOfOthers =
    left !== null && right !== null && !answers.some(({ answerId }) => answerId === left || answerId === right);
  const shownPremise = isOfOthers ? null : premiseId;

  const isListed = premiseId === null && (left === null || right === null);
  const place = useRef<HTMLDivElement>(null);
  const isRead = cached.data !== undefined && all.data !== undefined;
  useKeptFocus(!isRead ? 'reading' : isListed ? 'list' : `premise/${premiseId ?? 'none'}`, () =>
    place.current?.querySelector<HTMLElement>(isListed ? '.compare-premise' : '.compare-all'),
  );

  const missing = own.data && missingProtocol(connection, answers);
  const get = async (protocol: Protocol) => {
    const answerId = await ask(protocol);
    if (!answerId) return;
    // Show the new answer beside the other interface's, unless another choice was made meanwhile.
    setPicked((now) => (now === picked ? null : now));
    announce(`${protocolNames[protocol]} answered`);
  };
  const known = (answerId: string | null): Provenance | null =>
    [comparison.data?.left, comparison.data?.right, ...answers].find((one) => one?.answerId === answerId) ?? null;
  const rows = comparison.data?.rows ?? [];
  const empty = rows.filter(({ verdict }) => verdict === 'neither').length;
  const shown = showEmpty && filter === 'all' ? rows : filterRows(rows, filter);
  const { copied, copy } = useCopy();
  const copyDifferences = () =>
    copy(differencesText(rows, sideName(known(left)), sideName(known(right))), 'the differences');

  const reads = [cached, all, own];
  if (!cached.data || !all.data || (own.error && !own.data)) return <NotRead of={reads} />;
  // Answers of the chosen premise that were just shown can be compared although none is saved.
  if (cached.data.premises.length === 0 && all.data.answers.length === 0 && answers.length === 0)
    return reads.some(({ error }) => error) || (premiseId !== null && !own.data) ? (
      <NotRead of={reads} />
    ) : (
      <EmptyState
        icon={<IconColumns2 size={24} stroke={1.5} />}
        title="Nothing to set side by side yet"
        foot="Comparing saved answers costs nothing."
      >
        Open an address under Search. An answer that is saved can be compared with another: REST against SOAP, or
        today’s against an earlier one.
      </EmptyState>
    );
  return (
    <div className="compare" ref={place}>
      <NotReadAgain of={reads} />
      <CompareHead
        heading={shownPremise === null ? 'Any two answers' : (own.data?.title ?? `Premise ${shownPremise}`)}
        subtitle={shownPremise !== null ? (own.data?.subtitle ?? '') : isOfOthers ? '' : 'or choose a premise'}
        onAll={isListed ? null : () => choose(null)}
        sides={[left, right]}
        onPick={setPicked}
        own={answers}
        others={all.data.answers}
        known={known}
      />
      {failure && shownPremise !== null && (
        <div className="pad pane-b">
          <Failure
            error={failure}
            actions={
              <button type="button" className="link" onClick={dismiss}>
                Close
              </button>
            }
          />
        </div>
      )}
      {shownPremise !== null && (missing || asking) && (
        <AskLine asking={asking} missing={missing} onGet={(protocol) => void get(protocol)} onStop={stop} />
      )}
      {left !== null && right !== null ? (
        <>
          <CompareTools
            form={form}
            onForm={setForm}
            filter={filter}
            onFilter={setFilter}
            rows={rows}
            comparable={comparison.data?.comparable ?? false}
            onCopy={copyDifferences}
            shown={shown}
            columns={comparedColumns(sideName(known(left)), sideName(known(right)))}
          />
          {copied && (
            <div className="pad pane-b">
              <CopiedNote copied={copied} />
            </div>
          )}
          {comparison.error ? (
            <div className="pad">
              <ReadFailure of={comparison} />
            </div>
          ) : form === 'raw' ? (
            <RawCompare leftId={left} rightId={right} />
          ) : comparison.data && !comparison.data.comparable ? (
            <EmptyState title="These answers are about different things">
              {comparison.data.left.title} and {comparison.data.right.title} share no fields. Their raw texts can be set
              side by side.
            </EmptyState>
          ) : (
            comparison.data && <ComparedTable rows={shown} left={comparison.data.left} right={comparison.data.right} />
          )}
          <div className="footbar">
            {form === 'fields' && empty > 0 && (
              <>
                <span className="t2">{countOf(empty, 'more field')}, empty in both answers</span>
                <button
                  type="button"
                  className="link"
                  aria-pressed={showEmpty}
                  onClick={() => setShowEmpty(!showEmpty)}
                >
                  {showEmpty ? 'Hide' : 'Show'}
                </button>
              </>
            )}
            <span className="grow" />
            {form === 'fields' && comparison.data?.firstOnly && (
              <span className="t2">
                Only the first {countOf(comparison.data.firstOnly, 'value')} of an answer are compared
              </span>
            )}
            <span className="t3">Comparing saved answers costs nothing</span>
          </div>
        </>
      ) : isListed ? (
        <PremiseChoice premises={cached.data.premises} onChoose={choose} />
      ) : (
        own.data && (
          <EmptyState
            title={
              answers.length === 0
                ? 'No answer of this premise is saved'
                : `${countOf(answers.length, 'answer')} of this premise to compare`
            }
          >
            {answers.length === 0
              ? 'Get one above, or open it under Search: an answer that is saved can be compared.'
              : `${missing ? `Get the ${protocolNames[missing]} answer above, or choose` : 'Choose'} any other saved answer to set beside it. Asking again under Search brings another of the same kind.`}
          </EmptyState>
        )
      )}
    </div>
  );
}

const mostPremises = 50;

interface PremiseChoiceProps {
  premises: readonly { premiseId: string; line: string; free: readonly Protocol[] }[];
  onChoose: (premiseId: string) => void;
}

/** The premises with saved answers, while none is chosen. */
function PremiseChoice({ premises, onChoose }: PremiseChoiceProps) {
  return (
    <section className="compare-choice" aria-label="Premises with saved answers">
      <h3 className="h">Premises with saved answers</h3>
      {premises.length === 0 && (
        <p className="t2">No premise’s address is saved. Any two saved answers can be chosen above.</p>
      )}
      <ul className="plain">
        {premises.slice(0, mostPremises).map(({ premiseId, line, free }) => (
          <li key={premiseId}>
            <button type="button" className="bare compare-premise" onClick={() => onChoose(premiseId)}>
              <span className="grow">{legible(line)}</span>
              <span className="xs t3">{free.map((protocol) => protocolNames[protocol]).join(' and ')}</span>
            </button>
          </li>
        ))}
      </ul>
      {premises.length > mostPremises && (
        <p className="xs t3">
          The newest {mostPremises}. The lists above have the newest {mostListed} saved answers.
        </p>
      )}
    </section>
  );
}
