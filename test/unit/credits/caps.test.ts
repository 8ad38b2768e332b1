import { expect, test } from 'vitest';
import { cappedBy } from '../../../renderer/features/credits/caps/caps.ts';
import type { CreditsOverview } from '../../../shared/domain/credits/credits.ts';

const none = { perRun: null, perDay: null, floor: null };
const shared = { name: 'Other', keys: ['Main'] } as CreditsOverview['sharedCaps'][number];

test('“no cap” is said only if no other connection has one for a key of this one', () => {
  expect([
    cappedBy({ caps: none, sharedCaps: [] }),
    cappedBy({ caps: none, sharedCaps: [shared] }),
    cappedBy({ caps: { ...none, floor: 0 }, sharedCaps: [shared] }),
  ]).toEqual(['nowhere', 'elsewhere', 'here']);
});
