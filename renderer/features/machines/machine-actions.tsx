import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDeviceLaptopOff, IconDots, IconDownload, IconPlus, IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PriceButton } from '../../components/money/price-button.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { askPrice, refreshMachines } from '../../lib/licences/machines.ts';
import { countOf, formatNumber } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { useGo } from '../../lib/window/routes.tsx';

interface MachineActionsProps {
  /** How many machines a scan would read. */
  machines: number;
  scanning: boolean;
  onImport: () => void;
  onExport: () => void;
  onAdd: () => void;
  onAskAll: () => void;
}

/** The tab's own actions in the page bar. */
export function MachineActions({ machines, scanning, onImport, onExport, onAdd, onAskAll }: MachineActionsProps) {
  const go = useGo();
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={28} aria-label="Import or export" title="Import or export">
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUpload size={14} aria-hidden="true" />} onClick={onImport}>
            Import machines from a CSV file…
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={14} aria-hidden="true" />} onClick={onExport}>
            Export the machines…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconDeviceLaptopOff size={15} aria-hidden="true" />}
        onClick={() => go('licences', { show: 'dead-laptop' })}
      >
        Dead laptop
      </Button>
      <Button leftSection={<IconPlus size={15} aria-hidden="true" />} onClick={onAdd}>
        Add machine
      </Button>
      <PriceButton price={askPrice(machines)} disabled={scanning || machines === 0} onClick={onAskAll}>
        {machines === 1 ? 'Ask this machine' : `Ask all ${formatNumber(machines)}`}
      </PriceButton>
    </>
  );
}

/** Imports the inventory from a CSV file and exports it to one, with the result as a text. The file is chosen in the main process. */
export function useInventoryFiles(connectionId: string) {
  const client = useQueryClient();
  const bring = async () => {
    const { fileName, added, changed, same, refused } = await call('machines.import', { connectionId });
    refreshMachines(client, connectionId);
    if (fileName === '') return null;
    const left = refused.slice(0, 3).map(({ row, reason }) => `row ${row} ${reason}`);
    return `${fileName}: ${added} added, ${changed} changed, ${same} as they were${
      refused.length === 0 ? '.' : `, ${refused.length} left out (${left.join('; ')}${refused.length > 3 ? ' …' : ''}).`
    }`;
  };
  const save = async () => {
    const { saved, fileName, rows } = await call('machines.export', { connectionId });
    return saved ? `${countOf(rows, 'machine')} saved as ${fileName}.` : null;
  };
  const run = useMutation({
    mutationFn: (way: 'Importing' | 'Exporting') => (way === 'Importing' ? bring() : save()),
    meta: { subject: (way: 'Importing' | 'Exporting') => `${way} machines`, connectionId },
    onSuccess: (words) => words && announce(words),
  });
  return {
    told: run.data ?? null,
    failure: run.error ? errorOf(run.error) : null,
    forget: run.reset,
    importFile: () => run.mutate('Importing'),
    exportFile: () => run.mutate('Exporting'),
  };
}
