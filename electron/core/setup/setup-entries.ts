import { protocolNames } from '../../../shared/domain/connection.ts';
import { capNames } from '../../../shared/domain/credits/credits.ts';
import type { Alert } from '../../../shared/domain/credits/credits-history.ts';
import type { LicenceLabel } from '../../../shared/domain/licences/licence.ts';
import { isFiltering, type LicenceFilter } from '../../../shared/domain/licences/licence-filter.ts';
import type { InventoryMachine } from '../../../shared/domain/licences/licence-machines.ts';
import type {
  ConnectionSettings,
  SetupFile,
  SetupGroup,
  SetupLookup,
  SetupReminderRule,
} from '../../../shared/domain/setup-file.ts';
import { formatCredits } from '../../../shared/domain/text/figures.ts';

/** What an entry of each kind holds besides its name. */
interface SetupValues {
  connection: ConnectionSettings;
  perRun: number;
  perDay: number;
  floor: number;
  'set-price': number;
  /** `isOff`: here, but switched off. A file has none of these. */
  alert: Alert & { isOff?: true };
  'pounds-per-credit': number;
  'cost-centre': string;
  machine: Omit<InventoryMachine, 'name'>;
  label: LicenceLabel;
  view: LicenceFilter;
  licence: { note: string; leadDays: number | null };
  'reminder-rule': SetupReminderRule;
  lookup: SetupLookup;
}

export type SetupKind = keyof SetupValues;

/** One thing of a set-up. A set-up is a set of them: entries are what is compared, taken over and undone. */
export type SetupEntry = {
  [K in SetupKind]: { kind: K; connection: string; name: string; value: SetupValues[K] };
}[SetupKind];

/** Parts by their label, as a preview shows them; a part without text is not shown. */
type Parts = Record<string, string>;

interface KindOf<K extends SetupKind> {
  group: SetupGroup;
  /** Its title on a line of its own; `{name}` is its name. */
  what: string;
  /** Many alike share one line, under this name in the plural. */
  many?: string;
  /** Which of two figures is stricter. */
  stricter?: 'lower' | 'higher';
  /** What importing it would allow that was not allowed before, in words. */
  loosens?: string;
  parts(value: SetupValues[K]): Parts;
}

const credits = (value: number): Parts => ({ '': formatCredits(value) });
const listOf = (values: readonly string[]): string => values.join(', ');

const interfaces = ({ restBaseUrl, soapUrl }: ConnectionSettings): string =>
  [restBaseUrl && 'REST', soapUrl && 'SOAP'].filter(Boolean).join(' and ') || 'no address';

const alertTexts: Readonly<Record<Alert['kind'], (threshold: number) => string>> = {
  'below-credits': (threshold) => `balance below ${formatCredits(threshold)}`,
  'below-percent': (threshold) => `balance below ${threshold} %`,
  'days-left': (threshold) => `${threshold} days left or fewer`,
  unexplained: (threshold) => `a fall of ${formatCredits(threshold)} or more that no call explains`,
};

const facetTexts: Readonly<Record<LicenceFilter['quick'][number], string>> = {
  soon: 'expiring soon',
  expired: 'expired',
  free: 'free seats',
  unknown: 'seats unknown',
  'no-machine': 'found on no machine',
};

