import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { AppError, ErrorCode } from '../../../shared/errors.ts';
import { FailureHelp } from '../../components/failure-help.ts';
import { connectionsQuery } from '../../lib/calls/queries.ts';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { part } from '../../lib/window/part.tsx';
import { type ScreenId, useGo, useScreen } from '../../lib/window/routes.tsx';
import { ownerOfKey } from './key-owner.ts';
import { LateButton } from './late-button.tsx';
import { PartNotice } from './part-notice.tsx';

const ReplaceKeyDialog = part(
  async () => (await import('./replace-key-dialog.tsx')).ReplaceKeyDialog,
  () => null,
);

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

/** Failures of which the key is the cause: a new value is given where one stands. */
const ofTheKey: ReadonlySet<ErrorCode> = new Set(['credentials-refused', 'keychain-absent']);

/** Screens with a field of their own for a key that was refused. */
const ownKeyFields: ReadonlySet<ScreenId> = new Set(['connections', 'first-run', 'setup']);
const noConnections: readonly ConnectionView[] = [];

/**
 * Ways on beside every failure of a kind, whatever screen it stands on: the network check, a new value for the key, the support file of
 * the call. Where a screen is that way itself, it is left out.
 */
export function FailureWays({ children }: { children: ReactNode }) {
  const go = useGo();
  const screen = useScreen();
  const view = useConnection();
  const connections = useQuery(connectionsQuery()).data?.connections ?? noConnections;
  const [replacing, setReplacing] = useState<{ error: AppError; view: ConnectionView } | null>(null);
  const help = useCallback(
    (error: AppError): ReactNode => {
      const { code, callId } = error;
      const owner = ofTheKey.has(code) && !ownKeyFields.has(screen) ? ownerOfKey(error, connections, view) : null;
      const ways = [
        ofTheNetwork.has(code) && screen !== 'settings' && (
          <LateButton key="network" onClick={() => go('settings', { do: 'check-network' })}>
            Check the network · free
          </LateButton>
        ),
        owner && (
          <LateButton key="key" onClick={() => setReplacing({ error, view: owner })}>
            Replace the key…
          </LateButton>
        ),
        callId !== undefined && screen !== 'support' && screen !== 'first-run' && (
          <LateButton key="support" onClick={() => go('support', { call: callId })}>
            Support file…
          </LateButton>
        ),
      ].filter(Boolean);
      return ways.length > 0 ? ways : null;
    },
    [go, screen, connections, view],
  );
  return (
    <FailureHelp value={help}>
      {children}
      {replacing && (
        <PartNotice>
          <ReplaceKeyDialog {...replacing} onClose={() => setReplacing(null)} />
        </PartNotice>
      )}
    </FailureHelp>
  );
}
