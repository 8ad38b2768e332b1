import type { WebContents as ElectronContents } from 'electron';
import { toBrowser } from './addresses.ts';
import type { Browser } from './browser.ts';
import { session } from './session.ts';
import type { WebContents } from './web-contents.ts';

/** Chromium's names of permissions, with Electron's. */
const permissions = {
  geolocation: 'geolocation',
  notifications: 'notifications',
  audioCapture: 'media',
  videoCapture: 'media',
  midi: 'midi',
  midiSysex: 'midiSysex',
  clipboardReadWrite: 'clipboard-read',
  clipboardSanitizedWrite: 'clipboard-sanitized-write',
  idleDetection: 'idle-detection',
  localFonts: 'local-fonts',
  storageAccess: 'storage-access',
} as const;

/**
 * Applies the program's permission handlers to the browser, which shows no prompt. A permission that the check or the request handler refuses
 * is denied; without a handler it is granted, as in Electron.
 */
export async function allowedPermissions({ devtools, contextId }: Browser, contents: WebContents): Promise<void> {
  const { permissionCheck, permissionRequest } = session.defaultSession;
  const asker = contents as unknown as ElectronContents;
  const details = { requestingUrl: 'app://console/index.html', isMainFrame: true };
  const asked = (permission: (typeof permissions)[keyof typeof permissions]): boolean => {
    let granted = true;
    permissionRequest?.(
      asker,
      permission,
      (answer) => {
        granted = answer;
      },
      details,
    );
    return granted && (permissionCheck?.(asker, permission, 'app://console', details) ?? true);
  };
  const origin = toBrowser('app://console');
  await devtools.browser.send('Browser.grantPermissions', {
    origin,
    permissions: (Object.keys(permissions) as (keyof typeof permissions)[]).filter((name) => asked(permissions[name])),
    ...(contextId === undefined ? {} : { browserContextId: contextId }),
  });
}