export const setupKinds: { [K in SetupKind]: KindOf<K> } = {
  connection: {
    group: 'connections',
    what: '{connection}',
    parts: (value) => ({
      interfaces: interfaces(value),
      kind: value.kind,
      colour: value.colour,
      'REST address': value.restBaseUrl,
      'SOAP address': value.soapUrl,
      'SOAP namespace': value.soapNamespace,
      'utilities namespace': value.utilitiesNamespace,
      'SOAP version': value.soapVersion,
      'form of a search': value.searchForm,
      'interface used first': protocolNames[value.preferredInterface],
      'account name': value.accountName,
      reference: value.yourReference,
      'list separator': value.listSeparator,
    }),
  },
  perRun: { group: 'caps', what: 'Cap since the program started', stricter: 'lower', parts: credits },
  perDay: { group: 'caps', what: 'Daily cap', stricter: 'lower', parts: credits },
  floor: { group: 'caps', what: 'Minimum balance', stricter: 'higher', parts: credits },
  'set-price': {
    group: 'caps',
    what: '{name} counts as',
    stricter: 'higher',
    loosens: 'While a cap is on, an operation without a figure is not called. With this figure it is.',
    parts: credits,
  },
  alert: {
    group: 'caps',
    what: 'Alert',
    parts: ({ kind, threshold, isOff }) => ({ '': `${alertTexts[kind](threshold)}${isOff ? ', switched off' : ''}` }),
  },
  'pounds-per-credit': { group: 'caps', what: 'Price of a credit', parts: (pounds) => ({ '': `£${pounds}` }) },
  'cost-centre': {
    group: 'caps',
    what: 'Cost centre of {name}',
    many: 'cost centres',
    parts: (text) => ({ '': text }),
  },
  machine: {
    group: 'machines',
    what: '{name}',
    many: 'machines',
    parts: ({ nickname, owner, site, note }) => ({ nickname, owner, site, note }),
  },
  label: {
    group: 'licences',
    what: 'Label of {name}',
    many: 'labels',
    parts: ({ label }) => ({ '': label }),
  },
  view: {
    group: 'licences',
    what: 'View “{name}”',
    many: 'views',
    parts: (filter) => ({
      '': isFiltering(filter) ? '' : 'all licences',
      text: filter.text,
      types: listOf(filter.types),
      statuses: listOf(filter.statuses),
      only: listOf(filter.quick.map((facet) => facetTexts[facet])),
    }),
  },
  licence: {
    group: 'licences',
    what: 'Licence {name}',
    many: 'notes and reminders of licences',
    parts: ({ note, leadDays }) => ({
      note,
      reminder: leadDays === null ? '' : leadDays === 1 ? '1 day before' : `${leadDays} days before`,
    }),
  },
  'reminder-rule': {
    group: 'licences',
    what: 'Reminder of all licences',
    parts: ({ leadDays, except }) => ({
      '': leadDays === 1 ? '1 day before' : `${leadDays} days before`,
      except: listOf(except),
    }),
  },
  lookup: {
    group: 'lookups',
    what: '{name}',
    many: 'saved lookups',
    parts: ({ operation, dataset, fields }) => ({
      operation: dataset ? `${operation}, as a data set` : operation,
      ...Object.fromEntries(fields.map(({ name, values }) => [name, listOf(values)])),
    }),
  },
};

export const kindNames = Object.keys(setupKinds) as SetupKind[];

export const partsOf = <K extends SetupKind>(entry: SetupEntry & { kind: K }): Parts =>
  (setupKinds[entry.kind] as unknown as KindOf<K>).parts(entry.value as SetupValues[K]);

/** The way SQLite compares the names of connections and lookups: Latin letters ignoring case. */
const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** What makes two entries the same thing. */
export const entryId = ({ kind, connection, name }: Pick<SetupEntry, 'kind' | 'connection' | 'name'>): string =>
  JSON.stringify([kind, fold(connection), kind === 'lookup' ? fold(name) : name]);

/** Of the entry of a connection itself. */
export const connectionEntryId = (connection: string): string => entryId({ kind: 'connection', connection, name: '' });

const alertName = ({ kind, threshold }: Alert): string => `${kind} ${threshold}`;
const labelName = ({ field, value }: Pick<LicenceLabel, 'field' | 'value'>): string => `${field} “${value}”`;
/** With quotes where a part has the sign that separates the two: b in the folder a is not the lookup “a / b” without one. */
const lookupName = ({ folder, name }: Pick<SetupLookup, 'folder' | 'name'>): string => {
  const part = (text: string): string => (text.includes(' / ') ? `“${text}”` : text);
  return folder === '' ? part(name) : `${part(folder)} / ${part(name)}`;
};

