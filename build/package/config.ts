import type { Configuration } from 'electron-builder';
import { bundleId } from '../../electron/platform/policy-file.ts';
import { newWindowArgument, openArgument } from '../../electron/shell/arrivals.ts';
import { linkScheme } from '../../electron/shell/link.ts';
import { afterPack } from './after-pack.ts';
import { readSigning } from './signing.ts';

const bothArchitectures = ['x64', 'arm64'] as const;

const fromIcon = ['lookup', 'credits', 'licences'] as const;
/** An entry of the icon's menu on Linux. The folder is the one in which electron-builder's deb installs the program. */
const iconAction = (screen: (typeof fromIcon)[number]) => [
  screen,
  {
    Name: `${screen.slice(0, 1).toUpperCase()}${screen.slice(1)}`,
    Exec: `"/opt/Address Console/address-console" ${openArgument(screen)}`,
  },
];

const newWindow = { Name: 'New window', Exec: `"/opt/Address Console/address-console" ${newWindowArgument}` };

/** The command line's starter, beside the archive. It starts the program itself, because the fuses forbid running it as plain Node. */
const starter = (file: string) => ({ from: `build/resources/command-line/${file}`, to: `command-line/${file}` });

/** The program's home page, from the variables that a public CI service sets. */
function homepageFrom(env: Readonly<Record<string, string | undefined>>): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  return server && repository ? `${server}/${repository}` : 'https://address-console.invalid';
}

