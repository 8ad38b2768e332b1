import { sameMachine } from '../account/account.ts';
import { day } from '../account/clock.ts';
import type { Licence } from '../account/licence-seed.ts';
import type { DemoContext } from '../context.ts';
import { type Answer, badInput, invalidAccount, nothingFound, type Row } from './answer.ts';
import { isAccountGuid, isExpired, sameGuid } from './authorise.ts';
import type { Fields, Handler } from './handler.ts';

/** The operations about licences, machines and credits. Only ServiceTest has a payer, so only it is charged if an option sets a price. */
export const licenceOperations = {
  ServiceTest: (fields, context) => {
    const licence = context.account.licences.find(({ guid }) => sameGuid(guid, fields.LicenceID));
    const text = context.settings.serviceTest
      .replace('{status}', 'OK')
      .replace('{credits}', licence ? creditsText(licence) : '0');
    return { kind: 'text', text };
  },
  GetLicenseDetails: (fields, context) => {
    const machine = fields.sMachineName ?? '';
    if (machine.trim() === '') return badInput('sMachineName is empty.');
    return listLicences(
      context.account.licences.filter((licence) => holds(licence, machine)),
      context,
    );
  },
  GetLicenseList: (fields, context) => {
    const own = ownLicences(fields, fields.sGUID, context);
    if (!own) return invalidAccount;
    const machine = (fields.sMachineName ?? '').trim();
    const filtered = context.settings.licenceListMachine === 'filter' && machine !== '';
    return listLicences(
      filtered ? own.filter((licence) => holds(licence, machine) || isAvailable(licence, context)) : own,
      context,
    );
  },
  RegisterLicense: (fields, context) =>
    change(fields, context, (licence, machine) => {
      if (licence.suspended) return `Licence ${licence.number} is suspended.`;
      if (isExpired(licence, context)) return `Licence ${licence.number} has expired.`;
      if (licence.seats === 0) return `Licence ${licence.number} is not bound to machines.`;
      if (holds(licence, machine)) return `Licence ${licence.number} is already registered to ${machine}.`;
      if (licence.machines.length >= licence.seats) return `Licence ${licence.number} has no free place.`;
      context.account.bind(licence, machine);
      return true;
    }),
  UnregisterLicense: (fields, context) =>
    change(fields, context, (licence, machine) => {
      if (!holds(licence, machine)) return `Licence ${licence.number} is not registered to ${machine}.`;
      context.account.unbind(licence, machine);
      return true;
    }),
  GetAvailableCredits: (fields, context) => {
    const own = ownLicences(fields, fields.sGuid, context);
    const licence = own?.find(({ guid }) => sameGuid(guid, fields.sGuid)) ?? own?.[0];
    const address = (fields.sIPAddress ?? '').trim();
    if (licence && (licence.allowedIp === '' || licence.allowedIp === address))
      return { kind: 'integer', value: typeof licence.credits === 'number' ? licence.credits : 0 };
    if (context.settings.badCredits === 'fault') return { kind: 'fault', message: 'Account details not valid.' };
    return { kind: 'integer', value: context.settings.badCredits === 'zero' ? 0 : -1 };
  },
} satisfies Record<string, Handler>;

const holds = (licence: Licence, machine: string): boolean =>
  licence.machines.some((bound) => sameMachine(bound, machine));

const isAvailable = (licence: Licence, context: DemoContext): boolean =>
  !licence.suspended && !isExpired(licence, context) && licence.machines.length < licence.seats;

const creditsText = (licence: Licence): string => String(licence.credits);

/** The licences of the account that has this name and GUID (the account's or one of its licences'); undefined if no account has. */
function ownLicences(fields: Fields, guid: string | undefined, context: DemoContext): Licence[] | undefined {
  const name = fields.sAccountName?.trim();
  const own = context.account.licences.filter(({ owner }) => owner === name);
  if (isAccountGuid(name, guid, context)) return own;
  return own.some((licence) => sameGuid(licence.guid, guid)) ? own : undefined;
}

function change(
  fields: Fields,
  context: DemoContext,
  apply: (licence: Licence, machine: string) => true | string,
): Answer {
  const answer = (outcome: true | string, done: string): Answer => {
    const code = outcome === true ? '1' : '-1';
    const sentence = outcome === true ? done : outcome;
    return { kind: 'text', text: context.settings.registerAnswer === 'code' ? code : sentence };
  };
  const own = ownLicences(fields, fields.sGUID, context);
  if (!own) return answer('Account details not valid.', '');
  const machine = (fields.sMachineName ?? '').trim();
  if (machine === '') return answer('The machine name is missing.', '');
  const number = Number(fields.iLicenseID);
  const licence = own.find((candidate) => candidate.number === number);
  if (!licence) {
    const foreign = context.account.licences.some((candidate) => candidate.number === number);
    return answer(
      foreign ? `Licence ${number} is not a licence of this account.` : `Licence ${number} is not known.`,
      '',
    );
  }
  return answer(apply(licence, machine), `Success: licence ${number}, machine ${machine}.`);
}

function listLicences(licences: readonly Licence[], context: DemoContext): Answer {
  if (licences.length === 0) return nothingFound;
  return { kind: 'records', rows: licences.map((licence) => describe(licence, context)) };
}

function describe(licence: Licence, context: DemoContext): Row {
  const { settings, account } = context;
  const expired = isExpired(licence, context);
  const ownerGuid = licence.owner === account.accountName ? account.guid : account.otherGuid;
  return {
    ReferenceNo: licence.reference,
    AcccountName: licence.owner,
    GUID: settings.licenceGuid === 'own' ? licence.guid : ownerGuid,
    LicenseID: String(licence.number),
    LicenseTypeName: licence.type,
    LicenseTypeDesc: licence.description,
    ExpiryDate: typeof licence.expires === 'number' ? writeDate(licence.expires, settings.dates) : licence.expires,
    CurrentCreditsAvailable: creditsText(licence),
    AllowedIpAddress: licence.allowedIp,
    ...describeSeats(licence, context),
    Status: licence.suspended ? 'Suspended' : expired ? 'Expired' : 'Active',
  };
}

/** Seats of an expired licence are still counted; only the date says that they cannot be used. */
function describeSeats(licence: Licence, context: DemoContext): Row {
  const { flags } = context.settings;
  const { machines, seats } = licence;
  if (flags !== 'count')
    return {
      LicenseInUse: writeFlag(machines.length > 0, flags),
      Available: writeFlag(isAvailable(licence, context), flags),
    };
  if (seats === 0) return { LicenseInUse: '', Available: '' };
  return { LicenseInUse: String(machines.length), Available: String(seats - machines.length) };
}

const noFor: Readonly<Record<string, string>> = { True: 'False', true: 'false', Yes: 'No', Y: 'N', '1': '0' };

function writeFlag(value: boolean, yes: string): string {
  return value ? yes : (noFor[yes] ?? '');
}

/** A date, given in days since 1970, in the format of the settings. */
function writeDate(days: number, format: DemoContext['settings']['dates']): string {
  const iso = new Date(days * day).toISOString().slice(0, 10);
  const [year, month, date] = iso.split('-');
  if (format === 'iso') return iso;
  if (format === 'mdy') return `${month}/${date}/${year}`;
  return `${date}/${month}/${year}${format === 'dmy-time' ? ' 00:00:00' : ''}`;
}
