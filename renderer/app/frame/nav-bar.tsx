import { type Place, places } from '../../../shared/places.ts';
import { ariaShortcut, shortcutText } from '../../lib/window/shortcuts.ts';
import { useIconsOnly } from '../../lib/window/width.ts';
import { icons } from '../screens/screens.tsx';

/** Something saved recently that opens without a charge. */
interface RecentItem {
  id: string;
  label: string;
}

export interface NavBarProps {
  /** null: a screen outside the navigation (first run). */
  at: Place | null;
  onGo: (place: Place) => void;
  /** Without a connection no screen can be opened, and all are grey. */
  enabled: boolean;
  recent: readonly RecentItem[];
  onOpenRecent: (item: RecentItem) => void;
}

/** The screens, and what is saved. In a narrow window icons only, each with its name. */
export function NavBar({ at, onGo, enabled, recent, onOpenRecent }: NavBarProps) {
  const iconsOnly = useIconsOnly();
  return (
    <nav className="nav" aria-label="Screens">
      <ul>
        {places.map(({ id, label }) => {
          const Icon = icons[id];
          return (
            <li key={id}>
              <button
                type="button"
                title={iconsOnly ? `${label}, ${shortcutText(id)}` : undefined}
                aria-current={at === id ? 'page' : undefined}
                aria-keyshortcuts={ariaShortcut(id)}
                disabled={!enabled}
                onClick={() => onGo(id)}
              >
                <Icon size={16} className="ti" aria-hidden="true" />
                <span>{label}</span>
                <span className="kbd" aria-hidden="true">
                  {shortcutText(id)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {recent.length > 0 && (
        <div className="lately">
          <h2 id="recent-free">Recent, free to open again</h2>
          <ul aria-labelledby="recent-free">
            {recent.map((item) => (
              <li key={item.id}>
                <button type="button" className="sub" title={item.label} onClick={() => onOpenRecent(item)}>
                  <span className="trunc">{item.label}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </nav>
  );
}
