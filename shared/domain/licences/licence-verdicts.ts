import type { ChangeVerdict } from './licence-change.ts';

/** The short form of a change's verdict: it claims no more than the sentences beside it. */
export const verdictText: Readonly<Record<ChangeVerdict, string>> = {
  seen: 'seen as planned',
  'not-seen': 'not seen',
  'half-done': 'half done',
  'on-its-way': 'on its way',
  unknown: 'not read back',
  confirmed: 'an earlier version: done',
  contradicted: 'an earlier version: not done',
};
