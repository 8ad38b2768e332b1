import { Popover } from '@mantine/core';
import { useState } from 'react';
import { type ReadDay, readDay } from '../../../shared/claims/moment.ts';
import {
  formatClaimFigure,
  isBesideAdded,
  type MoneyClaim,
  type MoneyClaimKind,
  renderMoneyClaim,
  renderMoneyClaims,
  shortenMoneyClaims,
} from '../../../shared/claims/money-claims.ts';
import { formatPublished } from '../../lib/text/format.ts';
import { useNow } from '../../lib/window/use-now.ts';
import { Dot, Tag, type Tone } from '../marks.tsx';

// The one place of the window where claims about money become words. Screens show these parts and write no sentence of their own.

/** The day by which times in sentences are written; moves on at midnight. */
const useReadDay = (): ReadDay => readDay(useNow(60_000).getTime());

/** All sentences of some claims as one text: for the clipboard and for what is read aloud. */
export const moneyText = (claims: readonly MoneyClaim[]): string => renderMoneyClaims(claims, readDay(Date.now()));

const has = (claims: readonly MoneyClaim[], ...kinds: MoneyClaimKind[]): boolean =>
  claims.some(({ kind }) => kinds.includes(kind));

/** Green: nothing was sent. Amber: open, or a fall that belongs to no single call. No colour: the balance showed something. */
export function toneOfClaims(claims: readonly MoneyClaim[]): Tone | undefined {
  if (has(claims, 'nothing-left', 'saved-answer')) return 'good';
  if (has(claims, 'late', 'may-come', 'shared', 'rose', 'unclear', 'no-call', 'beyond')) return 'warn';
  return has(claims, 'no-answer', 'unusable-answer', 'cut-off') && has(claims, 'not-read-before', 'not-read-since')
    ? 'warn'
    : undefined;
}

/** The fall seen: a figure if it is this call's alone, else in three words at most; one shared by several calls says how many: "5 in 7". */
export function fallOfClaims(claims: readonly MoneyClaim[]): number | string {
  for (const claim of claims.toReversed()) {
    if (isBesideAdded(claim) && claim.kind !== 'late') return shortenMoneyClaims([claim]);
    switch (claim.kind) {
      case 'late':
        return `${formatClaimFigure(claim.fall)} later`;
      case 'cost':
        return claim.fall;
      case 'at-price':
      case 'between':
      case 'shared':
        return `${formatClaimFigure(claim.fall)} in ${formatClaimFigure(claim.calls)}`;
      case 'no-fall':
        return 0;
      case 'rose':
        return `rose by ${formatClaimFigure(claim.rise)}`;
      case 'unclear':
        return 'unclear';
      case 'may-come':
        return 'open';
      case 'under-way':
        return 'under way';
      case 'nothing-left':
      case 'saved-answer':
        return 'not sent';
      default:
    }
  }
  return 'not read';
}

/** The short form of some claims, where the whole sentences are a click away (a row that opens, a pane below). */
export function ShortClaim({ claims }: { claims: readonly MoneyClaim[] }) {
  const tone = toneOfClaims(claims);
  const words = shortenMoneyClaims(claims);
  const title = renderMoneyClaims(claims, useReadDay());
  if (has(claims, 'no-call', 'beyond'))
    return (
      <span title={title}>
        <Tag tone="warn">{words}</Tag>
      </span>
    );
  return (
    <span className={tone === undefined ? 'mark t2' : `mark ${tone}`} title={title}>
      {tone === undefined ? <Dot /> : <Dot tone={tone} />}
      <span className="trunc">{words}</span>
    </span>
  );
}

/** All sentences of some claims, a paragraph each. */
export function ClaimSentences({ claims, className }: { claims: readonly MoneyClaim[]; className?: string }) {
  const day = useReadDay();
  return claims.map((claim) => {
    const sentence = renderMoneyClaim(claim, day);
    return (
      <p key={sentence} className={className}>
        {sentence}
      </p>
    );
  });
}

/** Kinds that quote what was said before, by this version or an earlier one. */
const saidBefore: readonly MoneyClaimKind[] = ['said-then', 'said-by-other-rule', 'said-before'];

/** All sentences of an open row: what is said now, set off by its line, and below it, smaller, what was said before. */
export function ClaimQuote({ claims }: { claims: readonly MoneyClaim[] }) {
  const tone = toneOfClaims(claims);
  const before = claims.filter(({ kind }) => saidBefore.includes(kind));
  return (
    <div className={tone === undefined ? 'claim-quote' : `claim-quote ${tone}`}>
      <ClaimSentences claims={claims.filter((claim) => !before.includes(claim))} />
      <ClaimSentences claims={before} className="xs t3" />
    </div>
  );
}

/** The short form as a button; the whole sentences open over it. */
function ClaimNote({ claims }: { claims: readonly MoneyClaim[] }) {
  const [open, setOpen] = useState(false);
  const title = renderMoneyClaims(claims, useReadDay());
  const tone = toneOfClaims(claims);
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="top-start"
      width={400}
      trapFocus
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Popover.Target>
        <button
          type="button"
          className={tone === undefined ? 'claim-note t2' : `claim-note ${tone}`}
          title={open ? undefined : title}
          onClick={() => setOpen(!open)}
        >
          {shortenMoneyClaims(claims)}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="What may be said of its cost">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: takes the focus, so that Escape closes it and it can be read by keys */}
        <div className="claim-sentences col g6 sm" tabIndex={0}>
          <ClaimSentences claims={claims} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The published price of a call, and what may be said of its cost. */
export function SpendNote({ expected, claims }: { expected: number | null; claims: readonly MoneyClaim[] }) {
  return (
    <span className="nowrap">
      <span className={toneOfClaims(claims) === 'warn' ? 'warn m' : 'accent m'}>{formatPublished(expected)}</span>
      {claims.length > 0 && (
        <>
          , <ClaimNote claims={claims} />
        </>
      )}
    </span>
  );
}
