import { useEffect, useEffectEvent, useMemo } from 'react';
import { type Place, places } from '../../../shared/places.ts';

/** Whether shortcuts are made with Command rather than Ctrl. */
export const isMac = /^Mac/.test(navigator.platform);

type Shortcut = { keys: string; does: string };

/** Each place by its number. */
const ofPlaces = Object.fromEntries(
  places.map(({ id, label }, index) => [id, { keys: `Mod+${index + 1}`, does: label }]),
) as Record<Place, Shortcut>;

/** Every shortcut of the window. `Mod` is Ctrl, or Command on a Mac. */
const shortcuts = {
  ...ofPlaces,
  help: { keys: 'F1', does: 'Help' },
  shortcuts: { keys: '?', does: 'This list' },
  'go-back': { keys: isMac ? 'Mod+[' : 'Alt+ArrowLeft', does: 'Back to the screen before' },
  'go-forward': { keys: isMac ? 'Mod+]' : 'Alt+ArrowRight', does: 'Forward again' },
  'new-window': { keys: 'Mod+Shift+N', does: 'New window' },
  palette: { keys: 'Mod+K', does: 'Find a command, screen or address' },
  'focus-search': { keys: 'Mod+L', does: 'Go to the search box' },
  find: { keys: 'Mod+F', does: 'Find in the table or the results on this screen' },
  paste: { keys: 'Mod+V', does: 'Read a pasted table, in Batch' },
  'copy-envelope': { keys: 'Mod+C', does: 'Copy the address as on an envelope' },
  'copy-line': { keys: 'Mod+Shift+C', does: 'Copy the address as one line' },
  'move-licence': { keys: 'Mod+Shift+M', does: 'Move a licence to another machine' },
  back: { keys: 'Escape', does: 'Back to the list, where one pane is shown at a time' },
} satisfies Record<string, Shortcut>;

/** A place's id, or the name of another shortcut. */
export type ShortcutId = keyof typeof shortcuts;

const arrows = { ArrowLeft: '←', ArrowRight: '→' };
const words = isMac
  ? { Mod: '⌘', Shift: '⇧', Alt: '⌥', Escape: 'Esc', ...arrows }
  : { Mod: 'Ctrl', Shift: '⇧', Alt: 'Alt', Escape: 'Esc', ...arrows };

export const shortcutIds = Object.keys(shortcuts) as ShortcutId[];

/** The keys of a shortcut, one by one, as they are written on a keyboard; what it does. */
export const shortcutParts = (id: ShortcutId): { keys: string[]; does: string } => ({
  keys: shortcuts[id].keys.split('+').map((key) => words[key as keyof typeof words] ?? key),
  does: shortcuts[id].does,
});

/** As it is written in a menu: "Ctrl ⇧ M", or "⌘⇧M". */
export function shortcutText(id: ShortcutId): string {
  return shortcutParts(id).keys.join(isMac ? '' : ' ');
}

/** As aria-keyshortcuts wants it: "Control+Shift+M". */
export function ariaShortcut(id: ShortcutId): string {
  return shortcuts[id].keys.replace('Mod', isMac ? 'Meta' : 'Control');
}

const matches = (event: KeyboardEvent, id: ShortcutId): boolean => {
  const keys = shortcuts[id].keys.split('+');
  const mod = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return (
    mod === keys.includes('Mod') &&
    // A question mark is made with Shift on most keyboards and without it on some.
    (id === 'shortcuts' || event.shiftKey === keys.includes('Shift')) &&
    event.altKey === keys.includes('Alt') &&
    event.key.toLowerCase() === keys.at(-1)?.toLowerCase()
  );
};

/** Ctrl and Space, which mark one more line of a list. On a Mac Shift and Space: there the system takes ⌘ Space for its own search. */
export const marksOneMore = ({
  key,
  ctrlKey,
  shiftKey,
  metaKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'metaKey'>): boolean =>
  key === ' ' && !metaKey && ctrlKey === !isMac && shiftKey === isMac;

/**
 * Whether a key belongs to a dialog or a menu. One that is fading out still has the focus for some frames, and what is pressed right
 * after Escape is meant for the screen under it: Mantine writes the end of a fade into the element's own style as soon as it is closed.
 */
const inDialog = (target: EventTarget | null): boolean => {
  const over = target instanceof Element ? target.closest<HTMLElement>('[role="dialog"], [role="menu"]') : null;
  return over !== null && over.style.opacity !== '0';
};
/** Whether a dialog or a menu has the focus: then what is asked of the screen under it is not done. */
export const isUnderDialog = (): boolean => inDialog(document.activeElement);
const typing = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null;

/** A selected text, or a caret in a field, keeps the plain meaning of copy. */
const copiesText = (event: KeyboardEvent): boolean =>
  typing(event.target) || window.getSelection()?.isCollapsed === false;

/**
 * Runs the handler when the shortcut is pressed and nothing nearer has taken the key. Nothing reaches past an open dialog or menu but
 * the palette's own key. Only parts on screen listen, so a hidden screen never answers. One that returns false leaves the key to others.
 */
export function useShortcut(id: ShortcutId, handler: () => unknown, enabled = true): void {
  const ids = useMemo(() => [id], [id]);
  useShortcuts(ids, handler, enabled);
}

/** The same for several shortcuts that do alike; the handler receives which was pressed. `ids` stays the same array. */
export function useShortcuts<Id extends ShortcutId>(
  ids: readonly Id[],
  handler: (id: Id) => unknown,
  enabled = true,
): void {
  const run = useEffectEvent(handler);
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      // Kept pressed it acts once; main holds the repeats back that the menu would take (electron/shell/menu.ts).
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const id = ids.find((one) => matches(event, one));
      if (id === undefined || (id !== 'palette' && inDialog(event.target))) return;
      // A shortcut without Ctrl or Alt is a letter in a text field.
      if (id === 'shortcuts' && typing(event.target)) return;
      if ((id === 'copy-envelope' || id === 'copy-line') && copiesText(event)) return;
      if (run(id) !== false) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [ids, enabled]);
}