/** Everything in a set-up, one by one. Connections come before what belongs to them. */
export function entriesOf({
  connections,
  savedLookups,
}: Pick<SetupFile, 'connections' | 'savedLookups'>): SetupEntry[] {
  return [
    ...connections.flatMap((one): SetupEntry[] => {
      const connection = one.name;
      const cap = (kind: (typeof capNames)[number]): SetupEntry[] =>
        one.caps[kind] === null ? [] : [{ kind, connection, name: '', value: one.caps[kind] }];
      return [
        { kind: 'connection', connection, name: '', value: one.settings },
        ...capNames.flatMap(cap),
        ...one.setPrices.map(
          ({ operation, credits: value }): SetupEntry => ({ kind: 'set-price', connection, name: operation, value }),
        ),
        ...one.alerts.map((value): SetupEntry => ({ kind: 'alert', connection, name: alertName(value), value })),
        ...(one.poundsPerCredit === null
          ? []
          : [{ kind: 'pounds-per-credit' as const, connection, name: '', value: one.poundsPerCredit }]),
        ...(one.reminderRule === null
          ? []
          : [{ kind: 'reminder-rule' as const, connection, name: '', value: one.reminderRule }]),
        ...one.costCentres.map(
          ({ label, centre }): SetupEntry => ({ kind: 'cost-centre', connection, name: label, value: centre }),
        ),
        ...one.machines.map(({ name, ...value }): SetupEntry => ({ kind: 'machine', connection, name, value })),
        ...one.labels.map((value): SetupEntry => ({ kind: 'label', connection, name: labelName(value), value })),
        ...one.views.map(({ name, filter }): SetupEntry => ({ kind: 'view', connection, name, value: filter })),
        ...one.licences.map(
          ({ licenceNumber, note, leadDays }): SetupEntry => ({
            kind: 'licence',
            connection,
            name: licenceNumber,
            value: { note, leadDays },
          }),
        ),
      ];
    }),
    ...savedLookups.map((value): SetupEntry => ({ kind: 'lookup', connection: '', name: lookupName(value), value })),
  ];
}

/** Every text of an entry that a person wrote, to be looked through. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** The place of an entry, as a text without any part that may be a key. */
export const describeEntry = ({ kind, connection }: SetupEntry): string =>
  connection === '' ? 'a saved lookup' : `${kindLabels[kind]} of ${connection}`;

const kindLabels: Record<SetupKind, string> = {
  connection: 'all',
  perRun: 'a cap',
  perDay: 'a cap',
  floor: 'a cap',
  'set-price': 'a figure for an operation',
  alert: 'an alert',
  'pounds-per-credit': 'the price of a credit',
  'cost-centre': 'a cost centre',
  machine: 'a machine',
  label: 'a label',
  view: 'a view',
  licence: 'a note of a licence',
  'reminder-rule': 'the reminder of all licences',
  lookup: 'a saved lookup',
};

/** A set-up without some of its entries; with a connection goes all that belongs to it. */
export function withoutEntries(file: SetupFile, ids: ReadonlySet<string>): SetupFile {
  const isIn = (kind: SetupKind, connection: string, name: string): boolean =>
    !ids.has(entryId({ kind, connection, name } as SetupEntry));
  return {
    ...file,
    connections: file.connections.flatMap((one) => {
      const has = (kind: SetupKind, name = '') => isIn(kind, one.name, name);
      if (!has('connection')) return [];
      return [
        {
          ...one,
          caps: {
            perRun: has('perRun') ? one.caps.perRun : null,
            perDay: has('perDay') ? one.caps.perDay : null,
            floor: has('floor') ? one.caps.floor : null,
          },
          poundsPerCredit: has('pounds-per-credit') ? one.poundsPerCredit : null,
          reminderRule: has('reminder-rule') ? one.reminderRule : null,
          setPrices: one.setPrices.filter(({ operation }) => has('set-price', operation)),
          alerts: one.alerts.filter((alert) => has('alert', alertName(alert))),
          costCentres: one.costCentres.filter(({ label }) => has('cost-centre', label)),
          machines: one.machines.filter(({ name }) => has('machine', name)),
          labels: one.labels.filter((label) => has('label', labelName(label))),
          views: one.views.filter(({ name }) => has('view', name)),
          licences: one.licences.filter(({ licenceNumber }) => has('licence', licenceNumber)),
        },
      ];
    }),
    savedLookups: file.savedLookups.filter((one) => isIn('lookup', '', lookupName(one))),
  };
}
