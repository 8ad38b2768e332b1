import {
  IconCoins,
  IconHistory,
  IconLicense,
  IconMapPin,
  IconPlugConnected,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Place } from '../../../shared/places.ts';
import { part } from '../../lib/window/part.tsx';
import type { ScreenId } from '../../lib/window/routes.tsx';
import { HeadingFocus } from './heading-focus.ts';

const screen = (id: ScreenId, fetch: () => Promise<ComponentType>) =>
  part(async () => {
    const Screen = await fetch();
    return () => (
      <>
        <Screen />
        <HeadingFocus screen={id} />
      </>
    );
  });

/** What draws each screen: the feature, or the place composed of several, since features import none of each other. */
export const screens = {
  lookup: screen('lookup', async () => (await import('./lookup-place.tsx')).LookupPlace),
  credits: screen('credits', async () => (await import('../../features/credits/credits-screen.tsx')).CreditsScreen),
  licences: screen('licences', async () => (await import('./licences-place.tsx')).LicencesPlace),
  activity: screen(
    'activity',
    async () => (await import('../../features/activity/activity-screen.tsx')).ActivityScreen,
  ),
  connections: screen(
    'connections',
    async () => (await import('../../features/connections/connections-screen.tsx')).ConnectionsScreen,
  ),
  settings: screen(
    'settings',
    async () => (await import('../../features/settings/settings-screen.tsx')).SettingsScreen,
  ),
  'first-run': screen(
    'first-run',
    async () => (await import('../../features/first-run/first-run-screen.tsx')).FirstRunScreen,
  ),
  help: screen('help', async () => (await import('../../features/help/help-screen.tsx')).HelpScreen),
  setup: screen('setup', async () => (await import('../../features/setup/setup-screen.tsx')).SetupScreen),
  support: screen('support', async () => (await import('../../features/support/support-screen.tsx')).SupportScreen),
} satisfies Readonly<Record<ScreenId, unknown>>;

/** The icon of each place, in the navigation and in the palette. */
export const icons: Readonly<Record<Place, TablerIcon>> = {
  lookup: IconMapPin,
  credits: IconCoins,
  licences: IconLicense,
  activity: IconHistory,
  connections: IconPlugConnected,
  settings: IconSettings,
};
