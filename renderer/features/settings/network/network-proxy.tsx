import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { type NetworkState, type ProxyChoice, proxyAddressPattern } from '../../../../shared/domain/network.ts';
import { Failure } from '../../../components/failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { announce } from '../../../lib/window/announce.ts';
import { keepNetwork } from './network-queries.ts';

type Kind = 'system' | 'direct' | 'address';
const kindOf = (choice: ProxyChoice): Kind => (choice === 'system' || choice === 'direct' ? choice : 'address');

/** How requests leave. An address counts once it is saved; the other two at once. */
export function ProxyPart({ state }: { state: NetworkState }) {
  const client = useQueryClient();
  const { choice, choiceLockedBy } = state;
  const [kind, setKind] = useState<Kind>(kindOf(choice));
  const [address, setAddress] = useState(kindOf(choice) === 'address' ? choice : '');
  const [shown, setShown] = useState(false);
  useEffect(() => {
    setKind(kindOf(choice));
    if (kindOf(choice) === 'address') setAddress(choice);
  }, [choice]);
  const save = useMutation({
    mutationFn: (next: ProxyChoice) => call('network.save', { choice: next }),
    onSuccess: (saved) => {
      keepNetwork(client, saved);
      announce('The proxy setting is kept. The next call takes it.');
    },
  });
  const held = choiceLockedBy !== null;
  const typed = address.trim();
  const problem = proxyAddressPattern.test(typed) ? null : 'Write it as http://proxy.example:8080.';

  function submit(event: FormEvent) {
    event.preventDefault();
    setShown(true);
    if (problem === null) save.mutate(typed);
  }

  return (
    <div className="part">
      <h3 className="m" id="network-proxy">
        Proxy
      </h3>
      <p className="sm t2">
        This computer itself is never reached through a proxy. Proxies of the kind SOCKS 4 are passed over.
        {held && ` A policy of this computer (${choiceLockedBy}) says how requests leave.`}
      </p>
      <SegmentedControl
        aria-labelledby="network-proxy"
        disabled={held}
        value={kind}
        onChange={(next) => {
          setKind(next as Kind);
          setShown(false);
          if (next === 'system' || next === 'direct') save.mutate(next);
        }}
        data={[
          { value: 'system', label: 'As the system says' },
          { value: 'direct', label: 'None' },
          { value: 'address', label: 'This one' },
        ]}
      />
      {kind === 'address' && (
        <form onSubmit={submit} noValidate className="row g6 top">
          <TextInput
            aria-label="Address of the proxy"
            placeholder="http://proxy.example:8080"
            className="wide-field"
            value={address}
            disabled={held}
            maxLength={300}
            spellCheck={false}
            onChange={(event) => setAddress(event.currentTarget.value)}
            error={shown && problem}
          />
          {!held && (
            <Button type="submit" disabled={save.isPending || typed === choice}>
              Use this proxy
            </Button>
          )}
        </form>
      )}
      {save.error && <Failure error={errorOf(save.error)} />}
    </div>
  );
}
