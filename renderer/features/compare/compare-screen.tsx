import { Button, SegmentedControl } from '@mantine/core';
import { IconArrowsLeftRight, IconColumns2, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import type { Connection, LookupInterface } from '../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../shared/domain/credits.ts';
import type { Provenance } from '../../../shared/domain/lookup.ts';
import { announce } from '../../app/announce.tsx';
import { heldPremisesQuery } from '../../app/queries.ts';
import { useRouteParams } from '../../app/routes.tsx';
import { Failure } from '../../components/failure.tsx';
import { PriceButton } from '../../components/price-button.tsx';
import { Elapsed, EmptyState } from '../../components/state.tsx';
import { call } from '../../lib/bridge.ts';
import { countOf } from '../../lib/format.ts';
import { AnswerSide } from './answer-side.tsx';
import { countRows, differencesText, filterRows, type RowFilter } from './compared-rows.ts';
import { ComparedTable } from './compared-table.tsx';
import { comparisonQuery, heldAnswersQuery, premiseAnswersQuery } from './queries.ts';
import { RawCompare } from './raw-compare.tsx';
import { errorOf, useAskOther } from './use-ask-other.ts';
import { useCompareNews } from './use-compare-news.ts';
import './compare.css';

const operations = { rest: 'GetPremise', soap: 'GetPremiseAddress' } as const;
const names = { rest: 'REST', soap: 'SOAP' } as const;

/** The sides to begin with: REST left and SOAP right where both are held, else the newest two. */
function chooseSides(answers: readonly Provenance[]): [string | null, string | null] {
  const of = (face: LookupInterface) => answers.find((one) => one.operation === operations[face])?.answerId ?? null;
  const [rest, soap] = [of('rest'), of('soap')];
  if (rest && soap) return [rest, soap];
  const first = rest ?? soap ?? answers[0]?.answerId ?? null;
  return [first, answers.find(({ answerId }) => answerId !== first)?.answerId ?? null];
}

/** Two held answers side by side; what is missing can be asked for, its price said first. */
export function CompareScreen({ connection }: { connection: Connection }) {
  const connectionId = connection.id;
  const [premiseId, setPremiseId] = useState<string | null>(null);
  const [picked, setPicked] = useState<[string | null, string | null] | null>(null);
  const [filter, setFilter] = useState<RowFilter>('all');
  const [form, setForm] = useState<'fields' | 'raw'>('fields');
  const [showEmpty, setShowEmpty] = useState(false);
  useRouteParams('lookup', 'compare', ({ compare }) => {
    if (compare === undefined) return;
    setPremiseId(compare);
    setPicked(null);
  });

  useCompareNews(connectionId);

  const held = useQuery(heldPremisesQuery(connectionId));
  const all = useQuery(heldAnswersQuery(connectionId));
  const own = useQuery({ ...premiseAnswersQuery(connectionId, premiseId ?? ''), enabled: premiseId !== null });
  const answers = (premiseId !== null && own.data?.answers) || [];
  const [left, right] = picked ?? chooseSides(answers);
  const comparison = useQuery({
    ...comparisonQuery(left ?? '', right ?? ''),
    enabled: left !== null && right !== null,
  });
  const { ask, asking, failure, dismiss, stop } = useAskOther(connectionId);

  const missing = (['rest', 'soap'] as const).find(
    (face) =>
      (face === 'rest' ? connection.restBaseUrl : connection.soapUrl) !== '' &&
      !answers.some(({ operation }) => operation === operations[face]),
  );
  const get = async (over: LookupInterface) => {
    if (premiseId === null) return;
    const answerId = await ask(premiseId, over, false);
    if (!answerId) return;
    // The new answer takes its place beside the one of the other interface.
    setPicked(null);
    announce(`${names[over]} answered`);
  };
  const known = (answerId: string | null): Provenance | null =>
    [comparison.data?.left, comparison.data?.right, ...answers].find((one) => one?.answerId === answerId) ?? null;
  const rows = comparison.data?.rows ?? [];
  const counts = countRows(rows);
  const empty = rows.filter(({ verdict }) => verdict === 'neither').length;
  const shown = showEmpty && filter === 'all' ? rows : filterRows(rows, filter);
  const copy = () => {
    const text = differencesText(rows, sideName(known(left)), sideName(known(right)));
    call('app.copy-text', { text }).then(
      () => announce('Copied the differences'),
      (thrown: unknown) => announce(`Not copied: ${errorOf(thrown).message}`, true),
    );
  };

  const nothingHeld = (held.data?.premises.length ?? 0) === 0 && (all.data?.answers.length ?? 0) === 0;
  if (nothingHeld)
    return (
      <EmptyState
        icon={<IconColumns2 size={24} stroke={1.5} />}
        title="Nothing to set side by side yet"
        foot="Comparing held answers costs nothing."
      >
        Open an address under Search. Its answer is held and can be compared with another: REST against SOAP, or today’s
        against an earlier one.
      </EmptyState>
    );
  return (
    <div className="compare">
      <div className="compare-head">
        <div className="compare-title">
          <h2 className="title trunc" title={own.data?.title}>
            {premiseId === null ? 'Any two answers' : (own.data?.title ?? `Premise ${premiseId}`)}
          </h2>
          <div className="sm t2">{premiseId === null ? 'or choose a premise' : own.data?.subtitle}</div>
        </div>
        <AnswerSide
          label="Left answer"
          value={left}
          onChange={(id) => setPicked([id, right])}
          own={answers}
          others={all.data?.answers ?? []}
          chosen={known(left)}
        />
        <AnswerSide
          label="Right answer"
          value={right}
          onChange={(id) => setPicked([left, id])}
          own={answers}
          others={all.data?.answers ?? []}
          chosen={known(right)}
        />
        <div className="compare-swap">
          <Button
            leftSection={<IconArrowsLeftRight size={15} className="ti" aria-hidden="true" />}
            disabled={left === null && right === null}
            onClick={() => setPicked([right, left])}
          >
            Swap
          </Button>
        </div>
      </div>
      {failure && (
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
      {premiseId !== null && (missing || asking) && (
        <div className="subbar compare-ask" role="status">
          {asking ? (
            <>
              <span className="m">Asking {names[asking.over]} for this address</span>
              <Elapsed since={asking.since} />
              <span className="grow t3 trunc">Once it is sent, stopping does not take the credit back.</span>
              <button type="button" className="link" onClick={stop}>
                Stop waiting
              </button>
            </>
          ) : (
            missing && (
              <>
                <span className="grow t2 trunc">No {names[missing]} answer of this premise is held.</span>
                <PriceButton main price={openPrice(missing)} onClick={() => void get(missing)}>
                  Get the {names[missing]} answer
                </PriceButton>
              </>
            )
          )}
        </div>
      )}
      {left !== null && right !== null ? (
        <>
          <div className="subbar compare-tools">
            <SegmentedControl
              aria-label="Form"
              value={form}
              onChange={(value) => setForm(value === 'raw' ? 'raw' : 'fields')}
              data={[
                { value: 'fields', label: 'Fields' },
                { value: 'raw', label: 'Raw' },
              ]}
            />
            {form === 'fields' && comparison.data?.comparable && (
              <SegmentedControl
                aria-label="Rows shown"
                value={filter}
                onChange={(value) => setFilter(value as RowFilter)}
                data={[
                  { value: 'all', label: `All ${counts.all}` },
                  { value: 'differs', label: `Differ ${counts.differs}` },
                  { value: 'one-side', label: `One side ${counts['one-side']}` },
                  { value: 'same', label: `Same ${counts.same}` },
                ]}
              />
            )}
            <span className="grow t3 trunc compare-note">
              {form === 'fields' && 'Matched by meaning. Case, number type and blanks do not count as a difference.'}
            </span>
            {form === 'fields' && rows.length > 0 && (
              <Button leftSection={<IconCopy size={15} className="ti" aria-hidden="true" />} onClick={copy}>
                Copy differences
              </Button>
            )}
          </div>
          {comparison.error ? (
            <div className="pad">
              <Failure error={errorOf(comparison.error)} />
            </div>
          ) : form === 'raw' ? (
            <RawCompare leftId={left} rightId={right} errorOf={errorOf} />
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
            <span className="t3">Comparing held answers costs nothing</span>
          </div>
        </>
      ) : premiseId === null ? (
        <PremiseChoice
          premises={held.data?.premises ?? []}
          onChoose={(id) => {
            setPremiseId(id);
            setPicked(null);
          }}
        />
      ) : (
        <EmptyState title="One answer is held of this premise">
          Get the other interface’s answer above, or choose any other held answer to set beside it. Asking again under
          Search brings a second one of the same kind.
        </EmptyState>
      )}
    </div>
  );
}

function openPrice(face: LookupInterface): ShownPrice {
  const credits = publishedCredits(priceOf(operations[face]));
  return credits === undefined ? { kind: 'not-published' } : { kind: 'credits', credits };
}

const sideName = (answer: Provenance | null): string =>
  answer ? `${names[answer.interface]} ${answer.operation} ${answer.at}` : '';

const mostPremises = 50;

function PremiseChoice({ premises, onChoose }: PremiseChoiceProps) {
  return (
    <section className="compare-choice" aria-label="Premises with held answers">
      <h3 className="h">Premises with held answers</h3>
      <ul className="plain">
        {premises.slice(0, mostPremises).map(({ premiseId, line, free }) => (
          <li key={premiseId}>
            <button type="button" className="bare compare-premise" onClick={() => onChoose(premiseId)}>
              <span className="grow trunc">{line}</span>
              <span className="xs t3">{free.map((face) => names[face]).join(' and ')}</span>
            </button>
          </li>
        ))}
      </ul>
      {premises.length > mostPremises && (
        <p className="xs t3">The newest {mostPremises}; any other is found by typing in a list above.</p>
      )}
    </section>
  );
}
interface PremiseChoiceProps {
  premises: readonly { premiseId: string; line: string; free: readonly LookupInterface[] }[];
  onChoose: (premiseId: string) => void;
}
