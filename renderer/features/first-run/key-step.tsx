import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import { IconArrowRight, IconShieldLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Connection, SecretHandle, SecretRole, SecretStore } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { secretRoleNames } from '../../lib/connection/secret-roles.ts';
import { useFocusOnce } from '../../lib/window/focus-once.ts';

interface KeyStepProps {
  connection: Connection;
  store: SecretStore | null;
  /** The key given before, which a new value replaces. */
  existing: SecretHandle | null;
  /** The ids of what this page has stored, to which the step adds. */
  stored: Set<string>;
  /** Whether the service has just refused it. */
  refused: boolean;
  onKept: (handle: SecretHandle) => void;
  onBack: () => void;
  /** Opens the program with the key as it is. */
  onLater: () => void;
}

/** What a key of the REST side may be. */
const keyRoles = ['lookup-key', 'master-key'] as const satisfies readonly SecretRole[];

/** The SOAP side's own credentials, asked for if the connection has a SOAP address. */
const soapRoles = [
  { role: 'account-guid', label: 'Account GUID, for licences and their balance' },
  { role: 'licence-id', label: 'Licence ID, for searches over SOAP' },
] as const satisfies readonly { role: SecretRole; label: string }[];
type SoapRole = (typeof soapRoles)[number]['role'];

type Typed = Pick<SecretHandle, 'role' | 'label'> & { value: string };

