// The entry of every npm script: sets up what the command needs, then runs it with the toolchain's Node. It must run on Node 20.
import { existsSync } from 'node:fs';
import {
  ensureBuilt,
  ensureDependencies,
  ensureSystemPackages,
  fetchElectron,
  fetchEnvironment,
  isSandboxRefused,
  whyNoElectron,
} from './setup.mjs';
import { environment, giveUp, inRoot, run, runNode, say } from './tools.mjs';

const [command = '', ...args] = process.argv.slice(2);

function needDisplay() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return;
  giveUp(
    'There is no display to open the window on. On a machine without one, give it a virtual one, for example: xvfb-run -a npm start' +
      (existsSync('/usr/bin/xvfb-run') ? '' : ' (on Debian: apt-get install xvfb xauth)'),
  );
}

async function start() {
  needDisplay();
  await ensureDependencies();
  const fetched = await fetchElectron();
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const isRefused = fetched !== undefined && !asRoot && isSandboxRefused(fetched);
  const electron = isRefused ? undefined : fetched;
  if (!electron) {
    const why = isRefused
      ? 'This system lets Electron’s runtime make no sandbox unless node_modules/electron/dist/chrome-sandbox is root’s with mode 4755'
      : whyNoElectron();
    say(`${why}. Address Console runs on the development host, over an installed browser.`);
    await ensureSystemPackages(['browser']);
  }
  await ensureBuilt();
  if (electron) {
    say('Address Console runs on Electron.');
    if (asRoot) say('Started as root, so the browser engine’s own sandbox is off (--no-sandbox).');
    return run(electron, [...(asRoot ? ['--no-sandbox'] : []), inRoot(), ...args]);
  }
  return runNode([inRoot('test', 'host', 'run.ts'), inRoot('dist', 'main', 'main.js'), ...args]);
}

/** @type {Record<string, () => Promise<number>>} */
const commands = {
  start,
  test: async () => {
    await ensureDependencies();
    await ensureSystemPackages(['browser', 'display', 'keychain', 'tests']);
    await fetchElectron();
    await ensureBuilt();
    return runNode([inRoot('test', 'run-all.ts'), ...args]);
  },
  build: async () => {
    await ensureDependencies();
    await ensureBuilt();
    return 0;
  },
  check: async () => {
    await ensureDependencies();
    return runNode([inRoot('test', 'run-all.ts'), '--only', 'checks', ...args]);
  },
  cli: async () => {
    await ensureDependencies();
    // npm runs this in the project's folder, but relative paths on the command line are relative to the caller's (INIT_CWD).
    return runNode([inRoot('electron', 'cli.ts'), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() });
  },
  'demo-service': async () => {
    await ensureDependencies();
    return runNode([inRoot('electron', 'demo-service', 'standalone.ts'), ...args]);
  },
  bench: async () => {
    await ensureDependencies();
    await ensureSystemPackages(['browser']);
    await ensureBuilt();
    return runNode(['--expose-gc', inRoot('test', 'bench', 'run.ts'), ...args]);
  },
  soak: async () => {
    await ensureDependencies();
    return runNode([inRoot('test', 'simulator', 'soak.ts'), ...args]);
  },
  house: async () => {
    await ensureDependencies();
    return runNode([inRoot('build', 'house.ts'), ...args]);
  },
  audit: async () => {
    await ensureDependencies();
    await ensureBuilt();
    return runNode([inRoot('build', 'audit', 'run.ts'), ...args]);
  },
  package: async () => {
    await ensureDependencies();
    await ensureBuilt();
    if (!(await fetchElectron({ insist: true })))
      giveUp(
        `Nothing was packaged. ${whyNoElectron()}. Packaging needs it: run this where its release page can be reached, or name a mirror in ELECTRON_MIRROR.`,
      );
    return runNode([inRoot('build', 'package', 'run.ts'), ...args], { env: fetchEnvironment() });
  },
  screenshots: async () => {
    await ensureDependencies();
    await ensureSystemPackages(['browser', 'keychain']);
    await fetchElectron();
    await ensureBuilt();
    return runNode([inRoot('test', 'screenshots', 'run.ts'), ...args], { env: { ...environment() } });
  },
};

const chosen = commands[command];
if (!chosen) giveUp(`No such command: ${command}. There are ${Object.keys(commands).join(', ')}.`);
else process.exitCode = await chosen();
