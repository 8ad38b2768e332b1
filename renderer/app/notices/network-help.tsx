import { type ReactNode, useCallback } from 'react';
import type { AppError, ErrorCode } from '../../../shared/errors.ts';
import { FailureHelp } from '../../components/failure-help.ts';
import { useGo, useScreen } from '../../lib/window/routes.tsx';
import { LateButton } from './late-button.tsx';

/** Failures that a look at the way explains: nothing of the request had left, or a page of the network came back. */
const ofTheNetwork: ReadonlySet<ErrorCode> = new Set([
  'name-not-found',
  'connection-refused',
  'connect-timeout',
  'certificate-not-trusted',
  'client-certificate-unusable',
  'client-certificate-needed',
  'client-certificate-refused',
  'proxy-failed',
  'not-the-service',
]);

/** Offers the network check beside every failure of the network. On its own screen the check stands there already. */
export function NetworkHelp({ children }: { children: ReactNode }) {
  const go = useGo();
  const there = useScreen() === 'settings';
  const help = useCallback(
    ({ code }: AppError): ReactNode =>
      ofTheNetwork.has(code) && !there ? (
        <LateButton onClick={() => go('settings', { do: 'check-network' })}>Check the network · free</LateButton>
      ) : null,
    [go, there],
  );
  return <FailureHelp value={help}>{children}</FailureHelp>;
}
