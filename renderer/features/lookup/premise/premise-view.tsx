import { Button } from '@mantine/core';
import { IconColumns2, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Connection, LookupInterface } from '../../../../shared/domain/connection.ts';
import type { PremiseView as View } from '../../../../shared/domain/lookup.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { CopyMenu } from '../../../components/copy-menu.tsx';
import { Held } from '../../../components/marks.tsx';
import { formatPrice } from '../../../lib/text/format.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { shortcutText, useShortcut } from '../../../lib/window/shortcuts.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { useNow } from '../../../lib/window/use-now.ts';
import { PlacePart } from '../map/place-part.tsx';
import { isHeldNow, openPrice, priceOver } from '../prices.ts';
import { AddressPart } from './address-part.tsx';
import { type CopyForm, copyText } from './copy-forms.ts';
import { HeldAnswers } from './held-answers.tsx';
import { IdentifiersPart } from './identifiers-part.tsx';
import { PaneHead } from './pane-head.tsx';
import { ProvenanceFoot } from './provenance-foot.tsx';
import { useLatestView } from './use-latest-view.ts';

const copyWords: Record<CopyForm, string> = {
  envelope: 'as on an envelope',
  line: 'as one line',
  csv: 'as CSV',
  json: 'as JSON',
};

export interface PremiseViewProps {
  view: View;
  connection: Connection;
  busy: boolean;
  /** A call under way over this address, as a line above it. */
  notice: ReactNode;
  onBack: () => void;
  onAsk: (over: LookupInterface, askAgain: boolean) => void;
  onGetUprn: () => void;
  onShowRaw: (answerId: string) => void;
}

/** One premise: the address, where it is, what it is called elsewhere, what is held of it, and what it cost. */
export function PremiseView(props: PremiseViewProps) {
  const { connection, busy, notice, onBack, onAsk, onGetUprn, onShowRaw } = props;
  const view = useLatestView(props.view);
  const go = useGo();
  const now = useNow(30_000);
  const { copied, copy } = useCopy();
  const copyAs = (form: CopyForm) => copy(copyText(view, form), copyWords[form]);
  useShortcut('copy-envelope', () => copyAs('envelope'));
  useShortcut('copy-line', () => copyAs('line'));

  const over = view.provenance.interface;
  const otherOver: LookupInterface = over === 'rest' ? 'soap' : 'rest';
  const hasOther = (otherOver === 'soap' ? connection.soapUrl : connection.restBaseUrl) !== '';
  const answers = [...view.heldAnswers].sort((a, b) => b.at.localeCompare(a.at));
  const other = { name: otherOver === 'soap' ? 'SOAP' : 'REST', price: priceOver(otherOver, answers, now) } as const;
  return (
    <>
      <PaneHead title={view.title} onBack={onBack}>
        {(view.provenance.held || isHeldNow(view.provenance, now)) && <Held>saved, free</Held>}
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
          onClick={() => onAsk(over, true)}
        >
          Ask again · {formatPrice(openPrice(over))}
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even where nothing in it is */}
      <section className="lookup-scroll" aria-label={`Details of ${view.title}`} tabIndex={0}>
        <div className="lookup-columns">
          <AddressPart view={view} />
          <div className="lookup-aside">
            <PlacePart view={view} connection={connection} />
            <IdentifiersPart view={view} busy={busy} onGetUprn={onGetUprn} />
            <HeldAnswers
              answers={answers}
              now={now}
              onShowRaw={onShowRaw}
              other={hasOther ? other : null}
              busy={busy}
              onOther={() => onAsk(otherOver, false)}
            />
          </div>
        </div>
      </section>
      <ProvenanceFoot answer={view.provenance} now={now} onShowRaw={() => onShowRaw(view.provenance.answerId)} />
    </>
  );
}
