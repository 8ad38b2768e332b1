/** Orders texts as people do: "Flat 2" before "Flat 10", letters in either case alike. */
export const naturalOrder = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });
