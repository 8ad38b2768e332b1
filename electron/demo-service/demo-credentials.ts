import { lazy } from '../../shared/lazy.ts';
import type { Account } from './account/account.ts';
import { seededAt } from './account/licence-seed.ts';
import type { Gazetteer } from './gazetteer/gazetteer.ts';
import type { Premise } from './gazetteer/types.ts';

/** Everything that a caller needs to use the demo account: its credentials, and requests that have answers. */
export interface DemoCredentials {
  lookupKey: string;
  lookupKey2: string;
  masterKey: string;
  /** Restricted to calls from 203.0.113.7, so refused on this computer unless `trustForwarded` is set. */
  restrictedKey: string;
  /** Accepted only with an Origin or Referer of shop.example. */
  domainKey: string;
  /** Five requests a minute. */
  limitedKey: string;
  /** Has no credits left. */
  spentKey: string;
  accountName: string;
  guid: string;
  /** A value for the field LicenceID: the GUID of a licence that is not bound to machines. */
  licenceId: string;
  /** The value for MachineID with that licence: empty. */
  machineId: string;
  licenceKey: string;
  yourReference: string;
  webMapKey: string;
  ipAddress: string;
  /** Licence numbers (iLicenseID) by the name of the state in which each is created. */
  licences: Record<string, number>;
  /** LicenceID values by the same names. */
  licenceIds: Record<string, string>;
  /** Machines that hold licences. */
  machines: string[];
  otherAccount: { accountName: string; guid: string; licence: number };
  sample: DemoSample;
}

/** Values to search for, each of which this gazetteer has. */
interface DemoSample {
  postcode: string;
  nearPostcodes: string[];
  district: string;
  premiseId: string;
  /** A delivery point whose identifier starts with 0. */
  leadingZeroId: string;
  udprn: string;
  number: string;
  flatOrBuilding: { name: string; postcode: string };
  words: string;
  street: string;
  locality: string;
  town: string;
  thoroughfareId: string;
  organisation: { name: string; town: string };
  /** Both empty if the gazetteer has no PO box, which is so below about 4,000 premises. */
  poBox: { number: string; town: string };
  field: { name: string; value: string };
  expression: string;
}

const licenceLabels = [
  'default',
  'front-desk',
  'free',
  'free-soon',
  'warehouse',
  'full',
  'office',
  'expired-bound',
  'expired-free',
  'suspended',
  'spent',
  'ip',
  'no-date',
  'no-credits',
  'site',
  'trial',
  'other-free',
] as const;

/** The credentials of the seeded account with samples from the gazetteer. Throws an Error if the gazetteer has no premise of some kind. */
export function describeDemo(account: Account, gazetteer: Gazetteer): DemoCredentials {
  const keyOf = (label: string): string => account.keys.find((key) => key.label === label)?.key ?? '';
  const licenceOf = (label: string) => account.licences[seededAt(label)] ?? account.defaultLicence;
  const own = licenceLabels.filter((label) => label !== 'other-free');
  return {
    lookupKey: keyOf('lookup'),
    lookupKey2: keyOf('lookup2'),
    masterKey: keyOf('master'),
    restrictedKey: keyOf('restricted'),
    domainKey: keyOf('domain'),
    limitedKey: keyOf('limited'),
    spentKey: keyOf('spent'),
    accountName: account.accountName,
    guid: account.guid,
    licenceId: account.defaultLicence.guid,
    machineId: '',
    licenceKey: account.defaultLicence.key,
    yourReference: 'address-console demo',
    webMapKey: account.webMapKey,
    ipAddress: '127.0.0.1',
    licences: Object.fromEntries(own.map((label) => [label, licenceOf(label).number])),
    licenceIds: Object.fromEntries(own.map((label) => [label, licenceOf(label).guid])),
    machines: [...new Set(own.flatMap((label) => licenceOf(label).machines))].sort(),
    otherAccount: {
      accountName: account.otherAccountName,
      guid: account.otherGuid,
      licence: licenceOf('other-free').number,
    },
    sample: describeSample(gazetteer),
  };
}

function describeSample(gazetteer: Gazetteer): DemoSample {
  const postcodes = gazetteer.samplePostcodes(6);
  const [postcode = ''] = postcodes;
  const here = gazetteer.premisesAtPostcode(postcode);
  const others = lazy(() => gazetteer.sample(2000));
  const find = (test: (premise: Premise) => boolean, what: string): Premise => {
    const found = here.find(test) ?? others().find(test);
    if (!found) throw new Error(`The gazetteer is too small to hold ${what}; make more premises.`);
    return found;
  };
  const house = find(
    ({ buildingNumber, thoroughfare }) => buildingNumber !== '' && thoroughfare !== '',
    'a numbered house',
  );
  const flat = find(({ subBuilding }) => subBuilding !== '', 'a flat');
  const business = find(({ organisation }) => organisation !== '', 'an organisation');
  const zero = find(({ id }) => id.startsWith('0'), 'an identifier that starts with 0');
  const boxed = findPoBox(gazetteer);
  const district = postcode.split(' ')[0] ?? '';
  const [street] = gazetteer.thoroughfaresByStreet(house.thoroughfare, house.buildingNumber, house.postTown).found;
  return {
    postcode,
    nearPostcodes: postcodes.slice(1),
    district,
    premiseId: house.id,
    leadingZeroId: zero.id,
    udprn: house.udprn,
    number: house.buildingNumber,
    flatOrBuilding: { name: flat.subBuilding, postcode: flat.postcode },
    words: `${house.thoroughfare} ${house.postTown}`,
    street: house.thoroughfare,
    locality: house.dependentLocality || house.postTown,
    town: house.postTown,
    thoroughfareId: street?.id ?? '',
    organisation: { name: business.organisation, town: business.postTown },
    poBox: { number: boxed?.poBox ?? '', town: boxed?.postTown ?? '' },
    field: { name: 'Postcode', value: postcode },
    expression: `Town:"${house.postTown}" AND Street:"${house.thoroughfare}"`,
  };
}

/** Every office numbers its boxes from low numbers upwards, so if there is any box, one of the first few hundred numbers exists. */
function findPoBox(gazetteer: Gazetteer): Premise | undefined {
  for (let number = 1; number <= 300; number += 1) {
    const [found] = gazetteer.searchPoBox(String(number), '', 1).found;
    if (found) return found;
  }
  return undefined;
}
