import { Button, NumberInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { SpendingCaps } from '../../../../shared/domain/credits/credits.ts';
import { Failure } from '../../../components/failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { creditsOverviewQuery } from '../../../lib/calls/queries.ts';
import { useDraft } from '../../../lib/session/drafts.ts';
import { announce } from '../../../lib/window/announce.ts';
import { type CapName, type CapTexts, capLabels, capNames, capText, readCaps } from './caps.ts';

interface CapsFormProps {
  connectionId: string;
  caps: SpendingCaps;
  onDone: () => void;
}

/** The three caps as fields, in the place where they stand. What is typed outlives the form until it is saved or cancelled. */
export function CapsForm({ connectionId, caps, onDone }: CapsFormProps) {
  const client = useQueryClient();
  const box = useRef<HTMLFormElement>(null);
  const draft = (name: CapName) => `credits/${name}/${connectionId}`;
  const drafts = {
    perRun: useDraft(draft('perRun'), capText(caps.perRun)),
    perDay: useDraft(draft('perDay'), capText(caps.perDay)),
    floor: useDraft(draft('floor'), capText(caps.floor)),
  };
  const [problems, setProblems] = useState<Partial<Record<CapName, string>>>({});
  const leave = (kept: SpendingCaps) => {
    for (const name of capNames) drafts[name][1](capText(kept[name]));
    onDone();
  };
  const save = useMutation({
    mutationFn: (next: SpendingCaps) => call('credits.save-caps', { connectionId, caps: next }),
    onSuccess: (saved) => {
      client.setQueryData(creditsOverviewQuery(connectionId).queryKey, (now) => now && { ...now, caps: saved });
      announce('The caps are saved.');
      leave(saved);
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const texts: CapTexts = { perRun: drafts.perRun[0], perDay: drafts.perDay[0], floor: drafts.floor[0] };
    const read = readCaps(texts);
    if ('caps' in read) {
      setProblems({});
      save.mutate(read.caps);
      return;
    }
    setProblems(read.problems);
    const first = capNames.find((name) => read.problems[name] !== undefined);
    box.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || save.isPending) return;
    event.preventDefault();
    leave(caps);
  };
  return (
    <form className="col g12" ref={box} onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate aria-label="Spending caps">
      {capNames.map((name, index) => (
        <NumberInput
          key={name}
          name={name}
          label={capLabels[name].label}
          description={capLabels[name].help}
          placeholder="no cap"
          autoFocus={index === 0}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          error={problems[name]}
          value={drafts[name][0]}
          onChange={(value) => drafts[name][1](String(value))}
        />
      ))}
      <p className="xs t3">Empty: no cap. 0 for today, or since the program started, stops every paid call.</p>
      {save.error && <Failure error={errorOf(save.error)} />}
      <div className="row">
        <Button type="submit" variant="filled" loading={save.isPending}>
          Save caps
        </Button>
        <Button variant="subtle" color="gray" disabled={save.isPending} onClick={() => leave(caps)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
