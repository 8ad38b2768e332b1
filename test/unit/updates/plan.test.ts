import { describe, expect, it } from 'vitest';
import { policySchema } from '../../../electron/core/policy/policy-schema.ts';
import {
  checkUpdateChoice,
  type InstallPlace,
  planUpdates,
  type UpdateChoices,
} from '../../../electron/core/updates/plan-updates.ts';

const wishes = (some: Partial<UpdateChoices> = {}): UpdateChoices => ({
  policyMode: undefined,
  policyAddress: undefined,
  userMode: null,
  userAddress: '',
  ...some,
});
const place = (some: Partial<InstallPlace> = {}): InstallPlace => ({
  packaged: true,
  kind: 'nsis',
  folder: 'C:\\Programs\\Address Console',
  writable: true,
  publisherKnown: true,
  ...some,
});
const own = 'https://updates.example/console';
const named = { userAddress: own };

describe('what the program does about newer versions', () => {
  it.each<[string, Partial<UpdateChoices>, Partial<InstallPlace>, string, RegExp]>([
    ['nobody named an address', {}, {}, 'off', /No update address/],
    ['a mode alone', { userMode: 'automatic' }, {}, 'off', /No update address/],
    ['a policy’s mode alone', { policyMode: 'automatic' }, {}, 'off', /No update address/],
    ['the user named an address', named, {}, 'notify', /says when/],
    ['the user wants it installed', { ...named, userMode: 'automatic' }, {}, 'automatic', /next closed/],
    ['the user wants none', { ...named, userMode: 'off' }, {}, 'off', /You chose/],
    ['the policy named an address', { policyAddress: own }, {}, 'notify', /says when/],
    ['the policy wants it installed', { policyAddress: own, policyMode: 'automatic' }, {}, 'automatic', /next closed/],
    [
      'the user wants less than the policy allows',
      { ...named, policyMode: 'automatic', userMode: 'notify' },
      {},
      'notify',
      /says when/,
    ],
    [
      'the policy allows less than the user wants',
      { ...named, policyMode: 'notify', userMode: 'automatic' },
      {},
      'notify',
      /A policy/,
    ],
    ['the policy allows none', { ...named, policyMode: 'off', userMode: 'automatic' }, {}, 'off', /A policy/],
    ['a run for development', { ...named, userMode: 'automatic' }, { packaged: false }, 'off', /development/],
    [
      'a Windows program that nobody signed',
      { policyAddress: own, policyMode: 'automatic' },
      { publisherKnown: false },
      'notify',
      /not signed.*nothing but the update address.*whoever looks after/,
    ],
    [
      'an AppImage, which nobody signs',
      { ...named, userMode: 'automatic' },
      { kind: 'appimage', publisherKnown: false },
      'automatic',
      /next closed/,
    ],
    [
      'a folder that cannot be written',
      { ...named, userMode: 'automatic' },
      { writable: false },
      'off',
      /cannot write .*C:\\Programs.*whoever looks after/,
    ],
    [
      'a folder that cannot be written, to say so',
      { ...named, userMode: 'notify' },
      { writable: false },
      'off',
      /cannot write/,
    ],
    [
      'an installation for everyone in a folder that can be written',
      { ...named, userMode: 'automatic' },
      { kind: 'everyone' },
      'notify',
      /installed for everyone by its installer.*whoever looks after/,
    ],
    ['an MSI', { ...named, userMode: 'automatic' }, { kind: 'msi' }, 'notify', /by an MSI/],
    ['a deb', { ...named, userMode: 'automatic' }, { kind: 'deb' }, 'notify', /by a deb/],
    ['a folder unpacked by hand', { ...named, userMode: 'automatic' }, { kind: 'loose' }, 'notify', /by hand/],
    ['a macOS application', { ...named, userMode: 'automatic' }, { kind: 'mac' }, 'automatic', /next closed/],
    ['an AppImage', { ...named, userMode: 'automatic' }, { kind: 'appimage' }, 'automatic', /next closed/],
    [
      'an address that is not https',
      { userAddress: 'http://updates.example', userMode: 'notify' },
      {},
      'off',
      /plain https/,
    ],
    [
      'an address of this computer',
      { userAddress: 'http://127.0.0.1:8080', userMode: 'notify' },
      {},
      'off',
      /plain https/,
    ],
  ])('%s: %#', (_name, some, where, mode, why) => {
    const plan = planUpdates(wishes(some), place(where));
    expect(plan.mode).toBe(mode);
    expect(plan.why).toMatch(why);
  });

  it.each<[InstallPlace['kind'], string, string]>([
    [
      'nsis',
      ', if no command is running and there is room on the disk.',
      ' Leave the computer on for a few minutes after that.',
    ],
    ['mac', ', if no command is running.', ''],
    ['appimage', '.', ''],
  ])(
    'says whether a running command or a full disk puts it off, and what must not cut it short: %s',
    (kind, end, after) => {
      const { why, installs } = planUpdates(wishes({ ...named, userMode: 'automatic' }), place({ kind }));
      expect(why).toBe(
        `A newer version is fetched when it is seen and installed when the program is next closed${end}`,
      );
      expect(installs).toBe(`It is installed when you close the program${end}${after}`);
    },
  );

  it('uses the policy’s address before the user’s, and says that the policy fixes it', () => {
    expect(planUpdates(wishes({ ...named, policyAddress: 'https://it.example' }), place())).toMatchObject({
      address: 'https://it.example',
      addressLocked: true,
    });
    expect(planUpdates(wishes(named), place())).toMatchObject({ address: own, addressLocked: false });
  });
});

describe('what a user may choose', () => {
  it.each([
    ['less than the policy', { policyMode: 'automatic' }, { mode: 'notify', address: '' }, null],
    ['what the policy says', { policyMode: 'notify' }, { mode: 'notify', address: own }, null],
    ['more than the policy', { policyMode: 'notify' }, { mode: 'automatic', address: own }, 'policy-forbids'],
    ['the policy’s address', { policyAddress: own }, { mode: 'off', address: own }, null],
    ['another address than the policy’s', { policyAddress: own }, { mode: 'off', address: '' }, 'policy-forbids'],
    ['no address', {}, { mode: 'automatic', address: '' }, null],
    ['http', {}, { mode: 'notify', address: 'http://updates.example' }, 'bad-input'],
    ['http of this computer', {}, { mode: 'notify', address: 'http://localhost:1' }, 'bad-input'],
    ['a user name', {}, { mode: 'notify', address: 'https://kim:pw@updates.example' }, 'bad-input'],
    ['a query', {}, { mode: 'notify', address: 'https://updates.example/?machine=1' }, 'bad-input'],
    ['a fragment', {}, { mode: 'notify', address: 'https://updates.example/#a' }, 'bad-input'],
    ['another scheme', {}, { mode: 'notify', address: 'file:///etc' }, 'bad-input'],
    ['no address at all', {}, { mode: 'notify', address: 'updates' }, 'bad-input'],
  ] as const)('%s', (_name, policy, wish, code) => {
    const checked = checkUpdateChoice({ policyMode: undefined, policyAddress: undefined, ...policy }, wish);
    expect(checked.ok ? null : checked.error.code).toBe(code);
  });
});

it('a policy’s update address keeps the rules of addresses', () => {
  const accepts = (updateUrl: string) => policySchema.safeParse({ version: 1, updateUrl }).success;
  expect(accepts('https://updates.example/console')).toBe(true);
  for (const address of [
    'http://updates.example',
    'https://kim@updates.example',
    'https://updates.example?x',
    'https://a b',
    '',
  ])
    expect(accepts(address)).toBe(false);
});
