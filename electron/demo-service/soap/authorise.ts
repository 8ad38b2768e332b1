import { findSoapOperation } from '../../../shared/catalogue/soap-operations.ts';
import type { CredentialGroup } from '../../../shared/catalogue/types.ts';
import { sameMachine } from '../account/account.ts';
import { day } from '../account/clock.ts';
import type { ApiKey } from '../account/keys.ts';
import type { Licence } from '../account/licence-seed.ts';
import type { DemoContext } from '../context.ts';
import { type Answer, invalidAccount } from './answer.ts';
import type { Fields } from './handler.ts';
import { guideOperation, mapOperation, radiusOperation } from './served-operations.ts';

/** What a call is charged to: a licence, an API key (for the guide's operation), or nothing (for licence operations). */
export type Payer =
  | { readonly licence: Licence; readonly key?: never }
  | { readonly key: ApiKey; readonly licence?: never }
  | { readonly licence?: never; readonly key?: never };

/** Finds the payer of a call by its credential fields; returns the refusing answer if they are wrong. */
export function authorise(base: string, fields: Fields, context: DemoContext): Payer | Answer {
  switch (groupOf(base)) {
    case 'C1':
      return byC1(fields, context);
    case 'map':
      if (fields[`s${context.settings.mapWord}MapKey`] !== context.account.webMapKey)
        return refused('The map key is not known.');
      return byC1(fields, context);
    case 'C2':
    case 'C2-ip':
      return byC2(fields, context);
    case 'licence-key':
      return byLicenceKey(fields, context);
    case 'guide':
      return byApiKey(fields, context);
    default:
      // The licence operations check their credentials themselves, because each refuses in its own words.
      return {};
  }
}

export const isAnswer = (value: Payer | Answer): value is Answer => 'kind' in value;

function groupOf(base: string): CredentialGroup | 'guide' {
  if (base === guideOperation) return 'guide';
  return findSoapOperation(base === radiusOperation ? mapOperation : base)?.operation.credentials ?? 'none';
}

const refused = (why: string): Answer => ({
  kind: 'problem',
  code: '201',
  message: `Account details not valid. ${why}`,
});

function byC1(fields: Fields, context: DemoContext): Payer | Answer {
  const licence = context.account.licences.find(
    ({ guid, owner }) => sameGuid(guid, fields.LicenceID) && owner === fields.AccountName?.trim(),
  );
  if (!licence) return invalidAccount;
  return usable(licence, context) ?? boundTo(licence, fields.MachineID ?? '', context) ?? { licence };
}

/**
 * sGUID may be the account's GUID or a licence's; sLicenseID may be a licence's number or GUID, or blank if the GUID
 * identifies the licence. What the real service expects is not published.
 */
function byC2(fields: Fields, context: DemoContext): Payer | Answer {
  const { account } = context;
  const name = fields.sAccountName?.trim();
  const own = account.licences.filter(({ owner }) => owner === name);
  const named = (fields.sLicenseID ?? '').trim();
  const byGuid = own.find(({ guid }) => sameGuid(guid, fields.sGUID));
  if (!byGuid && !isAccountGuid(name, fields.sGUID, context)) return invalidAccount;
  const licence =
    named === ''
      ? (byGuid ?? own[0])
      : own.find(({ number, guid }) => String(number) === named || sameGuid(guid, named));
  if (!licence || (byGuid && byGuid !== licence)) return invalidAccount;
  const address = (fields.sIPAddress ?? '').trim();
  if (licence.allowedIp !== '' && 'sIPAddress' in fields && address !== licence.allowedIp)
    return refused('The licence is not allowed from this IP address.');
  return usable(licence, context) ?? { licence };
}

function byLicenceKey(fields: Fields, context: DemoContext): Payer | Answer {
  const licence = context.account.licences.find(
    ({ key, guid }) => sameGuid(key, fields.LicenceKey) || sameGuid(guid, fields.LicenceKey),
  );
  if (!licence) return invalidAccount;
  return usable(licence, context) ?? { licence };
}

function byApiKey(fields: Fields, context: DemoContext): Payer | Answer {
  const key = context.account.keys.find((candidate) => candidate.key === fields.ApiKey?.trim());
  if (!key) return { kind: 'fault', message: 'The API key is not known.' };
  if (key.role === 'master') return { kind: 'fault', message: 'The master key is not for lookups.' };
  if (key.ipAddresses.length + key.domains.length > 0) return { kind: 'fault', message: 'The API key is restricted.' };
  return { key };
}

/** Whether name and GUID belong to one of the accounts. */
export function isAccountGuid(name: string | undefined, guid: string | undefined, { account }: DemoContext): boolean {
  if (name?.trim() === account.accountName) return sameGuid(account.guid, guid);
  return name?.trim() === account.otherAccountName && sameGuid(account.otherGuid, guid);
}

/** Compares GUIDs without regard to case, braces and blanks. */
export function sameGuid(one: string, other: string | undefined): boolean {
  return (
    one ===
    (other ?? '')
      .trim()
      .replace(/^\{|\}$/g, '')
      .toLowerCase()
  );
}

/** From the day after the expiry; a licence whose date is a text never is. */
export const isExpired = (licence: Licence, { clock }: DemoContext): boolean =>
  typeof licence.expires === 'number' && licence.expires < Math.floor(clock.now() / day);

function usable(licence: Licence, context: DemoContext): Answer | undefined {
  if (licence.suspended) return refused('The licence is suspended.');
  if (isExpired(licence, context)) return refused('The licence has expired.');
  return undefined;
}

function boundTo(licence: Licence, machine: string, { settings }: DemoContext): Answer | undefined {
  if (settings.machineCheck === 'off' || licence.machines.length === 0) return undefined;
  if (licence.machines.some((bound) => sameMachine(bound, machine))) return undefined;
  return refused('The licence is registered to another machine.');
}
