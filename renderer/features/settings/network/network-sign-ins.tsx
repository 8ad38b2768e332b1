import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NetworkState, ProxySignIn } from '../../../../shared/domain/network.ts';
import { Failure } from '../../../components/failure.tsx';
import { Mono } from '../../../components/marks.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { formatWhen } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { Setting } from '../setting.tsx';
import { keepNetwork } from './network-queries.ts';
import { SignInForm } from './sign-in-form.tsx';

/** User names for proxies that ask for one. Their passwords are in the keychain and never come back here. */
export function SignIns({ state }: { state: NetworkState }) {
  const client = useQueryClient();
  const [entering, setEntering] = useState<string | null>(null);
  const forget = useMutation({
    mutationFn: ({ id }: ProxySignIn) => call('network.forget-sign-in', { signInId: id }),
    meta: { subject: ({ proxy }: ProxySignIn) => `Removing the sign-in to ${proxy}` },
    onSuccess: (saved) => {
      keepNetwork(client, saved);
      announce('The sign-in is removed.');
    },
  });
  const suggested = state.choice === 'system' || state.choice === 'direct' ? '' : state.choice;
  return (
    <Setting
      title="Sign-in to a proxy"
      about={
        <>
          A sign-in is sent only to the proxy named with it, and not before that proxy has asked for one. Further
          connections may then bring it unasked, until the program ends or a network setting changes. Over http, the
          proxy’s network can read it.{' '}
          {state.store.kind === 'memory'
            ? 'This run has no keychain: a password entered now is gone when the program ends, and one entered earlier is not here.'
            : `Passwords are kept in the ${state.store.name}.`}
        </>
      }
    >
      {state.signIns.length > 0 && (
        <ul className="own-list" aria-label="Sign-ins">
          {state.signIns.map((one) => (
            <li key={one.id}>
              <span className="grow">
                <Mono>{one.proxy}</Mono>{' '}
                <span className="sm t2">
                  as {one.user}, entered {formatWhen(one.createdAt)}
                </span>
              </span>
              <Button size="compact-xs" variant="subtle" onClick={() => setEntering(one.proxy)}>
                Change<span className="spoken"> the sign-in to {one.proxy}</span>
              </Button>
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                disabled={forget.isPending}
                onClick={() => forget.mutate(one)}
              >
                Remove<span className="spoken"> the sign-in to {one.proxy}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {forget.error && <Failure error={errorOf(forget.error)} />}
      <Button
        leftSection={<IconPlus size={14} className="ti" aria-hidden="true" />}
        onClick={() => setEntering(suggested)}
      >
        Add a sign-in
      </Button>
      {entering !== null && (
        <SignInForm
          proxy={entering}
          user={state.signIns.find(({ proxy }) => proxy === entering)?.user ?? ''}
          store={state.store}
          onKept={(saved) => {
            keepNetwork(client, saved);
            setEntering(null);
            announce('The sign-in is saved. The next call uses it.');
          }}
          onClose={() => setEntering(null)}
        />
      )}
    </Setting>
  );
}
