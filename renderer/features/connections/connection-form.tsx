import { Button, ColorSwatch, Modal, Radio, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type Connection,
  type ConnectionDraft,
  connectionColours,
  emptyConnectionDraft,
  placeOfLicences,
} from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { addressProblem } from '../../lib/connection/address-problem.ts';
import { readSessionValue, saveSessionText } from '../../lib/session/session-state.ts';

interface ConnectionFormProps {
  /** null: a new one. */
  existing: Connection | null;
  onClose: () => void;
  onSaved: (id: string) => void;
}

type TextField = Exclude<
  { [K in keyof ConnectionDraft]: ConnectionDraft[K] extends string ? K : never }[keyof ConnectionDraft],
  'kind' | 'soapVersion' | 'searchForm' | 'preferredInterface' | 'colour'
>;

/** `longest`: characters; 300 if it does not say. */
const texts: readonly { name: TextField; label: string; help?: string; wide?: true; longest?: number }[] = [
  { name: 'restBaseUrl', label: 'REST base address', wide: true, longest: 2000 },
  { name: 'soapUrl', label: 'SOAP address', wide: true, longest: 2000 },
  { name: 'soapNamespace', label: 'SOAP namespace', help: 'Leave empty to read it from the description.', wide: true },
  {
    name: 'utilitiesNamespace',
    label: 'Data-set namespace',
    help: 'Leave empty to read it from the description.',
    wide: true,
  },
  { name: 'accountName', label: 'Account name' },
  { name: 'machineId', label: 'Machine ID', help: 'Leave empty unless the licence is bound to a machine.' },
  { name: 'ipAddress', label: 'IP address', help: 'Sent as sIPAddress where an operation has it.' },
  { name: 'yourReference', label: 'Your reference' },
  {
    name: 'listSeparator',
    label: 'List separator',
    longest: 8,
    help: 'Joins several values in one field. It is not published, so it can be set here.',
  },
];

