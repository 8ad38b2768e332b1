import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { roleNames } from '../../../shared/domain/connection.ts';
import type { AppError, ErrorCode } from '../../../shared/errors.ts';
import { FailureHelp } from '../../components/failure-help.ts';
import { connectionsQuery } from '../../lib/calls/queries.ts';
import { useConnectionDialogs } from '../../lib/connection/connection-dialogs.ts';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { type ScreenId, useGo, useScreen } from '../../lib/window/routes.tsx';
import { keyWay } from './key-owner.ts';
import { LateButton } from './late-button.tsx';

/** Failures that the network check explains: nothing of the request had left, or a page of the network came back. */
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

/** Screens with a field of their own for a key that was refused. */
const ownKeyFields: ReadonlySet<ScreenId> = new Set(['connections', 'first-run', 'setup']);
const noConnections: readonly ConnectionView[] = [];

/**
 * Ways on beside every failure of a kind, whatever screen shows it: the network check, the caps, a new value for the key, the support
 * file of the call. If a screen is itself that way, it is left out.
 */
export function FailureWays({ children }: { children: ReactNode }) {
  const go = useGo();
  const screen = useScreen();
  const view = useConnection();
  const connections = useQuery(connectionsQuery()).data?.connections ?? noConnections;
  const dialogs = useConnectionDialogs();
  const help = useCallback(
    (error: AppError): ReactNode => {
      const { code, callId } = error;
      const way = dialogs && !ownKeyFields.has(screen) ? keyWay(error, connections, view) : null;
      const ways = [
        ofTheNetwork.has(code) && screen !== 'settings' && (
          <LateButton key="network" onClick={() => go('settings', { do: 'check-network' })}>
            Check the network · free
          </LateButton>
        ),
        code === 'cap-reached' && screen !== 'credits' && (
          <LateButton key="caps" onClick={() => go('credits', { do: 'alerts' })}>
            Caps and alerts
          </LateButton>
        ),
        way?.kind === 'replace' && (
          <LateButton key="key" onClick={() => dialogs?.replaceKey(way.key)}>
            Replace the key…
          </LateButton>
        ),
        way?.kind === 'complete' && (
          <LateButton
            key="key"
            onClick={() =>
              way.missing.key === null ? dialogs?.edit(way.view) : dialogs?.addKey(way.view, way.missing.key)
            }
          >
            {way.missing.key === null ? 'Complete the connection…' : `Add the ${roleNames[way.missing.key]}…`}
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
    [go, screen, connections, view, dialogs],
  );
  return <FailureHelp value={help}>{children}</FailureHelp>;
}
