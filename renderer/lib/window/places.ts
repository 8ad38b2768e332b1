import {
  IconCoins,
  IconHistory,
  IconLicense,
  IconMapPin,
  IconPlugConnected,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';

/** The six screens of the navigation, in the order of their shortcuts. */
export const places = [
  { id: 'lookup', label: 'Lookup', Icon: IconMapPin },
  { id: 'credits', label: 'Credits', Icon: IconCoins },
  { id: 'licences', label: 'Licences', Icon: IconLicense },
  { id: 'activity', label: 'Activity', Icon: IconHistory },
  { id: 'connections', label: 'Connections', Icon: IconPlugConnected },
  { id: 'settings', label: 'Settings', Icon: IconSettings },
] as const satisfies readonly { id: string; label: string; Icon: TablerIcon }[];

export type Place = (typeof places)[number]['id'];
