import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { app } from 'electron';
import type { UpdateHost } from '../core/updates/program-updates.ts';
import { programsData } from '../platform/data-folder.ts';
import { readInstallPlace } from '../platform/install-place.ts';
import { isPackaged } from './packaged.ts';

/** The folder for what can be fetched again, such as a release being downloaded; not among roaming settings. */
function cacheFolder(): string {
  if (process.platform === 'win32') return programsData(process.platform, process.env, homedir());
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  const named = process.env.XDG_CACHE_HOME ?? '';
  // The XDG standard ignores an empty or relative path, which would be under the working folder.
  return isAbsolute(named) ? named : join(homedir(), '.cache');
}

/** The running program as updates need to know it. */
export async function createUpdateHost(): Promise<UpdateHost> {
  const resources = process.resourcesPath ?? '';
  return {
    place: await readInstallPlace({
      packaged: isPackaged,
      platform: process.platform,
      program: process.execPath,
      resources,
      productName: app.getName(),
      env: process.env,
    }),
    program: {
      version: app.getVersion(),
      name: app.getName(),
      isPackaged,
      appUpdateConfigPath: join(resources, 'app-update.yml'),
      userDataPath: app.getPath('userData'),
      baseCachePath: cacheFolder(),
      whenReady: () => app.whenReady().then(() => undefined),
      relaunch: () => app.relaunch(),
      quit: () => app.quit(),
      onQuit: (handler) => app.once('quit', (_event, exitCode) => handler(exitCode)),
    },
  };
}
