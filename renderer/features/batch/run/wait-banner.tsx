import { Button, Select } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import type { Batch, BatchWait } from '../../../../shared/domain/batch.ts';
import { mostCredits } from '../../../../shared/domain/credits/credits.ts';
import { ClaimSentences } from '../../../components/money/money-claims.tsx';
import { WholeNumber } from '../../../components/whole-number.tsx';
import { askBalance } from '../../../lib/calls/ask-balance.ts';
import { connectionsQuery, refreshLocal } from '../../../lib/calls/queries.ts';
import { useConnectionDialogs } from '../../../lib/connection/connection-dialogs.ts';
import { selectConnection } from '../../../lib/connection/select-connection.ts';
import { formatClock, formatCredits } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { announce, announceFailure } from '../../../lib/window/announce.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { batchCalls, useTerms } from '../batch-store.ts';
import { isLimitReached, keyNamed, keyOptions, roomIn, usePayingKeys } from '../money.ts';
import { BoundsButton } from '../parts.tsx';
import { runBatch } from '../runs.ts';

/** Why a batch waits: what was seen, what it waits for, and how it continues, at its price. It stays until that is done. */
export function WaitBanner({ batch, wait }: { batch: Batch; wait: BatchWait }) {
  const client = useQueryClient();
  const titleId = useId();
  const [terms, setTerms] = useTerms(batch);
  const { running } = batchCalls.use(batch.id);
  const keys = usePayingKeys(batch.connectionId);
  const key = keyNamed(keys, terms.keyLabel);
  const { credits } = batch.left;
  const room = roomIn(batch, terms.limit);
  const atLimit = isLimitReached(batch, terms.limit);
  // Whatever it waits for, it does not go on at its limit. By the batch's own, so that the field stays while a person types.
  const needsLimit = wait.kind === 'limit' || wait.kind === 'fell-more' || isLimitReached(batch, batch.credits.limit);
  // Filled only if nothing known speaks against resuming.
  const ready =
    credits !== null &&
    !atLimit &&
    ((wait.kind !== 'credits' && wait.kind !== 'key' && wait.kind !== 'refused') ||
      (key !== null && key.lastFour !== batch.keyLastFour && key.sample?.credits !== 0));
  return (
    <section className="batch-wait" aria-labelledby={titleId}>
      <IconHandStop size={19} className="ti warn" aria-hidden="true" />
      <div className="batch-wait-text">
        <h2 className="title" id={titleId}>
          {legible(wait.title)}
        </h2>
        {wait.what !== '' && <p>{legible(wait.what)}</p>}
        {wait.serviceText !== '' && <p>The service said: “{legible(wait.serviceText)}”</p>}
        <ClaimSentences claims={wait.claims} />
        <p>{legible(wait.does)}</p>
        <div className="row wrap sm batch-wait-fields">
          {keys.length > 0 && (
            <span className="row">
              <span className="t2" aria-hidden="true">
                Go on with
              </span>
              <Select
                className="low"
                aria-label="Go on with the key"
                w={262}
                data={keyOptions(keys, true)}
                placeholder="choose a key"
                value={key?.label ?? null}
                onChange={(keyLabel) => setTerms({ keyLabel })}
              />
              {key?.sample && <span className="t2">read {formatClock(key.sample.at)}</span>}
            </span>
          )}
          {needsLimit && (
            <NumberField label="Limit" value={terms.limit} onChange={(limit) => setTerms({ limit: limit ?? 0 })} />
          )}
          {wait.kind === 'minimum-balance' && (
            <NumberField
              label="Minimum balance"
              value={terms.minimumBalance}
              onChange={(minimumBalance) => setTerms({ minimumBalance })}
            />
          )}
        </div>
      </div>
      <div className="col batch-wait-do">
        <BoundsButton
          main={ready}
          credits={credits}
          {...(credits !== null && room !== null && room < credits.most
            ? { says: `up to ${formatCredits(room)}` }
            : {})}
          loading={running?.request === 'run'}
          disabled={running !== null || batch.elsewhere || atLimit}
          onClick={() => void runBatch(client, batch.id, terms)}
        >
          Resume
        </BoundsButton>
        <OtherWay batch={batch} wait={wait} />
      </div>
    </section>
  );
}

