import { Button, Loader, Radio, Select, TextInput } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { emptyConnectionDraft } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { addressProblem } from '../../lib/connection/address-problem.ts';
import { useDraft } from '../../lib/session/drafts.ts';
import { useFocusOnce } from '../../lib/window/focus-once.ts';

type Choice = 'demo' | 'own';

interface ServiceStepProps {
  /** The connection chosen before, when the user comes back to change it. */
  existing: ConnectionView | null;
  onChosen: (view: ConnectionView) => void;
}

const kinds = [
  { value: 'production', label: 'Production' },
  { value: 'test', label: 'Test' },
];

/** Step 1: the demo service, or a real service with its addresses. */
export function ServiceStep({ existing, onChosen }: ServiceStepProps) {
  const own = existing && existing.connection.kind !== 'demo' ? existing.connection : null;
  const [choice, setChoice] = useState<Choice>(own ? 'own' : 'demo');
  const [name, setName] = useDraft('first-run/name', own?.name ?? '');
  const [kind, setKind] = useState<'production' | 'test'>(own?.kind === 'test' ? 'test' : 'production');
  const [rest, setRest] = useDraft('first-run/rest', own?.restBaseUrl ?? '');
  const [soap, setSoap] = useDraft('first-run/soap', own?.soapUrl ?? '');
  const [account, setAccount] = useDraft('first-run/account', own?.accountName ?? '');
  const [shown, setShown] = useState(false);
  // The focus starts on the one button if nothing has to be typed, else in the first field.
  const button = useFocusOnce<HTMLButtonElement>();
  const field = useFocusOnce<HTMLInputElement>();

  const nameProblem = name.trim() === '' ? 'Give the connection a name.' : null;
  const restProblem =
    addressProblem(rest) ?? (rest.trim() === '' && soap.trim() === '' ? 'Give at least one address.' : null);
  const soapProblem = addressProblem(soap);

  const start = useMutation({
    mutationFn: async (wanted: Choice): Promise<ConnectionView> => {
      if (wanted === 'demo') return call('connections.start-demo', {});
      const view = await call('connections.save', {
        id: own?.id ?? null,
        draft: {
          ...emptyConnectionDraft,
          ...draftOf(own),
          name: name.trim(),
          kind,
          restBaseUrl: rest.trim(),
          soapUrl: soap.trim(),
          accountName: account.trim(),
          preferredInterface: rest.trim() === '' ? 'soap' : 'rest',
        },
      });
      await call('connections.select', { connectionId: view.connection.id });
      return view;
    },
    onSuccess: onChosen,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setShown(true);
    if (choice === 'own' && (nameProblem ?? restProblem ?? soapProblem) !== null) return;
    if (!start.isPending) start.mutate(choice);
  }
  const starting = start.isPending && start.variables === 'demo';

  return (
    <form onSubmit={submit} noValidate>
      <Radio.Group value={choice} onChange={(value) => setChoice(value as Choice)} aria-label="Which service">
        <div className="choice" data-on={choice === 'demo'}>
          <Radio
            value="demo"
            label="Look around with the demo service"
            description="Invented addresses, licences and credits from a small service on this computer. No key is needed and nothing is paid."
          />
        </div>
        <div className="choice" data-on={choice === 'own'}>
          <Radio
            value="own"
            label="Use your own service"
            description="Your provider names its addresses and gives you the key."
          />
          {choice === 'own' && (
            <div className="two-columns">
              <TextInput
                ref={field}
                label="Name"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                error={shown && nameProblem}
                maxLength={80}
              />
              <Select
                label="Kind"
                data={kinds}
                value={kind}
                onChange={(value) => setKind(value === 'test' ? 'test' : 'production')}
              />
              <TextInput
                className="wide"
                label="REST base address"
                placeholder="https://"
                value={rest}
                onChange={(event) => setRest(event.currentTarget.value)}
                error={shown && restProblem}
                maxLength={2000}
                spellCheck={false}
              />
              <TextInput
                className="wide"
                label="SOAP address, for licences and free searches (optional)"
                placeholder="https://"
                value={soap}
                onChange={(event) => setSoap(event.currentTarget.value)}
                error={shown && soapProblem}
                maxLength={2000}
                spellCheck={false}
              />
              {soap.trim() !== '' && (
                <TextInput
                  className="wide"
                  label="SOAP account name"
                  value={account}
                  onChange={(event) => setAccount(event.currentTarget.value)}
                  spellCheck={false}
                  maxLength={300}
                />
              )}
            </div>
          )}
        </div>
      </Radio.Group>
      {start.error && <Failure error={errorOf(start.error)} />}
      <div className="row">
        <Button
          ref={button}
          type="submit"
          variant="filled"
          // Not disabled, which would drop the focus while the service starts.
          {...(start.isPending ? { 'data-disabled': true } : {})}
          rightSection={
            start.isPending ? (
              <Loader aria-hidden="true" />
            ) : (
              <IconArrowRight size={15} className="ti" aria-hidden="true" />
            )
          }
        >
          {starting ? 'Starting the demo service…' : choice === 'demo' ? 'Start the demo service' : 'Continue'}
        </Button>
        {choice === 'own' && (
          <Button variant="subtle" color="gray" disabled={start.isPending} onClick={() => start.mutate('demo')}>
            Start the demo instead
          </Button>
        )}
      </div>
    </form>
  );
}

/** The settings of an existing connection; its id is not part of a draft. */
function draftOf(connection: ConnectionView['connection'] | null) {
  if (!connection) return {};
  const { id: _id, ...draft } = connection;
  return draft;
}
