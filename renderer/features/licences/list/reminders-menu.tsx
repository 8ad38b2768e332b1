import { Button, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type Licence, nameOf } from '../../../../shared/domain/licences/licence.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { Failure } from '../../../components/failure.tsx';
import { WholeNumber } from '../../../components/whole-number.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf, formatDate } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { useOwn, useOwnRead, useSaveAnnotations } from '../annotations.ts';

interface RemindersMenuProps {
  connectionId: string;
  licences: readonly Licence[];
}

/** One reminder for all licences of the connection, its exceptions, and all reminders as a calendar, at any time. */
export function RemindersMenu({ connectionId, licences }: RemindersMenuProps) {
  const { data } = useOwnRead(connectionId);
  const [open, setOpen] = useState(false);
  if (!data) return null;
  const { rule, perLicence } = data;
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconBell size={15} aria-hidden="true" />}
          onClick={() => setOpen(!open)}
        >
          {rule ? `Reminders, all ${countOf(rule.leadDays, 'day')} before` : 'Reminders'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Reminders">
        <RuleForm
          connectionId={connectionId}
          licences={licences}
          own={perLicence.filter(({ leadDays }) => leadDays !== null).length}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function RuleForm({ connectionId, licences, own }: RemindersMenuProps & { own: number }) {
  const { rule } = useOwn(connectionId);
  const save = useSaveAnnotations(connectionId);
  /** null: nothing is typed, so what is set is shown, also once it changes. */
  const [typed, setTyped] = useState<number | null>(null);
  const days = typed ?? rule?.leadDays ?? 30;
  const { copied, report } = useCopy();
  const put = (next: { leadDays: number; except: string[] } | null, done: string, onSuccess = () => {}) =>
    save.mutate(
      {
        ask: () => call('licences.save-rule', { connectionId, rule: next }),
        doing: 'Changing the reminder for all licences',
        done,
      },
      { onSuccess },
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    put({ leadDays: days, except: rule?.except ?? [] }, 'Reminder for all licences saved', () => {
      // Not what was typed while it was saved.
      setTyped((now) => (now === days ? null : now));
      // The button is disabled until another number is typed.
      form.querySelector('input')?.focus();
    });
  };
  const names = new Map(licences.map((licence) => [plainId(licence.licenceNumber), nameOf(licence)]));
  return (
    <form className="col g10 reminders-form" onSubmit={submit} aria-label="Reminder for all licences">
      <WholeNumber
        data-autofocus
        label="Remind me of all, days before they expire"
        value={days}
        max={365}
        onChange={(value) => setTyped(value ?? 0)}
      />
      <div className="row wrap">
        <Button type="submit" variant="filled" disabled={save.isPending || (rule !== null && days === rule.leadDays)}>
          {rule ? 'Change' : 'Set for all'}
        </Button>
        {rule && (
          <Button disabled={save.isPending} onClick={() => put(null, 'Reminder for all licences removed')}>
            Remove
          </Button>
        )}
      </div>
      <p className="xs t3">
        {rule ? `Set on ${formatDate(rule.since)}. ` : ''}This connection’s licences, those read later included. What
        had expired before it is set is left out, and so are an expiry that cannot be read as a date and a licence that
        came without a LicenseID.{' '}
        {own > 0 && `${countOf(own, 'licence')} with ${own === 1 ? 'a lead time of its' : 'lead times of their'} own.`}
      </p>
      {rule && rule.except.length > 0 && (
        <ul className="plain col g4 sm" aria-label="Exceptions">
          {rule.except.map((number) => (
            <li key={number} className="row between">
              <span>Not {legible(names.get(number) ?? `licence ${number}`)}</span>
              <button
                type="button"
                className="link"
                disabled={save.isPending}
                onClick={() =>
                  put(
                    { leadDays: rule.leadDays, except: rule.except.filter((one) => one !== number) },
                    'Exception removed',
                  )
                }
              >
                Remind again<span className="spoken"> of {legible(names.get(number) ?? number)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <hr />
      <div className="row wrap">
        <Button
          onClick={() =>
            report(async () => {
              const { saved, fileName, rows } = await call('licences.export-calendar', { connectionId });
              return saved ? `${countOf(rows, 'expiry', 'expiries')} saved as ${fileName}` : 'Not saved';
            }, 'Not saved')
          }
        >
          Save as calendar…
        </Button>
        <CopiedNote copied={copied} />
      </div>
      {save.error && <Failure error={errorOf(save.error)} />}
    </form>
  );
}
