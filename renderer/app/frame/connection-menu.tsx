import { Menu } from '@mantine/core';
import { IconCheck, IconSettings } from '@tabler/icons-react';
import { connectionKindNames } from '../../../shared/domain/connection.ts';
import { type ChipConnection, ColourDot, ConnectionChip } from './connection-chip.tsx';

interface ConnectionMenuProps {
  connections: readonly ChipConnection[];
  current: ChipConnection | null;
  onSwitch: (connectionId: string) => void;
  onManage: () => void;
  /** The button was pressed before this script had loaded: the menu opens at once. */
  early: boolean;
  onEarly: () => void;
}

export function ConnectionMenu({ connections, current, onSwitch, onManage, early }: ConnectionMenuProps) {
  return (
    <Menu position="bottom-start" width={264} defaultOpened={early}>
      <Menu.Target>
        <ConnectionChip current={current} />
      </Menu.Target>
      <Menu.Dropdown>
        {connections.length > 0 && <Menu.Label>Connections</Menu.Label>}
        {connections.map((connection) => (
          <Menu.Item
            key={connection.id}
            leftSection={<ColourDot colour={connection.colour} />}
            rightSection={
              connection.id === current?.id ? (
                <IconCheck size={14} className="ti" role="img" aria-label="in use" />
              ) : (
                <span className="xs t3">{connectionKindNames[connection.kind]}</span>
              )
            }
            onClick={() => connection.id !== current?.id && onSwitch(connection.id)}
          >
            {connection.name}
          </Menu.Item>
        ))}
        {connections.length > 0 && <Menu.Divider />}
        <Menu.Item leftSection={<IconSettings size={14} className="ti t3" aria-hidden="true" />} onClick={onManage}>
          {connections.length > 0 ? 'Connections…' : 'Set up a connection…'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
