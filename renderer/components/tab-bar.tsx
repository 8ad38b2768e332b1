import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Activity, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface Tab<Id extends string = string> {
  id: Id;
  label: ReactNode;
}

interface TabBarProps<Id extends string> {
  tabs: readonly Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
  /** What the tabs choose between, said to a screen reader. */
  label: string;
  /** Common start of the ids of tabs and panels; the same goes to TabPanel. */
  idBase: string;
  /** Under 900 px show the chosen tab and the rest behind "3 more". Off for short sets inside a pane. */
  collapse?: boolean;
}

const tabId = (base: string, id: string) => `${base}-tab-${id}`;
const panelId = (base: string, id: string) => `${base}-panel-${id}`;

/** Tabs with a roving tab stop: arrows, Home and End choose. */
export function TabBar<Id extends string>({ tabs, value, onChange, label, idBase, collapse = true }: TabBarProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  const moved = useRef(false);

  // The next tab may be hidden until it is the chosen one, so focus follows the choice and not the key.
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(tabId(idBase, value))}`)?.focus();
  }, [value, idBase]);

  const choose = (index: number) => {
    const next = tabs[(index + tabs.length) % tabs.length];
    if (!next || next.id === value) return;
    moved.current = true;
    onChange(next.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === value);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    choose(target);
  };

  const others = tabs.filter((tab) => tab.id !== value);
  return (
    <div className={collapse ? 'tabs collapse' : 'tabs'}>
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={tabId(idBase, tab.id)}
            aria-selected={tab.id === value}
            aria-controls={tab.id === value ? panelId(idBase, tab.id) : undefined}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {collapse && others.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <button type="button" className="more">
              {others.length} more
              <IconChevronDown size={14} className="ti" aria-hidden="true" />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((tab) => (
              <Menu.Item key={tab.id} onClick={() => onChange(tab.id)}>
                {tab.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

interface TabPanelProps {
  idBase: string;
  id: string;
  value: string;
  /** Keep what is typed and scrolled while another tab is shown. */
  keep?: boolean;
  children: ReactNode;
}

/** What one tab shows. */
export function TabPanel({ idBase, id, value, keep = true, children }: TabPanelProps) {
  const shown = id === value;
  if (!shown && !keep) return null;
  return (
    <Activity mode={shown ? 'visible' : 'hidden'}>
      <div className="tabpanel" role="tabpanel" id={panelId(idBase, id)} aria-labelledby={tabId(idBase, id)}>
        {children}
      </div>
    </Activity>
  );
}
