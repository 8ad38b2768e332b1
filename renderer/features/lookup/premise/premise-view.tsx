import { Button } from '@mantine/core';
import { IconColumns2, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef } from 'react';
import type { CacheMode } from '../../../../shared/domain/call.ts';
import { type Connection, type Protocol, protocolNames } from '../../../../shared/domain/connection.ts';
import { cacheModeAt, type ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import type { PremiseView, Provenance } from '../../../../shared/domain/lookup/lookup.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { CopyMenu } from '../../../components/copy-menu.tsx';
import { Fields } from '../../../components/fields.tsx';
import { Cached } from '../../../components/marks.tsx';
import { SpendNote } from '../../../components/money/money-claims.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { latestOf, provenanceQuery } from '../../../lib/answers/use-provenance.ts';
import { formatDuration, formatPrice, formatPublished, formatWhen } from '../../../lib/text/format.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { shortcutText, useShortcut } from '../../../lib/window/shortcuts.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { useNow } from '../../../lib/window/use-now.ts';
import { AnswerNotice } from '../answer/answer-notice.tsx';
import { PlacePart } from '../map/place-part.tsx';
import { isCachedNow, openPrice, priceOver } from '../prices.ts';
import { describeSource, formatMomentNear } from '../source-messages.ts';
import { AddressPart } from './address-part.tsx';
import { type CopyForm, copyText } from './copy-forms.ts';
import { IdentifiersPart, type IdentifiersPartProps } from './identifiers-part.tsx';
import { PaneHead } from './pane-head.tsx';

const copyLabels: Record<CopyForm, string> = {
  envelope: 'as on an envelope',
  line: 'as one line',
  csv: 'as CSV',
  json: 'as JSON',
};

interface PremiseDetailsProps {
  view: PremiseView;
  connection: Connection;
  busy: boolean;
  /** A call under way over this address, as a line above it. */
  notice: ReactNode;
  onBack: () => void;
  onAsk: (protocol: Protocol, cache: CacheMode) => void;
  onGetUprn: IdentifiersPartProps['onGetUprn'];
  onShowRaw: (answerId: string) => void;
}

/** One premise: the address, its place, its identifiers, its saved answers, and what it cost. */
export function PremiseDetails(props: PremiseDetailsProps) {
  const { connection, busy, notice, onBack, onAsk, onGetUprn, onShowRaw } = props;
  const view = useLatestView(props.view);
  const go = useGo();
  const now = useNow(30_000);
  const { copied, copy } = useCopy();
  const copyAs = (form: CopyForm) => copy(copyText(view, form), copyLabels[form]);
  // With one pane at a time the address may be out of sight: then neither it nor “Copied” is seen.
  const shown = useRef<HTMLElement>(null);
  const copyIfShown = (form: CopyForm) => (shown.current?.checkVisibility() ? copyAs(form) : false);
  useShortcut('copy-envelope', () => copyIfShown('envelope'));
  useShortcut('copy-line', () => copyIfShown('line'));

  const protocol = view.provenance.interface;
  const otherProtocol: Protocol = protocol === 'rest' ? 'soap' : 'rest';
  const hasOther = (otherProtocol === 'soap' ? connection.soapUrl : connection.restBaseUrl) !== '';
  const answers = view.cachedAnswers.toSorted((a, b) => b.at.localeCompare(a.at));
  const other = { name: protocolNames[otherProtocol], price: priceOver(otherProtocol, answers, now) };
  return (
    <>
      <PaneHead title={view.title} onBack={onBack}>
        {isCachedNow(view.provenance, now) && <Cached>saved, free</Cached>}
        <span className="grow" />
        <CopiedNote copied={copied} />
        <Button
          className="lookup-compare"
          variant="subtle"
          color="gray"
          leftSection={<IconColumns2 size={15} className="ti" aria-hidden="true" />}
          onClick={() => go('lookup', { tab: 'compare', compare: view.premiseId })}
        >
          Compare
        </Button>
        <Button
          variant="subtle"
          color="gray"
          disabled={busy}
          leftSection={<IconRefresh size={15} className="ti" aria-hidden="true" />}
          onClick={() => onAsk(protocol, 'reload')}
        >
          Ask again · {formatPrice(openPrice(protocol))}
        </Button>
        <CopyMenu
          groups={[
            {
              label: 'Copy the address',
              items: [
                {
                  id: 'envelope',
                  label: 'As on an envelope',
                  shortcut: shortcutText('copy-envelope'),
                  onCopy: () => copyAs('envelope'),
                },
                { id: 'line', label: 'As one line', shortcut: shortcutText('copy-line'), onCopy: () => copyAs('line') },
                { id: 'csv', label: 'As CSV', onCopy: () => copyAs('csv') },
                { id: 'json', label: 'As JSON', onCopy: () => copyAs('json') },
              ],
            },
          ]}
        />
      </PaneHead>
      {notice}
      <AnswerNotice answer={view.provenance} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is */}
      <section ref={shown} className="lookup-scroll" aria-label={`Details of ${view.title}`} tabIndex={0}>
        <div className="lookup-columns">
          <AddressPart view={view} />
          <div className="lookup-aside">
            <PlacePart view={view} connection={connection} />
            <IdentifiersPart view={view} busy={busy} onGetUprn={onGetUprn} />
            <CachedAnswers
              answers={answers}
              now={now}
              onShowRaw={onShowRaw}
              other={hasOther ? other : null}
              busy={busy}
              onOther={() => onAsk(otherProtocol, cacheModeAt(other.price))}
            />
          </div>
        </div>
      </section>
      <ProvenanceFoot answer={view.provenance} now={now} onShowRaw={() => onShowRaw(view.provenance.answerId)} />
    </>
  );
}

