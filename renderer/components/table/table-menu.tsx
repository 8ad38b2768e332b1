import { Menu } from '@mantine/core';
import { Fragment } from 'react';

export interface MenuAction {
  id: string;
  label: string;
  /** As written in the menu: "Ctrl C". */
  shortcut?: string;
  run: () => void;
}

interface TableMenuProps {
  /** Where it opens, in pixels of the window. */
  at: { x: number; y: number };
  groups: readonly (readonly MenuAction[])[];
  onClose: () => void;
}

/** A menu of actions, at the place that was clicked. */
export function TableMenu({ at, groups, onClose }: TableMenuProps) {
  return (
    <Menu opened onClose={onClose} position="bottom-start" offset={2} width={248} trapFocus returnFocus={false}>
      <Menu.Target>
        <span className="table-menu-place" aria-hidden="true" style={{ left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label="Rows">
        {groups
          .filter((group) => group.length > 0)
          .map((group, index) => (
            <Fragment key={group[0]?.id}>
              {index > 0 && <Menu.Divider />}
              {group.map(({ id, label, shortcut, run }) => (
                <Menu.Item key={id} onClick={run} rightSection={shortcut ? <kbd>{shortcut}</kbd> : undefined}>
                  {label}
                </Menu.Item>
              ))}
            </Fragment>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
