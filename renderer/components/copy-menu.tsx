import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconCopy } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';

interface CopyItem {
  id: string;
  label: string;
  /** As written in the menu: "Ctrl C". */
  shortcut?: string;
  onCopy: () => void;
}

interface CopyMenuProps {
  groups: readonly { label: string; items: readonly CopyItem[] }[];
  children?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
}

/** One thing to copy in several forms. Copying is a request to the main process: the caller makes it. */
export function CopyMenu({ groups, children = 'Copy', icon, disabled = false }: CopyMenuProps) {
  return (
    <Menu position="bottom-end" width={232}>
      <Menu.Target>
        <Button
          disabled={disabled}
          leftSection={icon ?? <IconCopy size={15} className="ti" aria-hidden="true" />}
          rightSection={<IconChevronDown size={14} className="ti" aria-hidden="true" />}
        >
          {children}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map((group, index) => (
          <Fragment key={group.label}>
            {index > 0 && <Menu.Divider />}
            <Menu.Label>{group.label}</Menu.Label>
            {group.items.map((item) => (
              <Menu.Item
                key={item.id}
                onClick={item.onCopy}
                rightSection={item.shortcut ? <kbd>{item.shortcut}</kbd> : undefined}
              >
                {item.label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