function NumberField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  return (
    <span className="row">
      <span className="t2" aria-hidden="true">
        {label}
      </span>
      <WholeNumber className="low" aria-label={label} w={96} value={value} max={mostCredits} onChange={onChange} />
    </span>
  );
}

/** The way to another screen that removes the reason for waiting. */
function OtherWay({ batch, wait }: { batch: Batch; wait: BatchWait }) {
  const client = useQueryClient();
  const { running } = batchCalls.use(batch.id);
  const readBalance = async () => {
    const result = await batchCalls.start(batch.id, 'balance', async (requestId) => {
      const [sample] = await askBalance(batch.connectionId, 'rest-key', requestId);
      return sample?.credits ?? null;
    });
    refreshLocal(client, ['credits', 'overview', batch.connectionId]);
    if (result?.ok) announce(result.value === null ? 'The service gave no figure.' : 'The balance was read.');
    else if (result) announceFailure(result.error);
  };
  switch (wait.kind) {
    case 'credits':
    case 'fell-more':
      return (
        <Button loading={running?.request === 'balance'} disabled={running !== null} onClick={() => void readBalance()}>
          Read the balance · free
        </Button>
      );
    case 'key':
      return <KeyWay batch={batch} wait={wait} />;
    case 'cap':
    case 'no-price':
      return <CapsWay batch={batch} verb={wait.kind === 'cap' ? 'Change the caps…' : 'Set a figure…'} />;
    default:
      return null;
  }
}

/** To the caps of the batch's own connection, which need not be the one in use. */
function CapsWay({ batch: { connectionId }, verb }: { batch: Batch; verb: string }) {
  const client = useQueryClient();
  const go = useGo();
  const { data } = useQuery(connectionsQuery());
  const inUse = data === undefined || data.selectedId === connectionId;
  const name = data?.connections.find(({ connection }) => connection.id === connectionId)?.connection.name ?? '';
  const open = useMutation({
    mutationFn: async () => {
      if (inUse) return;
      await selectConnection(connectionId);
      // Read before going there: the screen is of the connection that the list names.
      await client.invalidateQueries({ queryKey: ['connections'] });
    },
    onSuccess: () => go('credits', { do: 'change-caps' }),
  });
  return (
    // A name may have 80 letters, which the text beside the button would have no room for.
    <Button loading={open.isPending} title={inUse ? undefined : `Uses ${name}`} onClick={() => open.mutate()}>
      {inUse ? verb : `Switch connection: ${verb}`}
    </Button>
  );
}

/** Takes what the key needs in a dialog over the batch, which can then be resumed here. */
function KeyWay({ batch, wait }: { batch: Batch; wait: BatchWait }) {
  const go = useGo();
  const dialogs = useConnectionDialogs();
  const view = useQuery(connectionsQuery()).data?.connections.find(
    ({ connection }) => connection.id === batch.connectionId,
  );
  // Only the user can unlock the keychain; a new key would not help.
  if (wait.code === 'keychain-locked' || wait.code === 'keychain-unreadable') return null;
  if (!dialogs || !view || view.connection.kind === 'demo')
    return <Button onClick={() => go('connections')}>Open Connections</Button>;
  if (wait.code === 'not-configured')
    return <Button onClick={() => dialogs.edit(view)}>Complete the connection…</Button>;
  if (!view.secrets.some(({ role }) => role === 'lookup-key' || role === 'licence-id'))
    return (
      <Button onClick={() => dialogs.addKey(view, view.connection.restBaseUrl === '' ? 'licence-id' : 'lookup-key')}>
        Add a key…
      </Button>
    );
  return (
    <Button onClick={() => dialogs.replaceKey({ view, why: wait.what || wait.title, label: batch.keyLabel })}>
      Replace the key…
    </Button>
  );
}
