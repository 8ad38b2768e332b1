import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { TestStep } from '../../../shared/contract/connections.ts';
import { call, cancelCall, listen, newRequestId } from '../calls/bridge.ts';
import { errorOf } from '../calls/errors.ts';

const names: Readonly<Record<TestStep['id'], string>> = {
  name: 'Name',
  tcp: 'TCP',
  tls: 'TLS',
  proxy: 'Proxy',
  'proxy-tls': 'TLS of the proxy',
  tunnel: 'Tunnel',
  description: 'Description',
  'service-test': 'Service test',
  balance: 'Balance',
};

/** "TCP", or "TCP, SOAP" if the other side's server is a different one. */
export const stepName = (step: TestStep): string =>
  step.side === 'soap' && step.id !== 'description' ? `${names[step.id]}, SOAP` : names[step.id];

const put = (steps: readonly TestStep[], step: TestStep): TestStep[] => {
  const at = steps.findIndex((one) => one.id === step.id && one.side === step.side);
  return at === -1 ? [...steps, step] : steps.map((one, index) => (index === at ? step : one));
};

/** The connection test, step by step as main reports it. Free: it calls nothing that has a price. */
export function useConnectionTest(connectionId: string) {
  const client = useQueryClient();
  const [steps, setSteps] = useState<readonly TestStep[]>([]);
  const requestId = useRef<string | null>(null);
  const [testedAt, setTestedAt] = useState<string | null>(null);
  useEffect(
    () =>
      listen('connections.test-step', (message) => {
        if (message.requestId === requestId.current) setSteps((now) => put(now, message.step));
      }),
    [],
  );
  const test = useMutation({
    mutationFn: (ownId: string) => call('connections.test', { connectionId }, { requestId: ownId }),
    onSuccess: (result, ownId) => {
      if (ownId !== requestId.current) return;
      setSteps(result.steps);
      setTestedAt(new Date().toISOString());
      void client.invalidateQueries({ queryKey: ['credits', 'overview', connectionId] });
      void client.invalidateQueries({ queryKey: ['connections'] });
    },
    onSettled: (_result, _error, ownId) => {
      if (ownId === requestId.current) requestId.current = null;
    },
  });
  const stop = () => requestId.current !== null && cancelCall(requestId.current);
  return {
    steps,
    testedAt,
    totalMs: test.data?.totalMs ?? null,
    running: test.isPending,
    error: test.error ? errorOf(test.error) : null,
    /** A test that is under way ends: what it finds may be of a key that was replaced since. */
    start: () => {
      stop();
      requestId.current = newRequestId();
      setSteps([]);
      test.mutate(requestId.current);
    },
    stop,
  };
}