interface ProvenanceFootProps {
  answer: Provenance;
  now: Date;
  onShowRaw: () => void;
}

/** The foot of an answer: price and what the balance did, interface and shape, time with zone, duration, the key's last four. */
function ProvenanceFoot({ answer, now, onShowRaw }: ProvenanceFootProps) {
  return (
    <div className="footbar lookup-foot">
      <SpendNote expected={answer.expectedCredits} claims={answer.claims} />
      <span className="t2 lookup-by">{describeSource(answer)}</span>
      <span className="t2 tn">{formatMomentNear(answer.at, now)}</span>
      <span className="t2 tn lookup-took">{formatDuration(answer.durationMs)}</span>
      <span className="t2 lookup-key" title={`Paid by ${answer.paidBy}`}>
        {answer.keyLastFour ? `key ••${answer.keyLastFour}` : answer.paidBy}
      </span>
      <span className="grow" />
      <button type="button" className="link" aria-haspopup="dialog" onClick={onShowRaw}>
        Raw answer
      </button>
    </div>
  );
}

interface CachedAnswersProps {
  answers: readonly Provenance[];
  now: Date;
  onShowRaw: (answerId: string) => void;
  /** The other interface; null: the connection has no address for it. */
  other: { name: string; price: ShownPrice } | null;
  busy: boolean;
  onOther: () => void;
}

/** Every answer of this premise that can be opened, newest first, and the button that asks the other interface for the same. */
function CachedAnswers({ answers, now, onShowRaw, other, busy, onOther }: CachedAnswersProps) {
  return (
    <section className="lookup-cached" aria-label="Answers saved for this premise">
      <h3 className="h">Answers saved for this premise</h3>
      {answers.length > 0 && (
        <Fields
          labelWidth={96}
          rows={answers.map((answer) => ({
            key: answer.answerId,
            label: formatWhen(answer.at, now),
            value: (
              <>
                <button
                  type="button"
                  className="link lookup-answer"
                  aria-haspopup="dialog"
                  onClick={() => onShowRaw(answer.answerId)}
                >
                  {describeSource(answer, '')}
                </button>
                {!isCachedNow(answer, now) && <span className="xs t3"> not saved</span>}
              </>
            ),
            from: formatPublished(answer.expectedCredits),
          }))}
        />
      )}
      {!answers.some((answer) => isCachedNow(answer, now)) && (
        <p className="xs t3">None is saved now. Settings says how long answers are saved.</p>
      )}
      {other && (
        <div className="row lookup-other">
          <PriceButton size="small" price={other.price} disabled={busy} onClick={onOther}>
            The same over {other.name}
          </PriceButton>
        </div>
      )}
    </section>
  );
}

/** A premise with what has been learned of its answers since they came: their claims, and until when they are saved. */
function useLatestView(view: PremiseView): PremiseView {
  const ids = useMemo(
    () => [...new Set([view.provenance.answerId, ...view.cachedAnswers.map(({ answerId }) => answerId)])],
    [view],
  );
  const { data } = useQuery(provenanceQuery(ids));
  return useMemo(() => {
    if (!data) return view;
    const latest = (answer: Provenance) => latestOf(answer, data.answers);
    const kept = new Set(data.answers.map(({ answerId }) => answerId));
    return {
      ...view,
      provenance: latest(view.provenance),
      cachedAnswers: view.cachedAnswers.filter(({ answerId }) => kept.has(answerId)).map(latest),
    };
  }, [view, data]);
}
