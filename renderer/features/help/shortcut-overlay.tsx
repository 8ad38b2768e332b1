import { Modal, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Kbd } from '../../components/marks.tsx';
import { type ShortcutGroup, shortcutGroups } from './shortcut-groups.ts';
import './help.css';

interface ShortcutOverlayProps {
  opened: boolean;
  onClose: () => void;
  onHelp: () => void;
}

/** Every shortcut on one page, over whatever is shown. */
export function ShortcutOverlay({ opened, onClose, onHelp }: ShortcutOverlayProps) {
  return (
    <Modal opened={opened} onClose={onClose} size={760} title="Shortcuts">
      <ShortcutFinder onHelp={onHelp} />
    </Modal>
  );
}

function ShortcutFinder({ onHelp }: { onHelp: () => void }) {
  const [sought, setSought] = useState('');
  const words = sought.trim().toLowerCase();
  const groups = shortcutGroups
    .map((group) => ({ ...group, lines: group.lines.filter(({ does }) => does.toLowerCase().includes(words)) }))
    .filter(({ lines }) => lines.length > 0);
  return (
    <div className="col g12">
      <TextInput
        data-autofocus
        aria-label="Find a shortcut"
        placeholder="Find a shortcut"
        leftSection={<IconSearch size={14} className="ti t3" aria-hidden="true" />}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      <ShortcutLists groups={groups} />
      {groups.length === 0 && <p className="sm t2">No shortcuts match.</p>}
      <div className="row help-foot">
        <span className="sm t2 grow">Prices are shown beside what costs credits.</span>
        <button type="button" className="link" onClick={onHelp}>
          All of the help
        </button>
        <Kbd>F1</Kbd>
      </div>
    </div>
  );
}

/** Shortcuts by where they work, in columns if there is room. */
export function ShortcutLists({ groups }: { groups: readonly ShortcutGroup[] }) {
  return (
    <div className="help-shortcuts">
      {groups.map(({ name, lines }) => (
        <section key={name} aria-label={name}>
          <h3 className="sm t2">{name}</h3>
          <dl>
            {lines.map(({ does, keys }) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  {keys.map((one) => (
                    <Kbd key={one}>{one}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
