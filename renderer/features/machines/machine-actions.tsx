import { Button, Menu } from '@mantine/core';
import { IconDownload, IconPlus, IconUpload } from '@tabler/icons-react';
import { PriceButton } from '../../components/money/price-button.tsx';
import { askPrice } from './queries.ts';

export interface MachineActionsProps {
  /** How many machines there are to ask. */
  machines: number;
  scanning: boolean;
  onImport: () => void;
  onExport: () => void;
  onAdd: () => void;
  onAskAll: () => void;
}

/** The tab's own actions in the page bar. */
export function MachineActions({ machines, scanning, onImport, onExport, onAdd, onAskAll }: MachineActionsProps) {
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" color="gray">
            CSV
          </Button>
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
      <Button leftSection={<IconPlus size={15} aria-hidden="true" />} onClick={onAdd}>
        Add machine
      </Button>
      <PriceButton price={askPrice(machines)} disabled={scanning || machines === 0} onClick={onAskAll}>
        {machines === 1 ? 'Ask this machine' : `Ask all ${machines}`}
      </PriceButton>
    </>
  );
}
