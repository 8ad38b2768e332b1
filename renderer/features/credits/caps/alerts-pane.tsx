import { Button, NumberInput, Select, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import type { Alert, AlertKind, AlertState } from '../../../../shared/domain/credits/credits-history.ts';
import { Failure } from '../../../components/failure.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { about, errorOf } from '../../../lib/calls/errors.ts';
import { capital, countOf, formatNumber, formatWhen, formatWhole } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { announce } from '../../../lib/window/announce.ts';
import { alertsQuery } from '../queries.ts';
import { addingAlert, wordsOf } from './alert-words.ts';
import { firstLookupKey } from './caps.ts';

const kinds: readonly { value: AlertKind; label: string; unit: string }[] = [
  { value: 'below-credits', label: 'Balance falls below', unit: 'credits' },
  { value: 'below-percent', label: 'Balance falls below, % of the total or last top-up', unit: '%' },
  { value: 'days-left', label: 'Days left fall to', unit: 'days' },
  { value: 'unexplained', label: 'Unexplained spending of at least', unit: 'credits' },
];

interface AlertsPaneProps {
  connectionId: string;
  secrets: ConnectionView['secrets'];
  /** Whether alerts can be added and removed. */
  editing: boolean;
}

/** The thresholds to be notified about, whether they were reached, how far each is away, and a way to try one. */
export function AlertsPane({ connectionId, secrets, editing }: AlertsPaneProps) {
  const client = useQueryClient();
  const alerts = useQuery(alertsQuery(connectionId));
  const save = useMutation({
    mutationFn: ({ wanted }: { wanted: readonly Alert[]; doing: string }) =>
      call('credits.save-alerts', {
        connectionId,
        alerts: wanted.map(({ kind, threshold }) => ({ kind, threshold })),
      }),
    meta: { subject: ({ doing }: { doing: string }) => doing, connectionId },
    onSuccess: (saved) => {
      client.setQueryData(alertsQuery(connectionId).queryKey, saved);
      announce('The alerts are saved.');
    },
  });
  const turn = useMutation({
    mutationFn: ({ alert: { kind, threshold }, isOn }: { alert: Alert; isOn: boolean }) =>
      call('credits.turn-alert', { connectionId, alert: { kind, threshold }, isOn }),
    meta: {
      subject: ({ alert }: { alert: Alert }) => `Switching the alert “${wordsOf(alert)}” on or off`,
      connectionId,
    },
    onSuccess: (saved, { alert, isOn }) => {
      client.setQueryData(alertsQuery(connectionId).queryKey, saved);
      announce(`${wordsOf(alert)}: ${isOn ? 'on' : 'off'}.`);
    },
  });
  const trial = useMutation({
    mutationFn: () => call('credits.try-alert', { connectionId }),
    onSuccess: ({ shownBySystem }) =>
      announce(
        shownBySystem ? 'A notice was sent.' : 'The system showed no notification; the alert is shown in the window.',
      ),
  });
  const list = alerts.data?.alerts ?? [];
  const key = firstLookupKey(secrets);
  const error = save.error ?? turn.error ?? trial.error;
  return (
    <section className="credits-alerts" aria-labelledby="credits-alerts-title">
      <div className="row between">
        <h2 className="h" id="credits-alerts-title">
          Alerts
        </h2>
        <button type="button" className="link sm" disabled={trial.isPending} onClick={() => trial.mutate()}>
          Try one<span className="spoken"> alert</span>
        </button>
      </div>
      <ReadFailure of={alerts} subject="Alerts" />
      {error && <Failure error={about('Alerts', errorOf(error))} />}
      {trial.data && (
        <p className="xs t2">
          {trial.data.shownBySystem
            ? 'Sent as a system notification and shown in this window.'
            : 'Shown in the window. The system showed no notification.'}
        </p>
      )}
      {/* All are saved together: adding to a list that is not known would remove those in it. */}
      {editing && alerts.data && (
        <AddAlert
          busy={save.isPending}
          onAdd={(alert, onAdded) =>
            save.mutate({ wanted: [...list, alert], doing: addingAlert(alert) }, { onSuccess: onAdded })
          }
        />
      )}
      {list.length > 0 && (
        <ul className="plain">
          {list.map((alert) => (
            <li key={`${alert.kind} ${alert.threshold}`} className="row sm credits-alert">
              {editing && (
                <Switch
                  aria-label={wordsOf(alert)}
                  checked={alert.isOn}
                  disabled={turn.isPending}
                  onChange={(event) => turn.mutate({ alert, isOn: event.currentTarget.checked })}
                />
              )}
              <span className="col grow">
                <span className={alert.isOn ? 'm' : 't2'}>{wordsOf(alert)}</span>
                <span className="xs">
                  <State alert={alert} />
                </span>
              </span>
              <span className="row g6">
                {editing && (
                  <Button
                    className="small"
                    variant="subtle"
                    color="gray"
                    disabled={save.isPending}
                    aria-label={`Remove ${wordsOf(alert)}`}
                    onClick={() =>
                      save.mutate({
                        wanted: list.filter((one) => one !== alert),
                        doing: `Removing the alert “${wordsOf(alert)}”`,
                      })
                    }
                  >
                    Remove
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {list.length > 0 && (
        <p className="xs t3">
          Checked when the window reads a balance. Figures and days left are those of{' '}
          {key
            ? legible(
                `${key.label}, the lookup key used first, or of the account as long as no key has given a figure. That key’s`,
              )
            : 'the account. A master key’s'}{' '}
          balance is read automatically for the connection in use while its window is shown, once it has given a figure;
          an account’s over SOAP is not.
        </p>
      )}
      {alerts.data && list.length === 0 && <p className="sm t2">No alerts yet. Nobody is told when credits run low.</p>}
    </section>
  );
}

/** How far it is away, by what was last read. */
function nowText(kind: AlertKind, now: number, threshold: number): string {
  if (kind === 'below-percent') return `${formatWhole(now)} % by the last figure read`;
  if (kind === 'days-left') return `about ${countOf(now, 'day')} by the last figure read`;
  return `${formatNumber(now - threshold)} away by the last figure read`;
}

function State({ alert: { toldAt, kind, threshold, isOn, now } }: { alert: AlertState }) {
  if (!isOn) return <span className="t3">off: sends no notice</span>;
  if (toldAt !== null) return <span className="warn m">sent {formatWhen(toldAt)}</span>;
  if (now !== null && (kind === 'days-left' ? now <= threshold : now < threshold))
    return <span className="warn">reached by the last figure read; a notice comes if the next reaches it too</span>;
  // A fall beside a call without a published price, or one that a command read first, is not reported.
  if (kind === 'unexplained') return <span className="t3">no notice since it was added or switched on</span>;
  if (now === null) return <span className="t3">not known yet whether it is reached</span>;
  return <span className="t3">not reached, {nowText(kind, now, threshold)}</span>;
}

interface AddAlertProps {
  busy: boolean;
  /** `onAdded` is called once it is saved: until then what is typed stays. */
  onAdd: (alert: Alert, onAdded: () => void) => void;
}

function AddAlert({ busy, onAdd }: AddAlertProps) {
  const [kind, setKind] = useState<AlertKind>('below-credits');
  const [threshold, setThreshold] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const unit = kinds.find(({ value }) => value === kind)?.unit ?? '';
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const value = Number(threshold);
    const most = kind === 'below-percent' ? 100 : 100_000_000;
    if (threshold.trim() === '' || !Number.isFinite(value) || value < 1 || value > most) {
      setProblem(`A number from 1 to ${formatNumber(most)}.`);
      return;
    }
    setProblem(null);
    onAdd({ kind, threshold: value }, () => setThreshold((now) => (now === threshold ? '' : now)));
  };
  return (
    <form className="credits-add-alert" onSubmit={onSubmit} noValidate aria-label="Add an alert">
      <Select
        aria-label="Tell me when"
        className="grow"
        data={kinds.map(({ value, label }) => ({ value, label }))}
        value={kind}
        onChange={(value) => value !== null && setKind(value as AlertKind)}
      />
      <NumberInput
        aria-label={capital(unit)}
        placeholder={unit}
        w={96}
        value={threshold}
        error={problem}
        allowNegative={false}
        clampBehavior="none"
        onChange={(value) => setThreshold(String(value))}
      />
      <Button type="submit" loading={busy}>
        Add
      </Button>
    </form>
  );
}
