import { describe, expect, it } from 'vitest';
import { formatUpdate, formatUpdateAddress } from '../../../renderer/features/settings/updates/update-messages.ts';
import type { UpdateState } from '../../../shared/contract/updates.ts';
import { appError } from '../../../shared/errors.ts';

const state = (some: Partial<UpdateState> = {}): UpdateState => ({
  mode: 'notify',
  why: '',
  chosen: 'notify',
  most: 'automatic',
  address: 'https://updates.example',
  addressLocked: false,
  installs: 'It is installed when you close the program.',
  currentVersion: '1.0.0',
  latest: null,
  stage: 'resting',
  percent: null,
  lastLooked: null,
  error: null,
  notice: null,
  ...some,
});
const latest = (is: 'newer' | 'too-new' | 'not-newer', date: string | null = null) => ({
  version: '2.0.0',
  date,
  notes: '',
  is,
});

describe('what Settings says of the newest version', () => {
  it.each<[string, Partial<UpdateState>, string | null, string | undefined]>([
    ['off', { mode: 'off', latest: latest('newer') }, null, undefined],
    ['never looked', {}, null, undefined],
    ['looking', { stage: 'looking', latest: latest('newer') }, 'Looking for', undefined],
    ['newer', { latest: latest('newer') }, 'Version 2.0.0 is available. This is 1.0.0.', undefined],
    ['newer, with its day', { latest: latest('newer', '2026-11-18') }, 'is available, dated 18 Nov 2026.', undefined],
    ['newer, with a day that is none', { latest: latest('newer', 'soon') }, 'is available, dated soon.', undefined],
    [
      'none newer, of an address that may be behind',
      { latest: { ...latest('not-newer'), version: '0.9.9' } },
      'The update address names none newer than this one, 1.0.0.',
      'good',
    ],
    [
      'a trial version',
      { latest: { ...latest('not-newer'), version: '1.1.0-beta.1' } },
      'The update address names version 1.1.0-beta.1, a trial version. This is 1.0.0.',
      undefined,
    ],
    [
      'none newer than a trial version',
      { currentVersion: '1.1.0-beta.2', latest: { ...latest('not-newer'), version: '1.1.0-beta.1' } },
      'The update address names none newer than this one, 1.1.0-beta.2.',
      'good',
    ],
    ['for a later system', { latest: latest('too-new') }, 'but it needs a later system', 'warn'],
    ['fetching', { stage: 'downloading', latest: latest('newer'), percent: 40 }, 'Fetching version 2.0.0', undefined],
    ['ready', { stage: 'ready', latest: latest('newer') }, 'installed when you close', 'good'],
    ['failed', { error: appError('name-not-found') }, 'name was not found. Check', 'warn'],
    [
      'failed after a newer one was seen',
      { error: appError('name-not-found'), latest: latest('newer') },
      'not found',
      'warn',
    ],
  ])('%s', (_name, some, text, tone) => {
    const said = formatUpdate(state(some));
    if (text === null) expect(said).toBeNull();
    else expect(said?.text).toContain(text);
    expect(said?.tone).toBe(tone);
  });

  it('a version that is ready is still shown as ready when the next look fails', () => {
    const said = formatUpdate(state({ stage: 'ready', latest: latest('newer'), error: appError('name-not-found') }));
    expect(said?.text).toContain('installed when you close');
  });
});

it('the network is the connections’ addresses, and the update address if one is used', () => {
  expect(formatUpdateAddress(state({ mode: 'off' }))).toBe('');
  expect(formatUpdateAddress(state())).toBe(' and the update address, https://updates.example');
});
