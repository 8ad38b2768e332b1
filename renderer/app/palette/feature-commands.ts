import { useActivityCommands } from '../../features/activity/activity-commands.ts';
import { useBatchCommands } from '../../features/batch/batch-commands.ts';
import { useCreditCommands } from '../../features/credits/credits-commands.ts';
import { useHelpCommands } from '../../features/help/help-commands.ts';
import { useLicenceCommands } from '../../features/licences/licence-commands.ts';
import { useLookupCommands } from '../../features/lookup/lookup-commands.ts';
import { useMachineCommands } from '../../features/machines/machine-commands.ts';
import { useOperationCommands } from '../../features/operations/operation-commands.ts';
import { useNetworkCommands } from '../../features/settings/network/network-commands.ts';
import { useSetupCommands } from '../../features/setup/setup-commands.ts';

/** What the palette finds of each feature, whichever screen is shown and whether or not it has been visited. */
export function useFeatureCommands(connectionId: string | null): void {
  useLookupCommands();
  useOperationCommands(connectionId);
  useBatchCommands(connectionId);
  useCreditCommands();
  useLicenceCommands();
  useMachineCommands();
  useActivityCommands();
  useNetworkCommands();
  useSetupCommands();
  useHelpCommands();
}
