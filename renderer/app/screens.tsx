import type { ComponentType } from 'react';
import { ConnectionsScreen } from '../features/connections/connections-screen.tsx';
import { CreditsScreen } from '../features/credits/credits-screen.tsx';
import { FirstRunScreen } from '../features/first-run/first-run-screen.tsx';
import { SettingsScreen } from '../features/settings/settings-screen.tsx';
import type { ScreenId } from './routes.tsx';

/** Each screen and the feature that draws it; a place without one is grey in the navigation. Features import none of each other. */
export const screens: Partial<Record<ScreenId, ComponentType>> = {
  credits: CreditsScreen,
  connections: ConnectionsScreen,
  settings: SettingsScreen,
  'first-run': FirstRunScreen,
};
