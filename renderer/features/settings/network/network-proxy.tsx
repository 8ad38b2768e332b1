import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type NetworkState, type ProxyChoice, proxyAddressPattern } from '../../../../shared/domain/network.ts';
import { Failure } from '../../../components/failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { announce } from '../../../lib/window/announce.ts';
import { Setting } from '../setting.tsx';
import { type ProxyKind as Kind, proxyKindOf as kindOf } from './network-messages.ts';
import { keepNetwork } from './network-queries.ts';

/** How requests leave. A typed address takes effect when it is saved, the other two choices at once. */
export function ProxyPart({ state }: { state: NetworkState }) {
  const client = useQueryClient();
  const { choice, choiceLockedBy } = state;
  const [kind, setKind] = useState<Kind>(kindOf(choice));
  const [address, setAddress] = useState(kindOf(choice) === 'address' ? choice : '');
  const [shown, setShown] = useState(false);
  const [seen, setSeen] = useState(choice);
  // Not in an effect: when the screen is shown again all of them run, and what is not saved would go.
  if (choice !== seen) {
    setSeen(choice);
    setKind(kindOf(choice));
    if (kindOf(choice) === 'address') setAddress(choice);
  }
  const save = useMutation({
    mutationFn: (next: ProxyChoice) => call('network.save', { choice: next }),
    meta: { subject: 'Changing the proxy' },
    onSuccess: (saved) => {
      keepNetwork(client, saved);
      announce('The proxy setting is saved. The next call uses it.');
    },
  });
  const isLocked = choiceLockedBy !== null;
  const typed = address.trim();
  const problem = proxyAddressPattern.test(typed) ? null : 'Write it as http://proxy.example:8080.';

  function submit(event: FormEvent) {
    event.preventDefault();
    setShown(true);
    if (problem === null) save.mutate(typed);
  }

  return (
    <Setting
      title="Proxy"
      about={
        <>
          Addresses on this computer never go through a proxy. SOCKS 4 proxies are not used.
          {isLocked && ` A policy of this computer (${choiceLockedBy}) sets the proxy.`}
        </>
      }
    >
      <SegmentedControl
        aria-label="Proxy"
        disabled={isLocked}
        value={kind}
        onChange={(next) => {
          setKind(next as Kind);
          setShown(false);
          if (next === 'system' || next === 'direct') save.mutate(next);
        }}
        data={[
          { value: 'system', label: 'As the system' },
          { value: 'direct', label: 'None' },
          { value: 'address', label: 'Own address' },
        ]}
      />
      {kind === 'address' && (
        <form onSubmit={submit} noValidate className="row g6 top">
          <TextInput
            aria-label="Address of the proxy"
            placeholder="http://proxy.example:8080"
            className="wide-field"
            value={address}
            disabled={isLocked}
            maxLength={300}
            spellCheck={false}
            onChange={(event) => setAddress(event.currentTarget.value)}
            error={shown && problem}
          />
          {!isLocked && (
            <Button type="submit" disabled={save.isPending || typed === choice}>
              Use this proxy
            </Button>
          )}
        </form>
      )}
      {save.error && <Failure error={errorOf(save.error)} />}
    </Setting>
  );
}
