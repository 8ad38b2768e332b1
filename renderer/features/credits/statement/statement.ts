import type { Accounting } from '../../../../shared/domain/credits/accounting.ts';
import { formatKey, type LedgerSums } from '../../../../shared/domain/credits/credits.ts';
import type { Reconciliation } from '../../../../shared/domain/credits/credits-history.ts';
import { roundFigure } from '../../../../shared/domain/text/figures.ts';
import type { TextColumn } from '../../../components/table/table-text.ts';
import { countOf, formatMoment, formatNumber } from '../../../lib/text/format.ts';

/** One line of a month's statement. Published prices, falls of the balance and what is not known are separate parts. */
export interface StatementRow {
  part: 'Published prices' | 'What the balance did' | 'Not known';
  item: string;
  centre: string;
  calls: number | null;
  credits: number | null;
  /** Credits at the pounds given by a person; null: not given, or no credits. */
  pounds: number | null;
  note: string;
  /** Whether it is a total of lines above it. */
  total: boolean;
}

interface StatementFacts {
  byKey: readonly { key: string; sums: LedgerSums }[];
  all: LedgerSums;
  balances: readonly Reconciliation[];
  accounting: Accounting;
}

/** The lines of a statement. Pure. No line adds a price to a fall: the first is published, the second was seen. */
export function statementRows({ byKey, all, balances, accounting }: StatementFacts): StatementRow[] {
  const { poundsPerCredit, centres } = accounting;
  const line = (
    part: StatementRow['part'],
    item: string,
    figures: { calls?: number | null; credits?: number | null; centre?: string; note?: string; total?: boolean },
  ): StatementRow => {
    const credits = figures.credits == null ? null : roundFigure(figures.credits);
    return {
      part,
      item,
      centre: figures.centre ?? '',
      calls: figures.calls ?? null,
      credits,
      pounds:
        poundsPerCredit === null || credits === null
          ? null
          : Math.round(roundFigure(credits * poundsPerCredit * 100)) / 100,
      note: figures.note ?? '',
      total: figures.total ?? false,
    };
  };
  const prices = byKey
    .filter(({ sums }) => sums.calls > 0)
    .map(({ key, sums }) =>
      line('Published prices', key || 'no key named', {
        calls: sums.calls,
        credits: sums.price,
        centre: centres.find(({ label }) => label === key)?.centre ?? '',
        note: [
          sums.unpriced > 0 ? `${countOf(sums.unpriced, 'call')} without a published price, in no sum` : '',
          `falls seen, one by one: ${formatNumber(sums.alone)}`,
          sums.byPrice > 0 ? `in groups, by price: ${formatNumber(sums.byPrice)}` : '',
        ]
          .filter(Boolean)
          .join('; '),
      }),
    );
  return [
    ...prices,
    line('Published prices', 'All calls', { calls: all.calls, credits: all.price, total: true }),
    ...balances.flatMap((balance) => balanceLines(balance, line)),
    line('Not known', 'Calls without a published price', { calls: all.unpriced }),
    line('Not known', 'Calls that share a fall', {
      calls: all.sharedBy,
      credits: all.shared,
      note: 'the falls they share; what each call cost is not known',
    }),
    line('Not known', 'Calls open, or whose cost no reading has shown', { calls: all.open }),
    ...balances
      .filter(({ closing, outside }) => closing !== null && outside !== 0)
      .map((balance) =>
        line('Not known', `${nameOf(balance)}: calls before the first reading or after the last`, {
          credits: balance.outside,
          note: 'by the falls seen or the published prices; in no line of what this balance did',
        }),
      ),
    line('Not known', 'Falls not explained by a call of this console', {
      credits: all.notExplained,
      note:
        all.balances > 1 ? 'from balances that may be the same one: the same credits may be in it more than once' : '',
    }),
    ...(all.madeUp > 0
      ? [
          line('Not known', 'Entries of the demo’s made-up history', {
            note: `${formatNumber(all.madeUp)}, in no price; the balance figures include it`,
          }),
        ]
      : []),
  ];
}

const nameOf = ({ source, keys }: Reconciliation): string => keys.map(formatKey).join(', ') || source;

function balanceLines(
  balance: Reconciliation,
  line: (
    part: StatementRow['part'],
    item: string,
    figures: { credits?: number | null; note?: string; centre?: string },
  ) => StatementRow,
): StatementRow[] {
  const { keys, opening, closing, added, observed, others, othersMadeUp } = balance;
  const name = nameOf(balance);
  const readWith = keys[0] && keys.length > 1 ? `, with ${formatKey(keys[0])}` : '';
  const part = 'What the balance did';
  if (!opening || !closing)
    return [line(part, name, { note: 'not read twice in a row this month, so nothing follows' })];
  return [
    line(part, `${name}: first read`, { credits: opening.credits, note: `${formatMoment(opening.at)}${readWith}` }),
    line(part, `${name}: last read`, { credits: closing.credits, note: `${formatMoment(closing.at)}${readWith}` }),
    line(part, `${name}: rose by`, { credits: added }),
    observed < 0
      ? line(part, `${name}: rose further by`, {
          credits: -observed,
          note: 'beside a call, or by figures that do not add up or went down',
        })
      : line(part, `${name}: fell by`, { credits: observed, note: 'what came in is added back' }),
    line(
      part,
      `${name}: fell while no call of this console that may draw on it was open, apart from those that are free by published prices`,
      {
        credits: others,
        note:
          othersMadeUp === 0
            ? ''
            : `${formatNumber(othersMadeUp)} of them in the demo’s made-up history, which the falls not explained leave out`,
      },
    ),
  ];
}

/** The columns as they are shown, saved and printed; pounds only if a price was given. */
export const statementColumns = ({ poundsPerCredit }: Accounting): readonly TextColumn<StatementRow>[] => [
  { id: 'part', head: 'Part', value: ({ part }) => part },
  { id: 'item', head: 'Item', value: ({ item }) => item },
  { id: 'centre', head: 'Cost centre', value: ({ centre }) => centre },
  { id: 'calls', head: 'Calls', value: ({ calls }) => calls, kind: 'number' },
  { id: 'credits', head: 'Credits', value: ({ credits }) => credits, kind: 'number' },
  ...(poundsPerCredit === null
    ? []
    : [
        {
          id: 'pounds',
          head: `Pounds, at ${poundsPerCredit} a credit`,
          value: ({ pounds }: StatementRow) => (pounds === null ? null : pounds.toFixed(2)),
          kind: 'number' as const,
        },
      ]),
  { id: 'note', head: 'Note', value: ({ note }) => note },
];
