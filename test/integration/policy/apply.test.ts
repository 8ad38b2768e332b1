import { userInfo } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSpendFolder } from '../../../electron/cli/data-folder.ts';
import {
  checkAddress,
  checkCachePolicy,
  checkCaps,
  checkConnection,
  checkDataFolder,
  checkExport,
  checkOperation,
  chooseProxy,
  tightenCachePolicy,
  tightenCaps,
} from '../../../electron/core/policy/apply-policy.ts';
import { noPolicy, type Policy, strictestPolicy } from '../../../electron/core/policy/policy-schema.ts';
import { cachePolicySchema } from '../../../electron/core/settings/settings.ts';
import { ownDataFolder } from '../../../electron/platform/data-folder.ts';
import { soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import { connectionDraft } from '../../helpers/temp-database.ts';

const credits = fc.integer({ min: 0, max: 10_000_000 });
const caps = fc.record({
  perRun: fc.option(credits),
  perDay: fc.option(credits),
  floor: fc.option(credits),
});
const held = fc.record({
  mode: fc.constantFrom('off' as const, 'run' as const, 'hours' as const, 'days' as const),
  amount: fc.integer({ min: 1, max: 3650 }),
});
const policies: fc.Arbitrary<Policy> = fc.record(
  {
    version: fc.constant(1 as const),
    heldAnswerHoursMax: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 87_600 })),
    creditsPerRunMax: credits,
    creditsPerDayMax: credits,
    balanceFloorMin: credits,
  },
  { requiredKeys: ['version'] },
);
const hours = ({ mode, amount }: { mode: string; amount: number }) =>
  mode === 'off' ? 0 : mode === 'days' ? amount * 24 : mode === 'hours' ? amount : 0;

describe('a policy only narrows', () => {
  it('caps: never looser than the policy’s or the user’s own, and always a setting that it accepts', () => {
    fc.assert(
      fc.property(policies, caps, (policy, own) => {
        const now = tightenCaps(policy, own);
        const atMost = (value: number | null, most: number | null | undefined) =>
          most === null || most === undefined || (value !== null && value <= most);
        expect(atMost(now.perRun, own.perRun) && atMost(now.perRun, policy.creditsPerRunMax)).toBe(true);
        expect(atMost(now.perDay, own.perDay) && atMost(now.perDay, policy.creditsPerDayMax)).toBe(true);
        expect((now.floor ?? 0) >= (own.floor ?? 0)).toBe(true);
        expect((now.floor ?? 0) >= (policy.balanceFloorMin ?? 0)).toBe(true);
        expect(checkCaps(policy, now).ok).toBe(true);
        const same = now.perRun === own.perRun && now.perDay === own.perDay && now.floor === own.floor;
        expect(checkCaps(policy, own).ok).toBe(same);
      }),
    );
  });

  it('saved answers: never kept longer than by the policy or the user’s own setting, and always a setting that can be stored', () => {
    fc.assert(
      fc.property(policies, held, (policy, own) => {
        const now = tightenCachePolicy(policy, own);
        expect(cachePolicySchema.safeParse(now).success).toBe(true);
        if (policy.heldAnswerHoursMax !== undefined) expect(hours(now)).toBeLessThanOrEqual(policy.heldAnswerHoursMax);
        if (policy.heldAnswerHoursMax === 0) expect(now.mode).toBe('off');
        expect(hours(now)).toBeLessThanOrEqual(hours(own));
        expect(checkCachePolicy(policy, now).ok).toBe(true);
      }),
    );
  });

  it('says which field it refuses, and by what rule', () => {
    for (const [most, said] of [
      [0, 'A policy of this computer does not allow answers to be saved.'],
      [1, 'A policy of this computer lets answers be saved for 1 hour at most.'],
    ] as const)
      expect(checkCachePolicy({ version: 1, heldAnswerHoursMax: most }, { mode: 'days', amount: 2 })).toMatchObject({
        error: { code: 'policy-forbids', message: said },
      });
    expect(checkCachePolicy({ version: 1, heldAnswerHoursMax: 24 }, { mode: 'days', amount: 2 })).toMatchObject({
      error: { code: 'policy-forbids', field: 'cachePolicy', charge: 'not-charged' },
    });
    expect(checkCaps({ version: 1, creditsPerDayMax: 50 }, { perRun: null, perDay: null, floor: null })).toMatchObject({
      error: { code: 'policy-forbids', field: 'perDay', message: expect.stringContaining('50') },
    });
  });
});

