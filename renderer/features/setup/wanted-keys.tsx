import { Button, PasswordInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { WantedKey } from '../../../shared/domain/setup-file.ts';
import { Failure } from '../../components/failure.tsx';
import { Tag } from '../../components/marks.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { secretRoleNames } from '../../lib/connection/secret-roles.ts';
import { legible } from '../../lib/text/legible.ts';
import { announce } from '../../lib/window/announce.ts';

/** Keys that the file's connections had, one field each. Nothing waits for them. */
export function WantedKeys({ keys, onSaved }: { keys: readonly WantedKey[]; onSaved: () => void }) {
  if (keys.length === 0) return <p className="sm t2">The connections of this file had no keys.</p>;
  const wanted = keys.filter(({ state }) => state !== 'here').length;
  return (
    <>
      <div>
        <h2 className="h">{wanted === 0 ? 'Every key is here' : 'These keys are still wanted'}</h2>
        <p className="sm t2">A set-up file contains no keys. Give them now, or later in Connections.</p>
      </div>
      <ul className="plain col g16">
        {keys.map((key) => (
          <li key={`${key.connection}/${key.role}/${key.label}`}>
            <OneKey wanted={key} onSaved={onSaved} />
          </li>
        ))}
      </ul>
    </>
  );
}

const endOf = (lastFour: string): string => (lastFour === '' ? 'is too short to show its end' : `ended ${lastFour}`);

function OneKey({ wanted, onSaved }: { wanted: WantedKey; onSaved: () => void }) {
  const { connection, connectionId, role, label, lastFour, state, secretId, hereLastFour, servers } = wanted;
  const [value, setValue] = useState('');
  const save = useMutation({
    mutationFn: (typed: string) =>
      secretId !== null
        ? call('secrets.replace', { secretId, value: typed })
        : call('secrets.put', { connectionId: connectionId ?? '', role, label, value: typed }),
    onSuccess: () => {
      setValue('');
      announce(`${label} is saved.`);
      onSaved();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() !== '') save.mutate(value.trim());
  };
  const isHere = state === 'here';
  const typedEnd = value.trim().slice(-4);
  const otherEnd = lastFour !== '' && value.trim().length >= 12 && typedEnd !== lastFour;
  return (
    <form className="col g4 setup-key" onSubmit={submit} noValidate>
      <div className="row g6">
        <IconKey size={15} className={`ti ${isHere ? 'held' : 'warn'}`} aria-hidden="true" />
        <span className="m grow trunc" title={label}>
          {legible(label)}
        </span>
        <Tag tone={isHere ? 'held' : 'warn'}>{isHere ? 'here' : state === 'other' ? 'another is here' : 'wanted'}</Tag>
      </div>
      <p className="sm t2">
        {legible(connection)}, {secretRoleNames[role]}
        {servers.length > 0 && <span className="t3">; sent to {legible(servers.join(' and '))}</span>}
      </p>
      {isHere ? (
        <p className="sm t3">ends {lastFour}, saved here already</p>
      ) : connectionId === null ? (
        <p className="sm t3">It {endOf(lastFour)} where it was saved. Import the connection, then give it here.</p>
      ) : (
        <>
          <div className="row g6">
            <PasswordInput
              className="grow"
              aria-label={`Key ${label} of ${connection}`}
              placeholder={`${endOf(lastFour)} where it was saved`}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              maxLength={4096}
            />
            <Button type="submit" loading={save.isPending} disabled={value.trim() === ''}>
              {secretId === null ? 'Save' : 'Replace'}
            </Button>
          </div>
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
    </form>
  );
}
