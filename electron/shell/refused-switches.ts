/**
 * Switches of the browser engine that would give whoever starts the packaged program control of it: a debugger has every channel, spending
 * and licences too; the others disable the window's protection or show what is sent. Electron's fuses cover `--inspect` alone. None that
 * Electron itself sets before main begins may stand here, or no packaged program starts: it sets `allow-file-access-from-files` at every
 * start (PreSandboxStartup in shell/app/electron_main_delegate.cc), which the fuse for `file:` pages makes harmless.
 */
const refused = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'inspect-publish-uid',
  'auto-open-devtools-for-tabs',
  'custom-devtools-frontend',
  'js-flags',
  'load-extension',
  'disable-web-security',
  'allow-running-insecure-content',
  'unsafely-treat-insecure-origin-as-secure',
  'disable-site-isolation-trials',
  'single-process',
  'no-zygote',
  'disable-gpu-sandbox',
  'disable-seccomp-filter-sandbox',
  'disable-namespace-sandbox',
  'disable-setuid-sandbox',
  'browser-subprocess-path',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'ssl-key-log-file',
  'host-rules',
  'host-resolver-rules',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  // Electron sets these itself once a scheme is registered, which is after this is asked (main.ts).
  'standard-schemes',
  'secure-schemes',
  'bypasscsp-schemes',
  'cors-schemes',
  'fetch-schemes',
  'service-worker-schemes',
  'streaming-schemes',
] as const;

/**
 * The first given switch with which a packaged program refuses to start; null: none. `--no-sandbox` is refused too, except in an AppImage,
 * whose launcher adds it on systems that allow no user namespaces.
 */
export function findRefusedSwitch(has: (name: string) => boolean, inAppImage: boolean): string | null {
  const names = inAppImage ? refused : [...refused, 'no-sandbox'];
  return names.find(has) ?? null;
}
