import { ActivityScreen } from '../../features/activity/activity-screen.tsx';
import { ConnectionsScreen } from '../../features/connections/connections-screen.tsx';
import { CreditsScreen } from '../../features/credits/credits-screen.tsx';
import { FirstRunScreen } from '../../features/first-run/first-run-screen.tsx';
import { SettingsScreen } from '../../features/settings/settings-screen.tsx';
import { LicencesPlace } from './licences-place.tsx';
import { LookupPlace } from './lookup-place.tsx';
import type { ScreenTable } from './visited-screens.tsx';

/** Each screen and the feature that draws it; a place without one is grey in the navigation. Features import none of each other. */
export const screens: ScreenTable = {
  lookup: LookupPlace,
  licences: LicencesPlace,
  credits: CreditsScreen,
  activity: ActivityScreen,
  connections: ConnectionsScreen,
  settings: SettingsScreen,
  'first-run': FirstRunScreen,
};
