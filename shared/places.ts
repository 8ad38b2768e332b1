/**
 * The places of the navigation, in the order of their shortcuts (Ctrl 1, 2, …). The one list behind routes, shortcuts, palette, the
 * window's navigation, the program's menu, the entries of its icon and the links that may open it.
 */
export const places = [
  { id: 'lookup', label: 'Lookup', atIcon: true },
  { id: 'credits', label: 'Credits', atIcon: true },
  { id: 'licences', label: 'Licences', atIcon: true },
  { id: 'activity', label: 'Activity', atIcon: false },
  { id: 'connections', label: 'Connections', atIcon: false },
  { id: 'settings', label: 'Settings', atIcon: false },
] as const satisfies readonly {
  id: string;
  label: string;
  /** Whether the menu of the program's icon leads there. */
  atIcon: boolean;
}[];

export type Place = (typeof places)[number]['id'];

export const placeIds = places.map(({ id }) => id);

/** The menu's command for a place: "open-lookup". */
export const openCommand = <P extends Place>(place: P): `open-${P}` => `open-${place}`;
