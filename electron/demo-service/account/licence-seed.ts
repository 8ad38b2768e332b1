import { deriveGuid } from './credentials.ts';

/** A licence of the demo account. Dates are days since 1970, or text for a date that the account's records have in an unreadable form. */
export interface Licence {
  readonly number: number;
  readonly reference: string;
  readonly guid: string;
  readonly key: string;
  readonly owner: string;
  readonly type: string;
  readonly description: string;
  /** How many machines it may be bound to; 0 if it is not bound to machines. */
  readonly seats: number;
  expires: number | string;
  /** A number, or the text that the service sends instead of one: '' or 'Unlimited'. */
  credits: number | '' | 'Unlimited';
  used: number;
  allowedIp: string;
  suspended: boolean;
  machines: string[];
}

interface Row {
  readonly label: string;
  readonly type: string;
  readonly description: string;
  readonly seats: number;
  readonly days: number | string;
  readonly credits: Licence['credits'];
  readonly allowedIp?: string;
  readonly suspended?: true;
  readonly machines?: readonly string[];
}

const single = { type: 'Single Machine', description: 'One machine at a time', seats: 1 };
const three = { type: 'Multi Machine 3', description: 'Up to 3 machines', seats: 3 };
const ten = { type: 'Multi Machine 10', description: 'Up to 10 machines', seats: 10 };
const web = { type: 'Web Service', description: 'Calls from servers, not bound to a machine', seats: 0 };
const trial = { type: 'Trial', description: 'Trial for one machine', seats: 1 };

/** One licence for every state that a client must distinguish: free, in use, partly used, full, expired, suspended, unreadable, unnumbered. */
const rows: readonly Row[] = [
  { ...web, label: 'default', days: 420, credits: 2500 },
  { ...single, label: 'front-desk', days: 200, credits: 800, machines: ['FRONT-DESK-01'] },
  { ...single, label: 'free', days: 365, credits: 1000 },
  { ...single, label: 'free-soon', days: 12, credits: 40 },
  { ...three, label: 'warehouse', days: 150, credits: 3200, machines: ['WAREHOUSE-01', 'WAREHOUSE-02'] },
  { ...three, label: 'full', days: 90, credits: 75, machines: ['CALLS-01', 'CALLS-02', 'CALLS-03'] },
  { ...ten, label: 'office', days: 730, credits: 12_000, machines: ['OFFICE-07', 'FRONT-DESK-01'] },
  { ...single, label: 'expired-bound', days: -30, credits: 310, machines: ['OLD-TILL-02'] },
  { ...single, label: 'expired-free', days: -400, credits: 0 },
  { ...single, label: 'suspended', days: 300, credits: 600, suspended: true, machines: ['RETURNS-01'] },
  { ...web, label: 'spent', days: 60, credits: 0 },
  { ...web, label: 'ip', days: 240, credits: 900, allowedIp: '203.0.113.7' },
  { ...ten, label: 'no-date', days: 'see contract', credits: 500 },
  { ...single, label: 'no-credits', days: 180, credits: '' },
  {
    type: 'Site',
    description: 'All machines of one site',
    seats: 250,
    label: 'site',
    days: 1000,
    credits: 'Unlimited',
  },
  { ...trial, label: 'trial', days: 7, credits: 25 },
];

const other: readonly Row[] = [
  { ...single, label: 'other-free', days: 100, credits: 50 },
  { ...single, label: 'other-bound', days: 100, credits: 50, machines: ['ELSEWHERE-01'] },
];

const make = (row: Row, number: number, owner: string, seed: number, today: number): Licence => ({
  number,
  reference: `DR${String(number * 37).padStart(7, '0')}`,
  guid: deriveGuid(seed, `licence:${row.label}`),
  key: deriveGuid(seed, `licence-key:${row.label}`),
  owner,
  type: row.type,
  description: row.description,
  seats: row.seats,
  expires: typeof row.days === 'number' ? today + row.days : row.days,
  credits: row.credits,
  used: 0,
  allowedIp: row.allowedIp ?? '',
  suspended: row.suspended ?? false,
  machines: [...(row.machines ?? [])],
});

/** The licences of both accounts. `today` is in days since 1970; expiry dates are relative to it, so that some are always near. */
export function seedLicences(seed: number, today: number, owner: string, otherOwner: string): Licence[] {
  const first = 4101 + (seed % 97) * 50;
  return [
    ...rows.map((row, index) => make(row, first + index, owner, seed, today)),
    ...other.map((row, index) => make(row, first + 700_000 + index, otherOwner, seed, today)),
  ];
}

/** Index of the named licence in the seeded list. */
export const seededAt = (label: string): number => [...rows, ...other].findIndex((row) => row.label === label);
