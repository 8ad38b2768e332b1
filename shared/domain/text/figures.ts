import { lazy } from '../../lazy.ts';

// To a millionth, as in claims: a fall of a half is neither 0 nor 1. "negative": a figure rounded to 0 has no sign.
// Lazy: it is a tenth of the start of a command that shows no figure.
const figures = lazy(() => new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6, signDisplay: 'negative' }));

/** 4,812; 0.25. A true minus sign. */
export const formatFigure = (value: number): string => figures().format(value).replace('-', '−');

/** Without what binary fractions add to a sum: 10.3 less 8.2 is 2.1. */
export const roundFigure = (value: number): number => Number(value.toFixed(6));

/** "1 row", "4,812 rows", "1.2 credits": the plural is the word with an s unless given, and is that of the figure as it is shown. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  const shown = formatFigure(count);
  return `${shown} ${shown === '1' ? one : many}`;
}

/** "1 credit", "4,812 credits"; null: the `unknown` text. */
export const formatCredits = (credits: number | null, unknown = 'not given'): string =>
  credits === null ? unknown : countOf(credits, 'credit');

/** What a batch counts: "3 credits counted"; null: it could not be read. */
export const countedText = (counted: number | null): string =>
  counted === null ? 'the credits counted could not be read' : `${formatCredits(counted)} counted`;

export const unreadClaims = 'What the balance did while the batch ran could not be read.';
