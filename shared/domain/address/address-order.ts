const collator = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });

/** Orders addresses as a person would: Flat 2 before Flat 10, 30 before 30A (the service sorts as text; field notes, "Values"). */
export function compareNaturally(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