/** Every setting of a connection that is not a secret. */
export function ConnectionForm({ existing, onClose, onSaved }: ConnectionFormProps) {
  const sessionKey = `connections/form/${existing?.id ?? 'new'}`;
  const { id: _id, ...saved } = existing ?? { id: '', ...emptyConnectionDraft };
  const differing = (fields: Partial<ConnectionDraft>): Partial<ConnectionDraft> =>
    Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => saved[name as keyof ConnectionDraft] !== value),
    );
  // Only what was changed: the connection may have other settings by the time that it is saved.
  const [typed, setTyped] = useState(() => differing(readSessionValue<Partial<ConnectionDraft>>(sessionKey) ?? {}));
  const draft: ConnectionDraft = { ...saved, ...typed };
  const changed = Object.keys(differing(typed)).length > 0;
  const [shown, setShown] = useState(false);
  const set = <K extends keyof ConnectionDraft>(name: K, value: ConnectionDraft[K]) =>
    setTyped((now) => {
      const next = differing({ ...now, [name]: value });
      saveSessionText(sessionKey, Object.keys(next).length === 0 ? null : JSON.stringify(next));
      return next;
    });
  const [restored, setRestored] = useState(changed);
  const discard = () => {
    saveSessionText(sessionKey, null);
    setTyped({});
    setRestored(false);
  };
  const save = useMutation({
    mutationFn: () =>
      call('connections.save', {
        id: existing?.id ?? null,
        draft: {
          ...draft,
          name: draft.name.trim(),
          restBaseUrl: draft.restBaseUrl.trim(),
          soapUrl: draft.soapUrl.trim(),
        },
      }),
    meta: { subject: existing ? `Changing ${existing.name}` : `Adding ${draft.name.trim()}` },
    onSuccess: ({ connection }) => {
      saveSessionText(sessionKey, null);
      onSaved(connection.id);
    },
  });
  const problems: Partial<Record<keyof ConnectionDraft, string | null>> = {
    name: draft.name.trim() === '' ? 'Give the connection a name.' : null,
    restBaseUrl: addressProblem(draft.restBaseUrl),
    soapUrl: addressProblem(draft.soapUrl),
    listSeparator: draft.listSeparator === '' ? 'One character at least.' : null,
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    setShown(true);
    if (Object.values(problems).every((problem) => problem === null || problem === undefined)) save.mutate();
  }

  return (
    <Modal opened onClose={onClose} size={620} title={existing ? `Edit ${existing.name}` : 'Add a connection'}>
      <form onSubmit={submit} noValidate className="col g12">
        {restored && (
          <Notice
            action={
              <button type="button" className="link" onClick={discard}>
                Discard them
              </button>
            }
          >
            These changes were not saved when the form was closed.
          </Notice>
        )}
        <div className="two-columns">
          <TextInput
            label="Name"
            data-autofocus
            value={draft.name}
            onChange={(event) => set('name', event.currentTarget.value)}
            error={shown && problems.name}
            maxLength={80}
          />
          <Select
            label="Kind"
            data={[
              { value: 'production', label: 'Production' },
              { value: 'test', label: 'Test' },
            ]}
            value={draft.kind}
            onChange={(value) => set('kind', value === 'test' ? 'test' : 'production')}
          />
          {texts.map(({ name, label, help, wide, longest = 300 }) => (
            <TextInput
              key={name}
              className={wide ? 'wide' : ''}
              label={label}
              {...(help === undefined ? {} : { description: help })}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              value={draft[name]}
              onChange={(event) => set(name, event.currentTarget.value)}
              error={shown && problems[name]}
              maxLength={longest}
              spellCheck={false}
            />
          ))}
          <Select
            label="SOAP version"
            data={['1.1', '1.2']}
            value={draft.soapVersion}
            onChange={(value) => set('soapVersion', value === '1.2' ? '1.2' : '1.1')}
          />
          <Select
            label="Search form"
            data={[
              { value: 'query', label: 'query and maxresults' },
              { value: 'phrase', label: 'phrase and opensearch' },
            ]}
            value={draft.searchForm}
            onChange={(value) => set('searchForm', value === 'phrase' ? 'phrase' : 'query')}
          />
          <Select
            label="Preferred where prices are equal"
            data={[
              { value: 'rest', label: 'REST' },
              { value: 'soap', label: 'SOAP' },
            ]}
            value={draft.preferredInterface}
            onChange={(value) => set('preferredInterface', value === 'soap' ? 'soap' : 'rest')}
          />
          <ColourPicker colours={connectionColours} value={draft.colour} onChange={(colour) => set('colour', colour)} />
        </div>
        {existing && existing.soapUrl !== '' && placeOfLicences(existing) !== placeOfLicences(draft) && (
          <Notice>
            What was read of licences and machines belongs to the previous address or account, so it is put aside.
            Change it back and it is shown again. The journal, the names of machines and your notes stay.
          </Notice>
        )}
        {save.error && <Failure error={errorOf(save.error)} />}
        <div className="row form-foot">
          <Button type="submit" variant="filled" loading={save.isPending}>
            {existing ? 'Save' : 'Add'}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              discard();
              onClose();
            }}
          >
            {changed ? 'Discard changes' : 'Cancel'}
          </Button>
          {changed && <span className="sm t3">Esc closes the form and keeps what you typed.</span>}
        </div>
      </form>
    </Modal>
  );
}

const names = ['Magenta', 'Ochre', 'Blue', 'Olive', 'Violet', 'Teal'];

interface ColourPickerProps {
  colours: readonly string[];
  value: string;
  onChange: (colour: string) => void;
}

/** A connection's own colour: its dot everywhere, and the band above the window for production. */
function ColourPicker({ colours, value, onChange }: ColourPickerProps) {
  return (
    <Radio.Group label="Colour" value={value} onChange={onChange}>
      <div className="row wrap g12">
        {colours.map((colour, index) => (
          <Radio
            key={colour}
            value={colour}
            label={
              <span className="row g6">
                <ColorSwatch color={colour} size={12} aria-hidden="true" />
                {names[index] ?? colour}
              </span>
            }
          />
        ))}
      </div>
    </Radio.Group>
  );
}
