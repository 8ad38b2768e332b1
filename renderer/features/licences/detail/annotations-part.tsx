import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type LabelField, type Licence, labelFields, nameOf } from '../../../../shared/domain/licences/licence.ts';
import { isSameLicence, plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import { countOf } from '../../../../shared/domain/text/figures.ts';
import { drawable } from '../../../../shared/domain/text/visible-text.ts';
import { Failure } from '../../../components/failure.tsx';
import { WholeNumber } from '../../../components/whole-number.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { useDraft } from '../../../lib/session/drafts.ts';
import { labelOf, useOwn, useOwnRead, useSaveAnnotations } from '../annotations.ts';

const fieldNames: Readonly<Record<LabelField, string>> = {
  typeName: 'LicenseTypeName',
  status: 'Status',
  inUse: 'LicenseInUse',
  available: 'Available',
  returnCode: 'Return_Code',
};

/** The administrator's own entries: a note, a reminder before the expiry, and names for values that the service does not document. */
export function AnnotationsPart({ connectionId, licence }: { connectionId: string; licence: Licence }) {
  const { data } = useOwnRead(connectionId);
  // Saving replaces what is there, so nothing can be typed until that was read; the list says why it could not be.
  if (!data) return null;
  const kept = data.perLicence.find((own) => isSameLicence(own.licenceNumber, licence.licenceNumber));
  return (
    <section aria-label="Your own" className="col g12">
      <h3 className="h">Your own</h3>
      {plainId(licence.licenceNumber) === '' ? (
        <p className="xs t3">It came without a LicenseID, so no note or reminder can be set for it.</p>
      ) : (
        <NoteForm
          connectionId={connectionId}
          licence={licence}
          note={kept?.note ?? ''}
          leadDays={kept?.leadDays ?? null}
        />
      )}
      <LabelForm connectionId={connectionId} licence={licence} />
    </section>
  );
}

interface NoteFormProps {
  connectionId: string;
  licence: Licence;
  note: string;
  leadDays: number | null;
}

function NoteForm({ connectionId, licence, note, leadDays }: NoteFormProps) {
  const save = useSaveAnnotations(connectionId);
  const draft = `licences/own-${connectionId}-${licence.licenceNumber}`;
  const [text, setText] = useDraft(`${draft}-note`, note);
  const [typedDays, setTypedDays] = useDraft(`${draft}-days`, leadDays === null ? '' : String(leadDays));
  const days = typedDays === '' ? null : Number(typedDays);
  const changed = text !== note || days !== leadDays;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      {
        ask: () =>
          call('licences.annotate', {
            connectionId,
            own: { licenceNumber: licence.licenceNumber, note: text, leadDays: days },
          }),
        doing: `Saving your note and reminder for ${nameOf(licence)}`,
        done: `Saved for ${nameOf(licence)}`,
      },
      {
        onSuccess: () => {
          setText(null);
          setTypedDays(null);
        },
      },
    );
  };
  const { rule } = useOwn(connectionId);
  const excepted = rule?.except.some((number) => isSameLicence(number, licence.licenceNumber)) ?? false;
  const isByRule = rule !== null && !excepted && licence.expiresOn !== null && licence.expiresOn >= rule.since;
  const reminds = days !== null && licence.expiresOn === null;
  return (
    <form className="col g6" onSubmit={submit} aria-label="Note and reminder">
      <Textarea
        label="Your note"
        value={text}
        maxLength={1000}
        autosize
        minRows={1}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <WholeNumber
        label="Remind me, days before it expires"
        value={days}
        max={365}
        placeholder={isByRule ? `as for all: ${rule?.leadDays}` : 'no reminder'}
        onChange={(value) => setTypedDays(value === null ? '' : String(value))}
      />
      {rule && days === null && (isByRule || excepted) && (
        <p className="xs t3">
          {excepted
            ? 'Left out of the reminder for all. '
            : `Reminder ${countOf(rule.leadDays, 'day')} before, as for all. `}
          <button
            type="button"
            className="link"
            disabled={save.isPending}
            onClick={() =>
              save.mutate({
                ask: () =>
                  call('licences.save-rule', {
                    connectionId,
                    rule: {
                      leadDays: rule.leadDays,
                      except: excepted
                        ? rule.except.filter((number) => !isSameLicence(number, licence.licenceNumber))
                        : [...rule.except, licence.licenceNumber],
                    },
                  }),
                doing: `Changing whether ${nameOf(licence)} is in the reminder for all`,
                done: `${nameOf(licence)} is ${excepted ? 'back in' : 'left out of'} the reminder for all`,
              })
            }
          >
            {excepted ? 'Remind again' : 'Leave this one out'}
          </button>
        </p>
      )}
      {reminds && <p className="xs warn">Its expiry cannot be read as a date, so no reminder can be set for it yet.</p>}
      {(changed || save.isPending) && (
        <div className="row">
          <Button type="submit" variant="filled" disabled={save.isPending}>
            Save
          </Button>
        </div>
      )}
      {save.error && <Failure error={errorOf(save.error)} />}
    </form>
  );
}

function LabelForm({ connectionId, licence }: { connectionId: string; licence: Licence }) {
  const { labels } = useOwn(connectionId);
  const save = useSaveAnnotations(connectionId);
  const [field, setField] = useState<LabelField>('status');
  const value = licence[field];
  const now = labelOf(labels, field, value) ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      {
        ask: () => call('licences.save-label', { connectionId, label: { field, value, label: typed ?? now } }),
        doing: `Saving the label for a value of ${fieldNames[field]}`,
        done: typed === '' ? 'Label removed' : 'Label saved',
      },
      { onSuccess: () => setTyped(null) },
    );
  };
  return (
    <form className="row wrap bottom-row" onSubmit={submit} aria-label="Label for a value">
      <Select
        label="Label for"
        value={field}
        data={labelFields.map((one) => ({ value: one, label: fieldNames[one] }))}
        allowDeselect={false}
        w={140}
        onChange={(next) => {
          if (next !== null) setField(next as LabelField);
          setTyped(null);
        }}
      />
      <TextInput
        className="grow"
        miw={100}
        label={value === '' ? 'when it is empty' : `“${drawable(value)}”`}
        placeholder="no label"
        value={typed ?? now}
        maxLength={80}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" disabled={typed === null || typed === now || save.isPending}>
        Label
      </Button>
      {save.error && <Failure error={errorOf(save.error)} />}
    </form>
  );
}
