import { ActionIcon } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { describeReturnCode } from '../../../../shared/catalogue/return-codes.ts';
import {
  describeUnreadOrder,
  type LabelField,
  type Licence,
  type LicenceField,
  labelFields,
  licenceFieldNames,
  licenceFields,
} from '../../../../shared/domain/licences/licence.ts';
import { type FieldRow, Fields } from '../../../components/fields.tsx';
import { formatDaysUntil } from '../../../lib/text/format.ts';
import { labelOf, useOwn } from '../annotations.ts';
import { GuidField } from './guid-field.tsx';

interface PublishedField {
  field: LicenceField | null;
  /** The published spelling, mistakes included. */
  name: string;
  /** As the service sent it; the GUID's last four characters. */
  value: string;
  note: string;
}

/** The notes beside fields. */
const notes: Partial<Record<LicenceField, (licence: Licence, now: Date) => string>> = {
  expiryDate: expiryNote,
  creditsAvailable: ({ creditsAvailable, credits }) => countNote(creditsAvailable, credits),
  // What the two say is not published.
  inUse: ({ inUse, seatsUsed }) => countNote(inUse, seatsUsed, 'taken for seats in use'),
  available: ({ available, seatsFree }) => countNote(available, seatsFree, 'taken for free seats'),
  status: ({ status }) => (status ? 'as it came' : ''),
  returnCode: ({ returnCode }) => describeReturnCode(returnCode.trim()) ?? '',
};

/** The fields of a License record in their published order, then what the record does not define. */
const fieldsOf = (licence: Licence, now: Date): PublishedField[] => [
  ...licenceFieldNames.map((field) => ({
    field,
    name: licenceFields[field].published,
    value: licence[field],
    note: notes[field]?.(licence, now) ?? '',
  })),
  ...Object.entries(licence.unknownFields).map(([name, value]) => ({
    field: null,
    name,
    value,
    note: 'not in the published record',
  })),
];

function countNote(text: string, count: number | null, taken = ''): string {
  return count === null && text.trim() !== '' ? 'not a whole number' : taken;
}

function expiryNote(licence: Licence, now: Date): string {
  if (licence.expiresOn === null) {
    return describeUnreadOrder(licence) ?? (licence.expiryDate.trim() === '' ? '' : 'not a date that can be read');
  }
  return formatDaysUntil(licence.expiresOn, now);
}

/** All fields as lines of name, tab, value; the GUID stays masked. */
export function fieldsText(licence: Licence): string {
  return fieldsOf(licence, new Date())
    .map(({ name, value }) => `${name}\t${name === 'GUID' && value ? `••••${value}` : value}`)
    .join('\n');
}

const isLabelField = (field: LicenceField | null): field is LabelField => labelFields.some((one) => one === field);

interface LicenceFieldsProps {
  licence: Licence;
  connectionId: string;
  now: Date;
  onCopy: (text: string, what: string) => void;
}

/** The fields under their published names. The GUID is a credential: its last four characters are all this window has of it. */
export function LicenceFields({ licence, connectionId, now, onCopy }: LicenceFieldsProps) {
  const { labels } = useOwn(connectionId);
  const rows = fieldsOf(licence, now).map(({ field, name, value, note }): FieldRow => {
    if (field === 'guidLastFour')
      return {
        label: name,
        value: value && <GuidField connectionId={connectionId} licence={licence} lastFour={value} />,
      };
    const label = isLabelField(field) ? labelOf(labels, field, value) : null;
    return {
      label: name,
      value: value && (
        <>
          {value}{' '}
          {label !== null ? (
            <span className="t3 xs">labelled “{label}” by you</span>
          ) : (
            note && <span className="t3 xs">{note}</span>
          )}
        </>
      ),
      from: value && (
        <ActionIcon size={24} className="copy-field" aria-label={`Copy ${name}`} onClick={() => onCopy(value, name)}>
          <IconCopy size={14} className="ti" aria-hidden="true" />
        </ActionIcon>
      ),
    };
  });
  return <Fields rows={rows} labelWidth={150} />;
}
