// "negative": a figure rounded to 0 has no sign.
const tenths = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1, signDisplay: 'negative' });

/** "1 credit", "4,812 credits", "1.2 credits": the plural follows the figure as shown. */
export function creditsText(credits: number): string {
  const shown = tenths.format(credits).replace('-', '−');
  return `${shown} ${shown === '1' ? 'credit' : 'credits'}`;
}
