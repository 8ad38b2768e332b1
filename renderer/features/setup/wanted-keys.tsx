import { Button, PasswordInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useRef } from 'react';
import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import type { WantedKey } from '../../../shared/domain/setup-file.ts';
import { Failure } from '../../components/failure.tsx';
import { Tag } from '../../components/marks.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { about, errorOf } from '../../lib/calls/errors.ts';
import { describeKey, secretRoleNames } from '../../lib/connection/secret-roles.ts';
import { countOf, formatClock } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { announce } from '../../lib/window/announce.ts';

/** The name of a key in the file: its connection, role and label. */
export const nameOfWanted = ({ connection, role, label }: WantedKey): string => `${connection}/${role}/${label}`;

interface WantedKeysProps {
  keys: readonly WantedKey[];
  /** What is typed and not saved, by `nameOfWanted`; it is stored nowhere else and is lost with this component. */
  typed: ReadonlyMap<string, string>;
  onTyped: (name: string, value: string) => void;
  /** Counts the imports so far: after each, what was typed for a connection that it created is saved. */
  imports: number;
  onSaved: () => void;
}

/** Keys that the file's connections had, one field each, without those of connections that are not taken. The import does not wait for them. */
export function WantedKeys({ keys, typed, onTyped, imports, onSaved }: WantedKeysProps) {
  if (keys.length === 0) return <p className="sm t2">No key in this file is needed here.</p>;
  const wanted = keys.filter(({ state }) => state !== 'here').length;
  return (
    <>
      <div>
        <h2 className="h">{wanted === 0 ? 'Every key is here' : 'These keys are still needed'}</h2>
        <p className="sm t2">Keys are not part of a set-up file. Give them now, or later in Connections.</p>
      </div>
      <ul className="plain col g16">
        {keys.map((key) => {
          const name = nameOfWanted(key);
          return (
            <li key={name}>
              <OneKey
                wanted={key}
                value={typed.get(name) ?? ''}
                onValue={(value) => onTyped(name, value)}
                imports={imports}
                onSaved={onSaved}
              />
            </li>
          );
        })}
      </ul>
      {keys.some(({ isTried, state }) => isTried && state !== 'here') && (
        <p className="sm t2">A lookup key for REST is tried with the free call GetCredits as soon as it is saved.</p>
      )}
    </>
  );
}

const endOf = (lastFour: string): string => (lastFour === '' ? 'is too short to show its end' : `ended ${lastFour}`);

interface OneKeyProps {
  wanted: WantedKey;
  value: string;
  onValue: (value: string) => void;
  imports: number;
  onSaved: () => void;
}

function OneKey({ wanted, value, onValue, imports, onSaved }: OneKeyProps) {
  const { connection, connectionId, role, label, lastFour, isTried, state, secretId, hereLastFour, servers } = wanted;
  const trial = useMutation({
    mutationFn: (saved: { connectionId: string; secretId: string }) => call('secrets.try', saved),
    meta: { subject: `Trying ${describeKey(wanted)} of ${connection}` },
    onSuccess: (sample) => announce(`${label}: ${describeTrial(sample)}`),
  });
  const save = useMutation({
    mutationFn: (typed: string) =>
      secretId !== null
        ? call('secrets.replace', { secretId, value: typed })
        : call('secrets.put', { connectionId: connectionId ?? '', role, label, value: typed }),
    meta: { subject: `Saving ${describeKey(wanted)} of ${connection}` },
    onSuccess: ({ id }) => {
      onValue('');
      announce(`${label} is saved.`);
      if (isTried && connectionId !== null) trial.mutate({ connectionId, secretId: id });
      onSaved();
    },
  });
  // A key typed before its connection existed is saved after the import that creates it.
  const saveWaiting = useEffectEvent(() => {
    if (connectionId !== null && value.trim() !== '' && !save.isPending) save.mutate(value.trim());
  });
  const waited = useRef(connectionId === null);
  useEffect(() => {
    if (imports > 0 && waited.current && connectionId !== null) {
      waited.current = false;
      saveWaiting();
    }
  }, [imports, connectionId]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (connectionId !== null && value.trim() !== '') save.mutate(value.trim());
  };
  const isHere = state === 'here';
  const typedEnd = value.trim().slice(-4);
  const otherEnd = lastFour !== '' && value.trim().length >= 12 && typedEnd !== lastFour;
  return (
    <form className="col g4" onSubmit={submit} noValidate>
      <div className="row g6">
        <IconKey size={15} className={`ti ${isHere ? 'good' : 'warn'}`} aria-hidden="true" />
        <span className="m grow trunc" title={label}>
          {legible(label)}
        </span>
        <Tag tone={isHere ? 'good' : 'warn'}>{isHere ? 'here' : state === 'other' ? 'another is here' : 'needed'}</Tag>
      </div>
      <p className="sm t2">
        {legible(connection)}, {secretRoleNames[role]}
        {servers.length > 0 && <span className="t3">; sent to {legible(servers.join(' and '))}</span>}
      </p>
      {isHere && !trial.error ? (
        <p className="sm t3">{hereLastFour === '' ? 'saved here' : `ends ${hereLastFour}, saved here`}</p>
      ) : (
        <>
          <div className="row g6">
            <PasswordInput
              className="grow"
              aria-label={`Key ${label} of ${connection}`}
              placeholder={`${endOf(lastFour)} where it was saved`}
              value={value}
              onChange={(event) => onValue(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              maxLength={4096}
            />
            {connectionId !== null && (
              <Button type="submit" loading={save.isPending} disabled={value.trim() === ''}>
                {secretId === null ? 'Save' : 'Replace'}
              </Button>
            )}
          </div>
          {connectionId === null && (
            <p className="xs t3">
              {value.trim() === '' ? 'Its connection is not here yet.' : 'Saved as soon as its connection is imported.'}
            </p>
          )}
          {state === 'other' && (
            <p className="xs t3">
              The one here {hereLastFour === '' ? 'is another' : `ends ${hereLastFour}`}; the file’s {endOf(lastFour)}.
            </p>
          )}
          {otherEnd && (
            <p className="xs warn">
              This one ends {typedEnd}, the file’s {endOf(lastFour)}.
            </p>
          )}
          {save.error && <Failure error={errorOf(save.error)} />}
        </>
      )}
      {trial.isPending && <p className="sm t2">Trying it with GetCredits · free</p>}
      {trial.data && <p className="sm good">{describeTrial(trial.data)}</p>}
      {trial.error && <Failure error={about(label, errorOf(trial.error))} />}
    </form>
  );
}

const describeTrial = ({ credits, at }: BalanceSample): string =>
  `GetCredits answered it at ${formatClock(at)}: ${credits === null ? 'no number' : countOf(credits, 'credit')}.`;
