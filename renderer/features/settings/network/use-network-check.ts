import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CheckedAddress, CheckProgress } from '../../../../shared/contract/network.ts';
import { call, cancelCall, listen, newRequestId } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';

function put(addresses: readonly CheckedAddress[], { index, address, step }: CheckProgress): CheckedAddress[] {
  const next = [...addresses];
  const before = next[index] ?? { ...address, steps: [] };
  const steps = before.steps.filter(({ id }) => id !== step?.id);
  const at = before.steps.findIndex(({ id }) => id === step?.id);
  if (step !== null) steps.splice(at === -1 ? steps.length : at, 0, step);
  next[index] = { ...before, steps };
  return next;
}

/** The network check, step by step as main reports it. Free: it sends no request. */
export function useNetworkCheck() {
  const [addresses, setAddresses] = useState<readonly CheckedAddress[]>([]);
  const current = useRef<string | null>(null);
  useEffect(
    () =>
      listen('network.check-step', (progress) => {
        if (progress.checkId === current.current) setAddresses((now) => put(now, progress));
      }),
    [],
  );
  const check = useMutation({
    mutationFn: (connectionId: string | null) => {
      const checkId = newRequestId();
      current.current = checkId;
      setAddresses([]);
      return call('network.check', { checkId, connectionId }, { requestId: checkId });
    },
    onSuccess: (result) => setAddresses(result.addresses),
  });
  return {
    addresses,
    result: check.data ?? null,
    running: check.isPending,
    error: check.error ? errorOf(check.error) : null,
    start: (connectionId: string | null) => check.mutate(connectionId),
    stop: () => current.current !== null && cancelCall(current.current),
  };
}
