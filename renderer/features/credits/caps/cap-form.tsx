import { Button, NumberInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { SpendingCaps } from '../../../../shared/domain/credits/credits.ts';
import { Failure } from '../../../components/failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { creditsOverviewQuery, refreshLocal } from '../../../lib/calls/queries.ts';
import { forgetSent, useDraft } from '../../../lib/session/drafts.ts';
import { formatCredits } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { type CapName, capLabels, capText, readCap } from './caps.ts';

interface CapFormProps {
  connectionId: string;
  name: CapName;
  caps: SpendingCaps;
  onDone: () => void;
}

/** One cap as a field, in its own place. What is typed outlives the form until it is saved or cancelled. */
export function CapForm({ connectionId, name, caps, onDone }: CapFormProps) {
  const client = useQueryClient();
  const draft = `credits/${name}/${connectionId}`;
  const [text, setText] = useDraft(draft, capText(caps[name]));
  const [problem, setProblem] = useState<string | null>(null);
  const { label, change, help, empty } = capLabels[name];
  const leave = () => {
    setText(null);
    onDone();
  };
  const save = useMutation({
    mutationFn: (value: number | null) => call('credits.save-caps', { connectionId, caps: { [name]: value } }),
    meta: { subject: `Changing ${change}`, connectionId },
    onSuccess: (saved) => {
      const { queryKey } = creditsOverviewQuery(connectionId);
      client.setQueryData(queryKey, (now) => now && { ...now, caps: saved });
      // Main computes what counts towards the cap.
      refreshLocal(client, queryKey);
      announce(saved[name] === null ? `${label}: ${empty}.` : `${label}: ${formatCredits(saved[name])}.`);
      forgetSent(draft, text.trim());
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const read = readCap(text);
    setProblem('problem' in read ? read.problem : null);
    if ('value' in read) save.mutate(read.value, { onSuccess: onDone });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || save.isPending) return;
    event.preventDefault();
    leave();
  };
  return (
    <form className="col g6" onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate aria-label={label}>
      <div className="row wrap">
        <NumberInput
          name={name}
          aria-label={label}
          aria-describedby={`credits-cap-help-${name}`}
          placeholder={empty}
          w={132}
          autoFocus
          clampBehavior="none"
          error={problem}
          readOnly={save.isPending}
          value={text}
          onChange={(value) => setText(String(value))}
        />
        <span className="sm t3">credits</span>
        <Button type="submit" variant="filled" loading={save.isPending}>
          Save
        </Button>
        <Button variant="subtle" color="gray" disabled={save.isPending} onClick={leave}>
          Cancel
        </Button>
      </div>
      <p className="xs t3" id={`credits-cap-help-${name}`}>
        {help}
      </p>
      {save.error && <Failure error={errorOf(save.error)} />}
    </form>
  );
}
