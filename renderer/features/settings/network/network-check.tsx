import { Button } from '@mantine/core';
import { IconCopy, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CheckedAddress, CheckProgress, NetworkCheck } from '../../../../shared/contract/network.ts';
import type { NetworkState } from '../../../../shared/domain/network.ts';
import { Failure } from '../../../components/failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { call, cancelCall, listen, newRequestId } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { appInfoQuery } from '../../../lib/calls/queries.ts';
import { useConnection } from '../../../lib/connection/use-connection.ts';
import { countOf, formatDuration, formatMoment } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { useRouteParams } from '../../../lib/window/routes.tsx';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { Setting } from '../setting.tsx';
import { CheckedAddressPart } from './checked-address.tsx';
import { describeCheck } from './network-text.ts';

const failedOf = ({ addresses }: NetworkCheck) =>
  addresses.filter(({ steps }) => steps.some(({ state }) => state === 'failed'));

const formatResult = (result: NetworkCheck): string => {
  const failed = failedOf(result).length;
  if (result.addresses.length === 0) return 'There was no address to check.';
  return failed === 0
    ? `All reached: ${countOf(result.addresses.length, 'address', 'addresses')}.`
    : `Not reached: ${failed} of ${countOf(result.addresses.length, 'address', 'addresses')}.`;
};

/** The way to every address of the connection in use: which was chosen, why, and how far it was reached. */
export function NetworkCheckPart({ state }: { state: NetworkState | undefined }) {
  const view = useConnection();
  const { data: info } = useQuery(appInfoQuery());
  const connection = view?.connection;
  const check = useNetworkCheck(`${connection?.id} ${connection?.restBaseUrl} ${connection?.soapUrl}`);
  const heading = useRef<HTMLHeadingElement>(null);
  const { result, running } = check;
  const connectionId = view?.connection.id ?? null;
  useRouteParams('settings', 'network-check', ({ do: action }) => {
    if (action !== 'check-network') return;
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'start' });
    if (!running) check.start(connectionId);
  });

  const { copy } = useCopy();
  const copyResult = () => {
    if (result !== null)
      copy(describeCheck(result, state, `Address Console ${info?.version ?? ''}`), 'the check as text');
  };

  return (
    <section aria-labelledby="settings-network-check" className="wide">
      <h2 className="h" id="settings-network-check" tabIndex={-1} ref={heading}>
        Network check
      </h2>
      <Setting
        about={`Connects to each address${view === null ? '' : ` of ${view.connection.name}`} and, unless updates are off, to the update address as a call would, then closes the connection. No request is sent over it, so nothing is spent.`}
      >
        <div className="row wrap">
          {running ? (
            <Button onClick={check.stop}>Stop</Button>
          ) : (
            <Button
              leftSection={<IconPlayerPlay size={14} className="ti" aria-hidden="true" />}
              onClick={() => check.start(connectionId)}
            >
              Check the network · free
            </Button>
          )}
          {result !== null && !running && (
            <Button leftSection={<IconCopy size={14} className="ti" aria-hidden="true" />} onClick={copyResult}>
              Copy as text
            </Button>
          )}
          {result !== null && !running && (
            <span className="sm t3">
              {formatMoment(result.at)}, {formatDuration(result.totalMs)} in all
            </span>
          )}
        </div>
      </Setting>
      {check.error && <Failure error={check.error} />}
      {result !== null && !running && (
        <Notice
          {...(failedOf(result).length > 0
            ? { tone: 'danger' as const }
            : result.addresses.length === 0
              ? {}
              : { tone: 'good' as const })}
        >
          {formatResult(result)}
          {result.addresses.length === 0 && ' Choose a connection that has one, under Connections.'}
        </Notice>
      )}
      {check.addresses.map((address) => (
        <CheckedAddressPart key={address.origin} address={address} />
      ))}
    </section>
  );
}

function put(addresses: readonly CheckedAddress[], { index, address, step }: CheckProgress): CheckedAddress[] {
  const next = [...addresses];
  const before = next[index] ?? { ...address, steps: [] };
  const steps = before.steps.filter(({ id }) => id !== step?.id);
  const at = before.steps.findIndex(({ id }) => id === step?.id);
  if (step !== null) steps.splice(at === -1 ? steps.length : at, 0, step);
  next[index] = { ...before, steps };
  return next;
}

/** The network check, step by step as main reports it. Free: it sends no request. `of`: what is checked; another puts the result aside. */
function useNetworkCheck(of: string) {
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
    onSuccess: (result) => {
      if (current.current === null) return;
      setAddresses(result.addresses);
      announce(formatResult(result));
    },
  });
  const { reset } = check;
  // No cleanup: that runs too when another screen is shown.
  const last = useRef(of);
  useEffect(() => {
    if (last.current === of) return;
    last.current = of;
    if (current.current !== null) cancelCall(current.current);
    current.current = null;
    setAddresses([]);
    reset();
  }, [of, reset]);
  return {
    addresses,
    result: check.data ?? null,
    running: check.isPending,
    error: check.error ? errorOf(check.error) : null,
    start: (connectionId: string | null) => check.mutate(connectionId),
    stop: () => current.current !== null && cancelCall(current.current),
  };
}
