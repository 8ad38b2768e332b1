/** A credit balance as one call of /GetCredits returned it, in either shape. null: this answer did not say, or not as a number. */
export interface Balance {
  shape: 'A' | 'B';
  /** Credits left. */
  credits: number | null;
  used: number | null;
  total: number | null;
  /** As sent; published form YYYY-MM-DD. */
  expiryDate: string | null;
  /** Fields no published shape has, as text. */
  other: { name: string; value: string }[];
}

const published = new Set(['remaining', 'used', 'total', 'expiryDate']);

/** Shape A: one number. */
export function fromCreditsA(credits: string): Balance {
  return { shape: 'A', credits: readCount(credits), used: null, total: null, expiryDate: null, other: [] };
}

/** Shape B: remaining, used, total, expiryDate. */
export function fromCreditsB(credits: Readonly<Record<string, string>>): Balance {
  return {
    shape: 'B',
    credits: readCount(credits.remaining),
    used: readCount(credits.used),
    total: readCount(credits.total),
    expiryDate: credits.expiryDate?.trim() || null,
    other: Object.entries(credits).flatMap(([name, value]) =>
      published.has(name) || value === '' ? [] : [{ name, value }],
    ),
  };
}

/** With or without commas between thousands. “1.500” may be a thousand and more, or one and a half: that is no figure. */
function readCount(text: string | undefined): number | null {
  const trimmed = (text ?? '').trim();
  if (/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(trimmed)) return null;
  if (!/^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(trimmed)) return null;
  const count = Number(trimmed.replaceAll(',', ''));
  return Number.isSafeInteger(Math.trunc(count)) ? count : null;
}