/** electron-builder's configuration. `env` determines the signing (build/package/signing.ts). */
export function packageConfig(env: Readonly<Record<string, string | undefined>>): Configuration {
  const signing = readSigning(env);
  const { AZURE_SIGN_ENDPOINT, AZURE_SIGN_ACCOUNT, AZURE_SIGN_PROFILE, AZURE_SIGN_PUBLISHER } = env;
  return {
    appId: bundleId,
    productName: 'Address Console',
    copyright: 'Copyright © 2026 The Address Console authors',
    directories: { output: 'out', buildResources: 'build/resources' },
    // Only the files that run; build/package/packaged-files.ts checks the result.
    files: [
      'package.json',
      'dist/main/**/*.js',
      'dist/preload/preload.cjs',
      'dist/licences.json',
      'dist/renderer/**/*.{html,js,css,woff2,svg,png}',
      '!**/*.{map,ts,tsx,mts,cts,md}',
      '!**/keytar.*',
      // The keychain's part for the package's own architecture alone. macOS's has both: the halves of a universal program must be alike.
      // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills this in
      '!**/@napi-rs/keyring-{win32,linux}-!(${arch}|${arch}-*){,/**/*}',
    ],
    // Can be read without starting the program. Electron-builder puts the licences of Electron and Chromium beside it.
    extraResources: [{ from: 'dist/THIRD-PARTY-LICENCES.txt', to: 'THIRD-PARTY-LICENCES.txt' }],
    // A link opens a screen with its form filled in and sends nothing (electron/shell/link.ts).
    protocols: [{ name: 'Address Console', schemes: [linkScheme] }],
    asar: true,
    asarUnpack: ['**/*.node'],
    // The only native part is prebuilt against N-API, which works in both Electron and Node.
    npmRebuild: false,
    electronLanguages: ['en-GB', 'en-US', 'en', 'en_GB'],
    afterPack,
    forceCodeSigning: signing.required,
    // Makes electron-builder write the lists of versions (latest.yml and others) beside the packages, and app-update.yml into them, which has
    // the publisher with which a newer version's signature is compared. Nothing is uploaded and the address does not exist: the program uses
    // only an address that a policy or a user names (electron/core/updates).
    publish: { provider: 'generic', url: 'https://address-console.invalid/releases' },
    // One list for all versions, so that a feed cannot move an installation to another channel.
    detectUpdateChannel: false,
    extraMetadata: {
      homepage: homepageFrom(env),
      author: { name: 'The Address Console authors', email: 'authors@address-console.invalid' },
    },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills these in
    artifactName: 'address-console-${version}-${os}-${arch}.${ext}',
    win: {
      icon: 'build/resources/icon.ico',
      extraResources: [starter('address-console-cli.cmd')],
      target: [
        { target: 'nsis', arch: [...bothArchitectures] },
        { target: 'msi', arch: [...bothArchitectures] },
      ],
      requestedExecutionLevel: 'asInvoker',
      // Rules that admit only signed parts look at libraries too.
      signExts: ['.dll', '.node'],
      // Without it electron-builder signs with SHA-1 first, and an MSI with nothing else.
      ...(signing.windows === 'certificate' ? { signtoolOptions: { signingHashAlgorithms: ['sha256'] } } : {}),
      ...(signing.windows === 'azure'
        ? {
            azureSignOptions: {
              endpoint: AZURE_SIGN_ENDPOINT ?? '',
              codeSigningAccountName: AZURE_SIGN_ACCOUNT ?? '',
              certificateProfileName: AZURE_SIGN_PROFILE ?? '',
              publisherName: AZURE_SIGN_PUBLISHER ?? '',
            },
          }
        : {}),
    },
    // Asks whether to install for this user or for all. Silent: /S /currentuser or /S /allusers.
    nsis: {
      oneClick: false,
      perMachine: false,
      allowElevation: true,
      allowToChangeInstallationDirectory: true,
      selectPerMachineByDefault: false,
      // One installer for both architectures: one for ARM64 alone would install into the folder of 32-bit programs, and nothing on x64.
      buildUniversalInstaller: true,
      // Nothing that needs it: the program never updates an installation for all users (build/resources/installer.nsh).
      packElevateHelper: false,
      deleteAppDataOnUninstall: false,
      include: 'build/resources/installer.nsh',
      createDesktopShortcut: false,
      differentialPackage: false,
      license: 'LICENSE',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills these in
      artifactName: 'address-console-${version}-setup.${ext}',
    },
    // For deployment: installs for all users and asks nothing. The upgrade code must never change, or an update would install a second copy.
    msi: {
      oneClick: true,
      perMachine: true,
      runAfterFinish: false,
      createDesktopShortcut: false,
      upgradeCode: '{6D0B3F7E-52C4-4C3B-9C0E-0B7A1F5D2E91}',
    },
    mac: {
      icon: 'build/resources/icon.icns',
      category: 'public.app-category.business',
      extraResources: [starter('address-console-cli')],
      // Lets a table be dropped on the icon. “Alternate” leaves the program that opens tables by default unchanged.
      fileAssociations: [{ ext: 'csv', name: 'CSV table', role: 'Viewer', rank: 'Alternate' }],
      target: [
        { target: 'dmg', arch: ['universal'] },
        { target: 'zip', arch: ['universal'] },
      ],
      // Both halves have the keychain parts of both architectures. Without this the merge takes them for a mistake.
      x64ArchFiles: '**/keyring-darwin-*/*.node',
      hardenedRuntime: signing.macos === 'certificate',
      entitlements: 'build/resources/entitlements.mac.plist',
      entitlementsInherit: 'build/resources/entitlements.mac.plist',
      notarize: signing.notarise,
      // Since macOS 15 only a program that says why is asked about, and nothing in the Mac's own network is reached before.
      extendInfo: {
        NSLocalNetworkUsageDescription:
          'To reach the service, the proxy and the update address that are set, if they are in your own network.',
      },
      // macOS on ARM starts no program without a signature; “-” is an ad hoc signature without an identity.
      ...(signing.macos === 'none' ? { identity: '-' } : {}),
    },
    dmg: { writeUpdateInfo: false, sign: false },
    linux: {
      icon: 'build/resources/icons',
      extraResources: [starter('address-console-cli')],
      executableName: 'address-console',
      category: 'Office',
      synopsis: 'Console for a UK address and postcode lookup service',
      maintainer: 'The Address Console authors <authors@address-console.invalid>',
      target: [
        { target: 'AppImage', arch: [...bothArchitectures] },
        { target: 'deb', arch: [...bothArchitectures] },
      ],
    },
    // Without this, electron-builder makes it start with --no-sandbox.
    appImage: { executableArgs: [] },
    // With a runtime of its own: the usual one needs libfuse 2, which newer systems do not have.
    toolsets: { appimage: '1.0.3' },
    deb: {
      packageName: 'address-console',
      priority: 'optional',
      packageCategory: 'utils',
      // In place of electron-builder's list, which lacks the last two.
      depends: [
        ...['libgtk-3-0', 'libnotify4', 'libnss3', 'libxss1', 'libxtst6', 'xdg-utils', 'libatspi2.0-0', 'libuuid1'],
        ...['libsecret-1-0', 'libgbm1', 'libasound2t64 | libasound2'],
      ],
      // The program needs a Secret Service for its keychain; each of these is one.
      recommends: ['gnome-keyring | kwalletmanager | keepassxc'],
      // Puts the command on every shell's path, as a file of the package, so that it is removed with it.
      fpm: ['build/resources/command-line/usr-bin-address-console-cli=/usr/bin/address-console-cli'],
      desktop: {
        entry: { Actions: `${['new-window', ...fromIcon].join(';')};` },
        desktopActions: { 'new-window': newWindow, ...Object.fromEntries(fromIcon.map(iconAction)) },
      },
    },
  };
}
