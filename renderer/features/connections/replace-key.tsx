import { Button, Loader, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Connection, canTryKey, type SecretHandle } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { describeKey } from '../../lib/connection/secret-roles.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { useFocusOnce } from '../../lib/window/focus-once.ts';
import { useIsDrawn } from '../../lib/window/is-drawn.ts';

interface ReplaceKeyProps {
  handle: SecretHandle;
  submitLabel: string;
  onCancel: () => void;
  onReplaced: () => void;
}

/** A new value in place of a key, below its row. It goes straight to main. */
export function ReplaceKey({ handle, submitLabel, onCancel, onReplaced }: ReplaceKeyProps) {
  const [value, setValue] = useState('');
  const [shown, setShown] = useState(false);
  const field = useFocusOnce<HTMLInputElement>();
  const replace = useMutation({
    mutationFn: () => call('secrets.replace', { secretId: handle.id, value: value.trim() }),
    meta: { subject: `Replacing ${describeKey(handle)}`, connectionId: handle.connectionId },
    onSuccess: onReplaced,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShown(true);
    if (value.trim() !== '') replace.mutate();
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      className="col g6"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && value === '') onCancel();
      }}
    >
      <div className="row wrap replace-row">
        <PasswordInput
          ref={field}
          data-autofocus
          className="grow"
          label={`New key for ${handle.label}`}
          placeholder="Paste the key"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={shown && value.trim() === '' && 'Paste the key that your provider gave you.'}
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
        />
        <Button type="submit" className="free" loading={replace.isPending}>
          {submitLabel}
        </Button>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <p className="xs t3">
        The label and its history stay. {handle.lastFour === '' ? 'The old key' : `••${handle.lastFour}`} is removed
        once the new key has been saved.
      </p>
      {replace.error && <Failure error={errorOf(replace.error)} />}
    </form>
  );
}

interface ReplaceAndTryProps {
  handle: SecretHandle;
  /** That of the key. */
  connection: Connection;
  onCancel: () => void;
  /** Called once the key has its new value, and was tried if it could be; not if another form has taken the place of this one. */
  onDone: () => void;
}

/** A new value in place of a key, which is then tried by itself if there is a free call for that. */
export function ReplaceAndTry({ handle, connection, onCancel, onDone }: ReplaceAndTryProps) {
  const isTried = canTryKey(handle.role, connection);
  const isDrawn = useIsDrawn();
  const done = (said: string) => {
    announce(`${handle.label} has a new key${said}.`);
    if (isDrawn()) onDone();
  };
  const trial = useMutation({
    mutationFn: () => call('secrets.try', { connectionId: handle.connectionId, secretId: handle.id }),
    meta: { subject: `Trying ${describeKey(handle)}`, connectionId: handle.connectionId },
    onSuccess: ({ credits }) =>
      done(`; GetCredits answered it${credits === null ? '' : `: ${countOf(credits, 'credit')}`}`),
  });
  return (
    <div className="col g12">
      {trial.isPending ? (
        <p className="row sm" role="status">
          <Loader size={12} aria-hidden="true" /> The new key is saved. Trying it with GetCredits · free
        </p>
      ) : (
        <ReplaceKey
          key={trial.submittedAt}
          handle={handle}
          submitLabel={isTried ? 'Replace and try · free' : 'Replace the key'}
          onCancel={onCancel}
          onReplaced={() => {
            if (isTried) trial.mutate();
            else done('');
          }}
        />
      )}
      {trial.error && <Failure error={errorOf(trial.error)} />}
    </div>
  );
}
