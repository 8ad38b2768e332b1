import { ActionIcon } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { describeReturnCode } from '../../../../shared/catalogue/return-codes.ts';
import { type LabelField, type Licence, labelFields } from '../../../../shared/domain/licence.ts';
import { type FieldRow, Fields } from '../../../components/fields.tsx';
import { Mono } from '../../../components/marks.tsx';
import { formatDaysUntil } from '../../../lib/text/format.ts';
import { labelOf, useOwn } from '../annotations.ts';

interface PublishedField {
  /** The published spelling, mistakes included. */
  name: string;
  /** As the service sent it; the GUID's last four characters. */
  value: string;
  note?: ReactNode;
}

/** The thirteen fields of a License record in their published order, then what the record does not define. */
function fieldsOf(licence: Licence, now: Date): PublishedField[] {
  const meaning = describeReturnCode(licence.returnCode.trim());
  return [
    { name: 'ReferenceNo', value: licence.referenceNo },
    { name: 'AcccountName', value: licence.accountName },
    { name: 'GUID', value: licence.guidLastFour },
    { name: 'LicenseID', value: licence.licenceNumber },
    { name: 'LicenseTypeName', value: licence.typeName },
    { name: 'LicenseTypeDesc', value: licence.typeDescription },
    { name: 'ExpiryDate', value: licence.expiryDate, note: expiryNote(licence, now) },
    {
      name: 'CurrentCreditsAvailable',
      value: licence.creditsAvailable,
      ...(licence.credits === null && licence.creditsAvailable.trim() !== '' ? { note: 'not a whole number' } : {}),
    },
    { name: 'AllowedIpAddress', value: licence.allowedIpAddress },
    { name: 'LicenseInUse', value: licence.inUse, ...seatNote(licence.inUse, licence.seatsUsed) },
    { name: 'Available', value: licence.available, ...seatNote(licence.available, licence.seatsFree) },
    { name: 'Status', value: licence.status, ...(licence.status ? { note: 'as it came' } : {}) },
    { name: 'Return_Code', value: licence.returnCode, ...(meaning ? { note: meaning } : {}) },
    ...Object.entries(licence.unknownFields).map(([name, value]) => ({
      name,
      value,
      note: 'not in the published record',
    })),
  ];
}

const seatNote = (text: string, count: number | null) =>
  count === null && text.trim() !== '' ? { note: 'not a whole number' } : {};

function expiryNote(licence: Licence, now: Date): string {
  if (licence.expiresOn === null) {
    if (licence.dateOrder === 'undecided') return 'no date of its list tells day from month';
    return licence.expiryDate.trim() === '' ? '' : 'not a date that can be read';
  }
  return formatDaysUntil(licence.expiresOn, now);
}

/** All fields as lines of name, tab, value; the GUID stays masked. */
export function fieldsText(licence: Licence): string {
  return fieldsOf(licence, new Date())
    .map(({ name, value }) => `${name}\t${name === 'GUID' && value ? `••••${value}` : value}`)
    .join('\n');
}

const publishedNames: Readonly<Record<LabelField, string>> = {
  typeName: 'LicenseTypeName',
  status: 'Status',
  inUse: 'LicenseInUse',
  available: 'Available',
  returnCode: 'Return_Code',
};

interface LicenceFieldsProps {
  licence: Licence;
  connectionId: string;
  now: Date;
  onCopy: (text: string, what: string) => void;
}

/** The fields under their published names. The GUID is a credential: its last four characters are all this window has of it. */
export function LicenceFields({ licence, connectionId, now, onCopy }: LicenceFieldsProps) {
  const { labels } = useOwn(connectionId);
  const labelled = new Map(
    labelFields.flatMap((field) => {
      const label = labelOf(labels, field, licence[field]);
      return label === null ? [] : [[publishedNames[field], label] as const];
    }),
  );
  const rows = fieldsOf(licence, now).map(({ name, value, note }): FieldRow => {
    if (name === 'GUID') return { label: name, value: value && <Mono>•••• •••• •••• {value}</Mono> };
    return {
      label: name,
      value: value && (
        <>
          {value}{' '}
          {labelled.has(name) ? (
            <span className="t3 xs">labelled “{labelled.get(name)}” by you</span>
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
