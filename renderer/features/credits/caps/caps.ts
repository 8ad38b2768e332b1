import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import {
  type CapAuthor,
  type CapSource,
  type CreditsOverview,
  capNames,
  mostCredits,
  type SpendingCaps,
} from '../../../../shared/domain/credits/credits.ts';
import { firstKey } from '../../../lib/connection/first-key.ts';
import { capital, formatNumber, formatWhen } from '../../../lib/text/format.ts';

export type CapName = keyof SpendingCaps;

interface CapLabels {
  label: string;
  /** What follows "Change" in the accessible name of the button that changes it. */
  change: string;
  /** Shown under its field. */
  help: string;
  /** The placeholder of an empty field. */
  empty: string;
  /** Shown under each cap: what it counts, which is not what the service charges. */
  note: string;
}

export const capLabels: Readonly<Record<CapName, CapLabels>> = {
  perDay: {
    label: 'Today',
    change: 'the cap for today',
    help: 'Credits, from midnight on this computer. Empty: no cap. 0 stops every paid call.',
    empty: 'no cap',
    note: 'Counts every paid call at its highest price from before it is sent until midnight, unless a reading of its balance shows no fall. It counts what was sent, not what the service books.',
  },
  perRun: {
    label: 'Since the program started',
    change: 'the cap since the program started',
    help: 'Credits, from the start of the program to its end. Empty: no cap. 0 stops every paid call.',
    empty: 'no cap',
    note: 'Counts like today’s, and starts at 0 again with the program. Each command is a start of its own. It counts what was sent, not what the service books.',
  },
  floor: {
    label: 'Minimum balance',
    change: 'the minimum balance',
    help: 'Credits. Empty: none.',
    empty: 'none',
    note: 'A paid call is not sent if it could take the balance below this, except a reading of the balance itself. From the balance last read it takes off what was sent since, not what the service books. A call with a licence is compared to the balance that is read with the account’s GUID; whether the licence draws on it is not known.',
  },
};

export const authorText = ({ person, at }: CapAuthor): string =>
  `set by ${person || 'nobody recorded'}, ${formatWhen(at)}`;

/** Who set a cap. Nothing if a version set it that did not record who. */
export function sourceText(source: CapSource): string {
  if (source.kind === 'policy') return 'Set by a policy of this computer.';
  return source.author === null ? '' : `${capital(authorText(source.author))}.`;
}

/** The lookup key that pays where no other is chosen; undefined: there is none. */
export const firstLookupKey = (secrets: ConnectionView['secrets']): ConnectionView['secrets'][number] | undefined =>
  firstKey(secrets.filter(({ role }) => role === 'lookup-key'));

/** What a typed cap means: empty is no cap. Spaces and thousands commas are ignored. */
export function readCap(text: string): { value: number | null } | { problem: string } {
  const plain = text.replace(/[\s,]/g, '');
  if (plain === '') return { value: null };
  const value = /^\d{1,12}$/.test(plain) ? Number(plain) : Number.NaN;
  if (Number.isNaN(value)) return { problem: 'A whole number of credits, or empty for no cap.' };
  if (value > mostCredits) return { problem: `At most ${formatNumber(mostCredits)} credits, or empty for no cap.` };
  return { value };
}

export const capText = (value: number | null): string => (value === null ? '' : String(value));

/** Whether any cap is set; then a call that cannot be counted is not sent. */
const isCapped = (caps: SpendingCaps): boolean => capNames.some((name) => caps[name] !== null);

/** Whose cap stops calls without a price: one of this connection or of a policy, one of another connection with the same key, or none. */
export type CappedBy = 'here' | 'elsewhere' | 'nowhere';

export const cappedBy = ({ caps, sharedCaps }: Pick<CreditsOverview, 'caps' | 'sharedCaps'>): CappedBy =>
  isCapped(caps) ? 'here' : sharedCaps.length > 0 ? 'elsewhere' : 'nowhere';
