import { IconNetwork } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useCommands } from '../../../lib/window/commands.ts';
import { useGo } from '../../../lib/window/routes.tsx';

/** The palette's command for the network check; it runs at once, since it is free. */
export function useNetworkCommands(): void {
  const go = useGo();
  const source = useCallback(
    () => [
      {
        id: 'check-network',
        group: 'Commands' as const,
        label: 'Check the network',
        words: 'proxy certificate tls connection firewall authority ca pac',
        icon: IconNetwork,
        run: () => go('settings', { do: 'check-network' }),
      },
    ],
    [go],
  );
  useCommands('network', source);
}
