import type { Configuration } from 'electron-builder';
import { bundleId } from '../../electron/platform/policy-file.ts';
import { newWindowArgument, openArgument } from '../../electron/shell/arrivals.ts';
import { linkScheme } from '../../electron/shell/link.ts';
import { afterPack } from './after-pack.ts';
import { readSigning } from './signing.ts';

const bothArchitectures = ['x64', 'arm64'] as const;

const fromIcon = ['lookup', 'credits', 'licences'] as const;
/** An entry of the icon's menu on Linux; the deb's folder is electron-builder's. */
const iconAction = (screen: (typeof fromIcon)[number]) => [
  screen,
  {
    Name: `${screen.slice(0, 1).toUpperCase()}${screen.slice(1)}`,
    Exec: `"/opt/Address Console/address-console" ${openArgument(screen)}`,
  },
];

const newWindow = { Name: 'New window', Exec: `"/opt/Address Console/address-console" ${newWindowArgument}` };

/** The starter of the command line, beside the archive: the fuses let nothing else run the program as a plain Node. */
const starter = (file: string) => ({ from: `build/resources/command-line/${file}`, to: `command-line/${file}` });

/** Where the program is at home; a public CI service says so itself. */
function homepageFrom(env: Readonly<Record<string, string | undefined>>): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  return server && repository ? `${server}/${repository}` : 'https://address-console.invalid';
}

/** electron-builder's configuration. `env` decides about signing (build/package/signing.ts). */
export function packageConfig(env: Readonly<Record<string, string | undefined>>): Configuration {
  const signing = readSigning(env);
  const { AZURE_SIGN_ENDPOINT, AZURE_SIGN_ACCOUNT, AZURE_SIGN_PROFILE, AZURE_SIGN_PUBLISHER } = env;
  return {
    appId: bundleId,
    productName: 'Address Console',
    copyright: 'Copyright © 2026 The Address Console authors',
    directories: { output: 'out', buildResources: 'build/resources' },
    // Only what runs; build/package/packaged-files.ts checks the outcome.
    files: [
      'package.json',
      'dist/main/**/*.js',
      'dist/preload/preload.cjs',
      'dist/licences.json',
      'dist/renderer/**/*.{html,js,css,woff2,svg,png}',
      '!**/*.{map,ts,tsx,mts,cts,md}',
      '!**/keytar.*',
    ],
    // To be read without the program; its own licence and those of Electron and Chromium stand there as well.
    extraResources: [{ from: 'dist/THIRD-PARTY-LICENCES.txt', to: 'THIRD-PARTY-LICENCES.txt' }],
    // Links open a screen with its form filled, and send nothing (electron/shell/link.ts).
    protocols: [{ name: 'Address Console', schemes: [linkScheme] }],
    asar: true,
    asarUnpack: ['**/*.node'],
    // The one native part is prebuilt against N-API, which Electron and Node share.
    npmRebuild: false,
    electronLanguages: ['en-GB', 'en-US', 'en', 'en_GB'],
    afterPack,
    forceCodeSigning: signing.required,
    // Writes the lists of versions (latest.yml and its like) beside the packages, and app-update.yml with the publisher to hold a newer
    // version against into them. Nothing is uploaded, and the address leads nowhere: the program asks only one that a policy or a user
    // names (electron/core/updates).
    publish: { provider: 'generic', url: 'https://address-console.invalid/releases' },
    // One list for every version: a feed moves nobody to another channel.
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
    // Asks whether it is for this user or for all; silent: /S /currentuser or /S /allusers.
    nsis: {
      oneClick: false,
      perMachine: false,
      allowElevation: true,
      allowToChangeInstallationDirectory: true,
      selectPerMachineByDefault: false,
      // One installer an architecture, each with its own name.
      buildUniversalInstaller: false,
      deleteAppDataOnUninstall: false,
      include: 'build/resources/installer.nsh',
      createDesktopShortcut: false,
      differentialPackage: false,
      license: 'LICENSE',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills these in
      artifactName: 'address-console-${version}-setup-${arch}.${ext}',
    },
    // For deployment: all users, no questions. The upgrade code must never change.
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
      // A table dropped on the icon goes to the bulk change; nothing is taken from the program that opens tables.
      fileAssociations: [{ ext: 'csv', name: 'CSV table', role: 'Viewer', rank: 'Alternate' }],
      target: [
        { target: 'dmg', arch: ['universal'] },
        { target: 'zip', arch: ['universal'] },
      ],
      // Both architectures' keychain parts are in both halves, so the merge must be told that they are no mistake.
      x64ArchFiles: '**/keyring-darwin-*/*.node',
      hardenedRuntime: signing.macos === 'certificate',
      entitlements: 'build/resources/entitlements.mac.plist',
      entitlementsInherit: 'build/resources/entitlements.mac.plist',
      notarize: signing.notarise,
      // macOS on ARM starts no program without a signature; “-” signs for nobody (ad hoc).
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
    // electron-builder would start it with --no-sandbox.
    appImage: { executableArgs: [] },
    deb: {
      packageName: 'address-console',
      priority: 'optional',
      packageCategory: 'utils',
      // The keychain is a Secret Service; any of these is one.
      recommends: ['gnome-keyring | kwalletmanager | keepassxc'],
      // On the path of every shell; a file of the package, so that it goes with it.
      fpm: ['build/resources/command-line/usr-bin-address-console-cli=/usr/bin/address-console-cli'],
      desktop: {
        entry: { Actions: `${['new-window', ...fromIcon].join(';')};` },
        desktopActions: { 'new-window': newWindow, ...Object.fromEntries(fromIcon.map(iconAction)) },
      },
    },
  };
}