describe('addresses that a policy allows', () => {
  const policy: Policy = { version: 1, allowedBaseUrls: ['https://lookup.example/v1', 'https://soap.example:8443/'] };

  it.each([
    'https://lookup.example/v1',
    'https://LOOKUP.example/v1/Search?id=1',
    'https://lookup.example:443/v1/',
    'https://soap.example:8443/service.asmx?WSDL',
  ])('lets %s pass', (address) => expect(checkAddress(policy, address)).toEqual({ ok: true, value: undefined }));

  it.each([
    'https://lookup.example/v10',
    'https://lookup.example/v1/../v2',
    'https://lookup.example/v1/%2e%2e/v2',
    'https://lookup.example/v1/..%2fv2',
    'https://lookup.example/v1/..;/admin',
    'https://lookup.example/v1/%252e%252e/admin',
    'https://lookup.example/v1/..%c0%af/admin',
    'https://lookup.example/v1/%u002e%u002e/admin',
    'https://lookup.example/v1/..%3b/admin',
    'https://lookup.example/v1/..%00/admin',
    'https://lookup.example/v1/a;b=c',
    'https://lookup.example/v1/...',
    'https://lookup.example/',
    'https://lookup.example.evil.example/v1',
    'https://lookup.example@evil.example/v1',
    'https://evil.example/https://lookup.example/v1',
    'https://lookup.example:8443/v1',
    'http://lookup.example/v1',
    'http://127.0.0.1:8080/v1',
    'https://soap.example/service.asmx',
    'not an address',
  ])('refuses %s', (address) => expect(checkAddress(policy, address).ok).toBe(false));

  it('compares the allowed path literally', () => {
    const spaced: Policy = { version: 1, allowedBaseUrls: ['https://lookup.example/My%20Service'] };
    expect(checkAddress(spaced, 'https://lookup.example/My%20Service/Search').ok).toBe(true);
    expect(checkAddress(spaced, 'https://lookup.example/My%20Service/%2e%2e;/x').ok).toBe(false);
  });

  it('counts caps only in the user’s own folder', () => {
    const capped: Policy = { version: 1, creditsPerDayMax: 10 };
    const folderName = 'Address Console';
    expect(checkDataFolder(capped, '/tmp/fresh', '/home/kim/.config/Address Console')).toMatchObject({
      ok: false,
      error: { code: 'policy-forbids', charge: 'not-charged' },
    });
    expect(checkDataFolder(capped, '/home/kim/own', '/home/kim/own').ok).toBe(true);
    expect(checkDataFolder({ version: 1, exportAllowed: false }, '/tmp/fresh', '/home/kim/own').ok).toBe(true);
    const before = process.env.HOME;
    try {
      process.env.HOME = '/tmp/fresh';
      expect(ownDataFolder('Address Console')).not.toContain('/tmp/fresh');
      expect(findSpendFolder({ folderName, env: { XDG_CONFIG_HOME: '/tmp/fresh' } }, capped).ok).toBe(false);
      expect(findSpendFolder({ folderName, env: { ADDRESS_CONSOLE_DATA_FOLDER: '/tmp/fresh' } }, capped).ok).toBe(
        false,
      );
      // The account's own home, which the tests' HOME need not be.
      process.env.HOME = userInfo().homedir;
      expect(findSpendFolder({ folderName, env: {} }, capped).ok).toBe(true);
    } finally {
      if (before === undefined) delete process.env.HOME;
      else process.env.HOME = before;
    }
    expect(findSpendFolder({ folderName, env: { ADDRESS_CONSOLE_DATA_FOLDER: '/tmp/fresh' } }, noPolicy)).toEqual({
      ok: true,
      value: '/tmp/fresh',
    });
  });

  it('leaves the demo service alone, and only on this computer', () => {
    const demo = connectionDraft('Demo', { kind: 'demo', restBaseUrl: 'http://127.0.0.1:5005' });
    expect(checkConnection(strictestPolicy, demo).ok).toBe(true);
    expect(checkConnection(strictestPolicy, { ...demo, restBaseUrl: 'https://lookup.example/v1' }).ok).toBe(false);
    expect(checkAddress(strictestPolicy, 'http://127.0.0.1:5005/Search', 'http://127.0.0.1:5005').ok).toBe(true);
    expect(checkAddress(strictestPolicy, 'http://127.0.0.1:5006/Search', 'http://127.0.0.1:5005').ok).toBe(false);
  });

  it('looks at both addresses of a connection and names the one at fault', () => {
    const draft = connectionDraft('Wyebank', { soapUrl: 'https://elsewhere.example/x' });
    expect(checkConnection(policy, draft)).toMatchObject({ error: { code: 'policy-forbids', field: 'soapUrl' } });
    expect(checkConnection(policy, { ...draft, soapUrl: '' }).ok).toBe(true);
    expect(checkConnection(noPolicy, draft).ok).toBe(true);
  });
});

describe('what else a policy says', () => {
  it('no licence writes: exactly the writing and the unknown operations are refused', () => {
    const policy: Policy = { version: 1, licenceWritesAllowed: false };
    const heldBack = soapOperationNames.filter((name) => !checkOperation(policy, 'soap', name).ok);
    expect(heldBack.length).toBeGreaterThan(0);
    expect(heldBack.every((name) => /Licen[cs]e|Machine|Register/i.test(name))).toBe(true);
    expect(checkOperation(policy, 'soap', 'SomethingNew').ok).toBe(false);
    expect(checkOperation(policy, 'rest', 'Search').ok).toBe(true);
    expect(checkOperation(noPolicy, 'soap', 'SomethingNew').ok).toBe(true);
  });

  it('no export', () => {
    expect(checkExport({ version: 1, exportAllowed: false })).toMatchObject({ error: { code: 'policy-forbids' } });
    expect(checkExport(noPolicy).ok).toBe(true);
  });

  it('the proxy: as the system says, none, or one', async () => {
    const system = async () => 'http://from-the-system.example:8080';
    const ask = (proxy?: string) =>
      chooseProxy(proxy === undefined ? noPolicy : { version: 1, proxy }, system)(new URL('https://lookup.example'));
    expect(await ask()).toBe('http://from-the-system.example:8080');
    expect(await ask('system')).toBe('http://from-the-system.example:8080');
    expect(await ask('direct')).toBeNull();
    expect(await ask('http://proxy.example:3128')).toBe('http://proxy.example:3128');
  });
});
