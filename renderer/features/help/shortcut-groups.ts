import { placeIds } from '../../../shared/places.ts';
import { isMac, type ShortcutId, shortcutParts } from '../../lib/window/shortcuts.ts';

interface ShortcutLine {
  does: string;
  keys: readonly string[];
}

export interface ShortcutGroup {
  name: string;
  lines: readonly ShortcutLine[];
}

const mod = isMac ? '⌘' : 'Ctrl';
const of = (id: ShortcutId, does?: string): ShortcutLine => {
  const parts = shortcutParts(id);
  return { keys: parts.keys, does: does ?? parts.does };
};
/** A key that works only while a part, such as a table, has the focus. */
const key = (does: string, ...keys: string[]): ShortcutLine => ({ does, keys });

/** Every key of the window, grouped by where it works. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    name: 'Everywhere',
    lines: [
      of('palette'),
      ...placeIds.map((id) => of(id)),
      of('go-back'),
      of('go-forward'),
      of('new-window'),
      of('help'),
      of('shortcuts'),
      key('Close a dialog or menu', 'Esc'),
    ],
  },
  {
    name: 'Lookup',
    lines: [
      of('focus-search'),
      key('Search, at the price shown', 'Enter'),
      of('copy-envelope'),
      of('copy-line'),
      of('back', 'Back to the list, in a narrow window'),
    ],
  },
  { name: 'Batch', lines: [of('paste', 'Read a pasted table')] },
  { name: 'Licences', lines: [of('move-licence')] },
  {
    name: 'Lists and tables',
    lines: [
      key('Move', '↑', '↓'),
      key('Open', 'Enter'),
      key('Select several', '⇧', '↑ ↓'),
      key('Select one more', isMac ? '⇧' : mod, 'Space'),
      key('Select all', mod, 'A'),
      key('Copy the selected rows', mod, 'C'),
      of('find'),
      key('Print', mod, 'P'),
      key('Go to a row', 'its first letters'),
    ],
  },
];
