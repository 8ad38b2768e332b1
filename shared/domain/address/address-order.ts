import { naturalOrder } from '../text/natural-order.ts';
/** Orders addresses as a person would: Flat 2 before Flat 10, 30 before 30A (the service sorts as text; field notes, "Values"). */
export function compareNaturally(a: string, b: string): number {
  return naturalOrder.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