/** Step 2: keys go from their fields straight to the keychain. They are never part of a draft and never come back. */
export function KeyStep({ connection, store, existing, stored, refused, onKept, onBack, onLater }: KeyStepProps) {
  const rest = connection.restBaseUrl !== '';
  const [role, setRole] = useState<SecretRole>(existing?.role ?? 'lookup-key');
  const [label, setLabel] = useState(existing?.label ?? 'Contact centre');
  const [value, setValue] = useState('');
  const [soap, setSoap] = useState<Record<SoapRole, string>>({ 'account-guid': '', 'licence-id': '' });
  const [shown, setShown] = useState(false);
  const first = useFocusOnce<HTMLInputElement>();
  const asksSoap = connection.soapUrl !== '' && existing === null;
  const given = soapRoles.filter((one) => soap[one.role].trim() !== '');

  const keep = useMutation({
    mutationFn: async (): Promise<SecretHandle> => {
      const before = await findStored();
      const kept: SecretHandle[] = [];
      if (rest || existing) kept.push(await keepKey({ role, label: label.trim(), value: value.trim() }, before));
      for (const one of asksSoap ? given : [])
        kept.push(await keepKey({ role: one.role, label: 'Account', value: soap[one.role].trim() }, before));
      const [handle] = kept;
      if (!handle) throw new Error('No key was given.');
      // The other credentials stay while only the key is corrected.
      const isAsked = (one: SecretHandle) =>
        !existing || one.role === existing.role || keyRoles.some((key) => key === one.role);
      for (const old of before)
        if (isAsked(old) && !kept.some(({ id }) => id === old.id)) await call('secrets.remove', { secretId: old.id });
      return handle;
    },
    meta: { subject: 'Saving the key', connectionId: connection.id },
    onSuccess: (handle) => {
      setValue('');
      setSoap({ 'account-guid': '', 'licence-id': '' });
      onKept(handle);
    },
  });

  /** What this page has stored for the connection, also in an attempt that then failed: what is given now takes its place. */
  async function findStored(): Promise<SecretHandle[]> {
    const { connections } = await call('connections.list', {});
    const view = connections.find((one) => one.connection.id === connection.id);
    return view?.secrets.filter(({ id }) => stored.has(id)) ?? [];
  }

  async function keepKey(typed: Typed, before: readonly SecretHandle[]): Promise<SecretHandle> {
    // Labels that differ in case alone are one name.
    const same = before.find((one) => one.role === typed.role && one.label.toLowerCase() === typed.label.toLowerCase());
    if (same) return call('secrets.replace', { secretId: same.id, value: typed.value });
    const handle = await call('secrets.put', { connectionId: connection.id, ...typed });
    stored.add(handle.id);
    await call('secrets.prefer', { secretId: handle.id });
    return handle;
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    setShown(true);
    const complete = rest || existing ? label.trim() !== '' && value.trim() !== '' : given.length > 0;
    if (complete) keep.mutate();
  }

  const keyProblem = shown && value.trim() === '' ? 'Paste the key from the provider’s portal.' : null;
  const refusal =
    refused && value === ''
      ? `The service refused the key${existing?.lastFour ? ` ending ${existing.lastFour}` : ''}. Check its first and last characters, or paste it again.`
      : null;

  return (
    <form onSubmit={submit} noValidate>
      <div className="key-fields">
        {(rest || existing) && (
          <>
            <PasswordInput
              ref={first}
              className="wide"
              label={existing && !rest ? secretRoleNames[existing.role] : 'Key'}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              error={keyProblem ?? refusal}
              autoComplete="off"
              spellCheck={false}
              maxLength={4096}
            />
            <TextInput
              label="Label"
              value={label}
              onChange={(event) => setLabel(event.currentTarget.value)}
              error={shown && label.trim() === '' && 'Give the key a label of your own.'}
              maxLength={60}
            />
            {rest && (
              <Select
                label="Role"
                data={keyRoles.map((one) => ({
                  value: one,
                  label: secretRoleNames[one],
                }))}
                value={role}
                onChange={(next) => setRole(next === 'master-key' ? 'master-key' : 'lookup-key')}
                description={role === 'master-key' ? 'Reads balances only; it is never sent to a lookup.' : undefined}
                inputWrapperOrder={['label', 'input', 'description']}
              />
            )}
          </>
        )}
        {asksSoap &&
          soapRoles.map((one, index) => (
            <PasswordInput
              key={one.role}
              {...(!rest && index === 0 ? { ref: first } : {})}
              className="wide"
              label={`${one.label}${rest ? ' (optional)' : ''}`}
              value={soap[one.role]}
              onChange={({ currentTarget }) => setSoap((now) => ({ ...now, [one.role]: currentTarget.value }))}
              error={
                !rest && shown && given.length === 0 && index === 0
                  ? 'Give at least one of the two. Your provider has them.'
                  : null
              }
              autoComplete="off"
              spellCheck={false}
              maxLength={4096}
            />
          ))}
        {asksSoap && (
          <p className="xs t3 wide">
            Without the account GUID, Licences stays empty. You can add it later under Connections.
          </p>
        )}
      </div>
      {existing && store?.kind === 'keychain' ? (
        <p className="row sm t2 g6 kept-where">
          <IconShieldLock size={15} className="ti good" aria-hidden="true" />
          <span>Replaces {refused ? 'the refused key' : 'that key'} in the keychain.</span>
        </p>
      ) : (
        <KeptWhere store={store} connection={connection.name} />
      )}
      {keep.error && <Failure error={errorOf(keep.error)} />}
      <div className="row wrap">
        <Button
          type="submit"
          className="free"
          loading={keep.isPending}
          rightSection={<IconArrowRight size={15} className="ti" aria-hidden="true" />}
        >
          {refused
            ? 'Correct the key and test · free'
            : existing
              ? 'Change it and test · free'
              : 'Save it and test · free'}
        </Button>
        {refused ? (
          <Button variant="subtle" color="gray" onClick={onLater}>
            Use it later, open Lookup
          </Button>
        ) : (
          <Button variant="subtle" color="gray" onClick={onBack}>
            Back
          </Button>
        )}
      </div>
    </form>
  );
}

/** Says where a key is stored, before it is entered. */
function KeptWhere({ store, connection }: { store: SecretStore | null; connection: string }) {
  if (!store) return null;
  if (store.kind === 'memory')
    return (
      <Notice tone="warn">
        This run has no keychain, so the key is only in memory and is lost when the program ends. It is never written to
        a file.
      </Notice>
    );
  return (
    <p className="row sm t2 g6 kept-where">
      <IconShieldLock size={15} className="ti good" aria-hidden="true" />
      <span>
        Kept in the {store.name} with “Address Console, {connection}” in its name.
      </span>
    </p>
  );
}
