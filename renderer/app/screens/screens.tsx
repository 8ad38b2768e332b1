import {
  IconCoins,
  IconHistory,
  IconLicense,
  IconMapPin,
  IconPlugConnected,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ComponentType, useEffect } from 'react';
import type { Place } from '../../../shared/places.ts';
import { part } from '../../lib/window/part.tsx';
import type { ScreenId } from '../../lib/window/routes.tsx';

/** The screen shown last; null before the first, which takes no focus. */
let last: ScreenId | null = null;

/**
 * Moves the focus to the heading of the screen just shown, so that its name is read and Tab starts there. Placed after the screen's
 * content: by then its script is loaded, and a screen that was asked to show something has already put the focus there.
 */
function HeadingFocus({ screen }: { screen: ScreenId }): null {
  useEffect(() => {
    const before = last;
    last = screen;
    if (before === null || before === screen) return;
    const place = document.querySelector(`[data-screen="${screen}"]`);
    if (!place?.contains(document.activeElement)) place?.querySelector<HTMLElement>('h1')?.focus();
  }, [screen]);
  return null;
}

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

/** What draws each screen: the feature, or a place composed of several, since features do not import each other. */
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
