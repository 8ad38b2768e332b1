import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import type { MachinesOverview, MachineView } from '../../../shared/domain/licences/licence-machines.ts';
import { Failure } from '../../components/failure.tsx';
import { Dot, Mono, Tag } from '../../components/marks.tsx';
import { PriceButton } from '../../components/money/price-button.tsx';
import { PaneHead } from '../../components/pane-head.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { askPrice, machinesKey } from '../../lib/licences/machines.ts';
import { startScan, useScan } from '../../lib/licences/scans.ts';
import { useDraft } from '../../lib/session/drafts.ts';
import { formatWhen } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { announce } from '../../lib/window/announce.ts';
import { closeByEscape } from '../../lib/window/close-by-escape.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { tones, worstFirst } from './machine-columns.tsx';

interface MachineDetailProps {
  connectionId: string;
  /** null: a new one. */
  machine: MachineView | null;
  thisMachine: string;
  onSaved: (name: string) => void;
  onClose: () => void;
}

interface Sent {
  ask: () => Promise<MachinesOverview>;
  /** "Saving" or "Removing" the machine, by its name. */
  doing: string;
  words: string;
  done: () => void;
}

/** What is typed stays until it is saved, also while another machine is shown. */
function useField(key: string, stored = '') {
  const [value, change] = useDraft(key, stored);
  return { value, change };
}

/** One machine: the licences it was read with, its findings, and the administrator's entries. */
export function MachineDetail({ connectionId, machine, thisMachine, onSaved, onClose }: MachineDetailProps) {
  const client = useQueryClient();
  const scan = useScan(connectionId);
  const go = useGo();
  const draft = `licences/machine-${connectionId}-${machine?.name ?? ''}`;
  const fields = {
    name: useField(`${draft}-name`, machine?.name),
    nickname: useField(`${draft}-nickname`, machine?.nickname),
    owner: useField(`${draft}-owner`, machine?.owner),
    site: useField(`${draft}-site`, machine?.site),
    note: useField(`${draft}-note`, machine?.note),
  };
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (machine === null) first.current?.focus();
  }, [machine]);

  const send = useMutation({
    mutationFn: ({ ask }: Sent) => ask(),
    meta: { subject: ({ doing }: Sent) => doing, connectionId },
    onSuccess: (overview, { words, done }) => {
      client.setQueryData(machinesKey(connectionId), overview);
      for (const { change } of Object.values(fields)) change(null);
      announce(words);
      done();
    },
  });
  const name = fields.name.value.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === '' || send.isPending) return;
    const oldName = machine?.kept ? machine.name : null;
    const { nickname, owner, site, note } = fields;
    const entered = { name, nickname: nickname.value, owner: owner.value, site: site.value, note: note.value };
    send.mutate({
      ask: () => call('machines.save', { connectionId, machine: entered, oldName }),
      doing: `Saving ${name}`,
      words: `${name} saved`,
      done: () => onSaved(name),
    });
  };
  const text = (key: keyof typeof fields, label: string, description?: string) => (
    <TextInput
      {...(key === 'name' ? { ref: first, className: 'codes' } : {})}
      label={label}
      {...(description ? { description } : {})}
      value={fields[key].value}
      maxLength={key === 'name' ? 255 : 200}
      onChange={(event) => fields[key].change(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
  return (
    <section className="licence-detail" aria-label={machine?.name ?? 'New machine'} onKeyDown={closeByEscape(onClose)}>
      <PaneHead title={machine?.name ?? 'New machine'} closeLabel="Close the machine" onClose={onClose}>
        {machine?.thisMachine && <Tag>this machine</Tag>}
      </PaneHead>
      <div className="licence-body">
        {machine && (
          <>
            <div className="row wrap">
              <PriceButton
                price={askPrice(1)}
                disabled={scan.running !== null}
                onClick={() => void startScan(connectionId, client, [machine.name])}
              >
                Ask
              </PriceButton>
              <span className="xs t3">
                {machine.askedAt === null ? 'never answered' : `answered ${formatWhen(machine.askedAt)}`}
              </span>
            </div>
            <section aria-label="Holds" className="col g6">
              <h3 className="h">Holds</h3>
              {machine.holds.length === 0 && (
                <p className="sm t2">
                  {machine.askedAt === null ? 'Not known: it never answered.' : 'The service named no licence for it.'}
                </p>
              )}
              {machine.holds.map(({ licenceNumber, name: called, expired, listed }) => (
                <div key={licenceNumber} className="row wrap">
                  <span className="m sm">{legible(called)}</span>
                  {expired && <Tag tone="danger">expired</Tag>}
                  {listed === false && <Tag tone="warn">not in the account’s list</Tag>}
                  <span className="grow" />
                  {listed &&
                    (['move', 'unregister'] as const).map((verb) => (
                      <button
                        key={verb}
                        type="button"
                        className="link sm"
                        onClick={() => go('licences', { licence: licenceNumber, do: verb })}
                      >
                        {verb === 'move' ? 'Move…' : 'Unregister…'}
                        <span className="spoken"> {legible(called)}</span>
                      </button>
                    ))}
                </div>
              ))}
            </section>
            {machine.findings.length > 0 && (
              <ul className="plain machine-findings" aria-label="Findings">
                {worstFirst(machine.findings).map((finding) => (
                  <li key={finding.text} className="row g6 top sm">
                    <Dot tone={tones[finding.tone]} />
                    <span className="sel">{legible(finding.text)}</span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
        <form className="col g10" onSubmit={submit} aria-label="Inventory">
          {text('name', 'Name, exactly as it is sent')}
          {machine === null && name !== thisMachine && (
            <button type="button" className="link sm" onClick={() => fields.name.change(thisMachine)}>
              This machine: <Mono>{thisMachine}</Mono>
            </button>
          )}
          {text('nickname', 'Nickname')}
          {text('owner', 'Owner')}
          {text('site', 'Site')}
          <Textarea
            label="Note"
            value={fields.note.value}
            maxLength={2000}
            autosize
            minRows={2}
            onChange={(event) => fields.note.change(event.currentTarget.value)}
          />
          <div className="row wrap">
            <Button type="submit" variant="filled" disabled={name === '' || send.isPending}>
              {machine?.kept ? 'Save' : 'Add to the inventory'}
            </Button>
            {machine && (machine.kept || machine.askedAt !== null || machine.failure) && !machine.thisMachine && (
              <Button
                disabled={send.isPending}
                onClick={() =>
                  send.mutate({
                    ask: () => call('machines.remove', { connectionId, name: machine.name }),
                    doing: `Removing ${machine.name}`,
                    words: `${machine.name} removed`,
                    done: onClose,
                  })
                }
              >
                Remove
              </Button>
            )}
          </div>
          <p className="xs t3">Kept on this computer. Nothing here changes what the machine holds.</p>
        </form>
        {send.error && <Failure error={errorOf(send.error)} />}
      </div>
    </section>
  );
}
