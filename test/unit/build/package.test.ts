import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createPackageWithOptions } from '@electron/asar';
import { LinuxTargetHelper } from 'app-builder-lib/out/targets/LinuxTargetHelper.js';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { packageConfig } from '../../../build/package/config.ts';
import { checkFuses, fuseNames, fuses, readFuses, setFuses } from '../../../build/package/fuses.ts';
import { unpackChecked } from '../../../build/package/native-parts.ts';
import { checkPackagedFiles, licencesFile, starterFile } from '../../../build/package/packaged-files.ts';
import { missingToSign, readSigning } from '../../../build/package/signing.ts';
import { linkScheme } from '../../../electron/shell/link.ts';
import { fuseSentinel as sentinel, shippedElectron } from '../../helpers/electron-fuses.ts';
import { removeFolder } from '../../helpers/folders.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-package-'));
});
afterEach(() => removeFolder(folder));

const apple = { CSC_LINK: 'file', APPLE_API_KEY: 'k', APPLE_API_KEY_ID: 'i', APPLE_API_ISSUER: 's' };
const azure = {
  AZURE_SIGN_ENDPOINT: 'https://sign.example',
  AZURE_SIGN_ACCOUNT: 'a',
  AZURE_SIGN_PROFILE: 'p',
  AZURE_SIGN_PUBLISHER: 'n',
};

it('who has no Electron is told whether it was not wanted or not fetched, and how to fetch it', async () => {
  const { whyNoElectron } = (await import(join(root, 'build', 'setup.mjs'))) as { whyNoElectron(): string };
  vi.stubEnv('ADDRESS_CONSOLE_WITHOUT_ELECTRON', '1');
  expect(whyNoElectron()).toMatch(/WITHOUT_ELECTRON is 1/);
  vi.stubEnv('ADDRESS_CONSOLE_WITHOUT_ELECTRON', '');
  const [, script = ''] = /failed, or took more than 5 minutes .*: node (\S+)\)$/.exec(whyNoElectron()) ?? [];
  vi.unstubAllEnvs();
  expect(existsSync(join(root, script))).toBe(true);
});

describe('electron-builder’s configuration', () => {
  it.each([
    ['nothing', {}],
    ['a certificate', { CSC_LINK: 'file' }],
    ['notarisation', apple],
    ['signing by Azure', azure],
    ['a duty to sign', { ADDRESS_CONSOLE_MUST_SIGN: '1' }],
  ])('fits electron-builder’s own schema with %s', async (_name, env) => {
    await validateConfiguration(packageConfig(env), new DebugLogger(false));
  });

  it('would be rejected with an option that electron-builder does not know', async () => {
    const config = { ...packageConfig({}), nsis: { perMachin: true } };
    await expect(validateConfiguration(config as never, new DebugLogger(false))).rejects.toThrow(/configuration\.nsis/);
  });

  it('makes every promised package, hardened, in one archive, with its native part outside', () => {
    const config = packageConfig(apple);
    const targets = (one: { target?: unknown } | null | undefined) =>
      ((one?.target ?? []) as { target: string; arch: string[] }[]).map(
        ({ target, arch }) => `${target} ${arch.join(' ')}`,
      );
    expect(targets(config.win)).toEqual(['nsis x64 arm64', 'msi x64 arm64']);
    expect(targets(config.mac)).toEqual(['dmg universal', 'zip universal']);
    expect(targets(config.linux)).toEqual(['AppImage x64 arm64', 'deb x64 arm64']);
    expect(config.nsis).toMatchObject({ oneClick: false, perMachine: false, allowElevation: true });
    expect(config.msi).toMatchObject({ perMachine: true });
    expect(config).toMatchObject({ asar: true, asarUnpack: ['**/*.node'], detectUpdateChannel: false });
    expect(config.publish).toEqual({ provider: 'generic', url: expect.stringMatching(/^https:\/\/[\w-]+\.invalid\//) });
    expect(config.disableAsarIntegrity).toBeUndefined();
    expect(config.mac).toMatchObject({ hardenedRuntime: true, notarize: true });
    expect(config.mac?.identity).toBeUndefined();
    // macOS reaches nothing in its own network for a program that does not say why.
    expect(config.mac?.extendInfo).toEqual({
      NSLocalNetworkUsageDescription: expect.stringMatching(/service.*proxy.*update address.*own network/),
    });
    expect(config.appImage?.executableArgs).toEqual([]);
  });

  it('does not sign without a certificate, and fails if signing is required', () => {
    expect(packageConfig({}).mac).toMatchObject({ identity: '-', hardenedRuntime: false, notarize: false });
    expect(packageConfig({ ADDRESS_CONSOLE_MUST_SIGN: '1' }).forceCodeSigning).toBe(true);
    expect(packageConfig(azure).win?.azureSignOptions).toMatchObject({ certificateProfileName: 'p' });
  });

  it('allows the JavaScript engine its one exception from the hardened runtime, and no other', () => {
    const text = readFileSync(join(root, String(packageConfig({}).mac?.entitlements)), 'utf8');
    expect([...text.matchAll(/<key>([^<]+)<\/key>\s*<true\/>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
    ]);
    expect(text.match(/<key>/g)).toHaveLength(1);
  });

  it('says what is missing to sign, by system', () => {
    expect(missingToSign('win32', readSigning({}))[0]).toContain('AZURE_SIGN_');
    expect(missingToSign('win32', readSigning(azure))).toEqual([]);
    expect(missingToSign('darwin', readSigning({}))[0]).toContain('CSC_LINK');
    expect(missingToSign('darwin', readSigning({ CSC_LINK: 'file' }))[0]).toContain('notarise');
    expect(missingToSign('darwin', readSigning(apple))).toEqual([]);
    expect(missingToSign('linux', readSigning({}))).toEqual([]);
  });
});

it('the Linux desktop knows the program’s windows by the name of its desktop file, which Electron gives them', async () => {
  const metadata = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  const { executableName } = packageConfig({}).linux ?? {};
  const helper = new LinuxTargetHelper({
    info: { metadata },
    appInfo: { productName: metadata.productName, sanitizedProductName: metadata.productName, description: '' },
    config: packageConfig({}),
    platformSpecificBuildOptions: packageConfig({}).linux,
    executableName,
    fileAssociations: [],
  } as never);
  // electron_api_app.cc (SetDesktopName) and native_window_views.cc: WM_CLASS and the Wayland application id, without the ending.
  expect(metadata.desktopName).toBe(`${helper.getDesktopFileName()}.desktop`);
  const entry = await helper.computeDesktopEntry({ category: 'Office' });
  expect(/^StartupWMClass=(.*)$/m.exec(entry)?.[1]).toBe(helper.getDesktopFileName());
  expect(entry).toContain('\nMimeType=x-scheme-handler/address-console;\n');
});

it('the Windows uninstaller removes the registration of notices by main.ts, and nothing while a newer version is installed', () => {
  const main = readFileSync(join(root, 'electron', 'main.ts'), 'utf8');
  const clsid = /setToastActivatorCLSID\('(\{[0-9A-F-]{36}\})'\)/.exec(main)?.[1];
  const { nsis, appId } = packageConfig({});
  const script = readFileSync(join(root, nsis?.include ?? ''), 'utf8');
  expect(script).toContain(`CLSID\\${clsid}"`);
  expect(script).toContain(`AppUserModelId\\${appId}"`);
  // The help names what stays where no uninstaller of this user's ran.
  const help = readFileSync(join(root, 'renderer', 'features', 'help', 'pages', 'data.md'), 'utf8');
  for (const key of [linkScheme, `CLSID\\${clsid}`, `AppUserModelId\\${appId}`]) expect(help).toContain(`\`${key}\``);
  expect(script).toMatch(/^!macro customUnInstall\n\s+\$\{ifNot\} \$\{isUpdated\}$/m);
});

it('the Windows installer updates this user’s own installation alone, marks one for everyone, which nobody’s update replaces, and refuses the data folder', () => {
  const script = readFileSync(join(root, packageConfig({}).nsis?.include ?? ''), 'utf8');
  const macro = (name: string) => new RegExp(`^!macro ${name}\n(.*?)^!macroend`, 'ms').exec(script)?.[1] ?? '';
  expect(macro('customInit')).toMatch(
    /\$\{isUpdated\}\s+\$\{andIf\} \$hasPerUserInstallation == "1"\s+StrCpy \$hasPerMachineInstallation "0"/,
  );
  expect(macro('customInstall')).toMatch(
    /\$installMode == "all"\s+FileOpen \$0 "\$INSTDIR\\resources\\for-everyone" w\s+FileClose \$0/,
  );
  expect(macro('customInit')).toMatch(/refuseDataFolder "\$LOCALAPPDATA\\\$\{APP_FILENAME\}"/);
  expect(macro('customPageAfterChangeDir')).toContain('!insertmacro refuseDataFolder "$LOCALAPPDATA"');
  // What they set is what electron-builder's own script asks: asked after the one, and set before the other.
  const templates = join(root, 'node_modules', 'app-builder-lib', 'templates', 'nsis');
  const [installer, section] = ['installer.nsi', 'installSection.nsh'].map((name) =>
    readFileSync(join(templates, name), 'utf8'),
  );
  expect(installer).toMatch(
    /insertmacro initMultiUser\n.*insertmacro customInit\n.*\$\{if\} \$hasPerMachineInstallation == "1".*insertmacro setInstallModePerAllUsers\n.*"installSection\.nsh"/s,
  );
  expect(section).toMatch(
    /\$installMode == "all".*insertmacro installApplicationFiles\n.*insertmacro customInstall\n/s,
  );
});

describe('the icons', () => {
  const resources = join(root, 'build', 'resources');
  const sizeOf = (png: Buffer) => {
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  };

  it('show the program’s mark', () => {
    const logo = readFileSync(join(root, 'renderer', 'components', 'logo.tsx'), 'utf8');
    const part = (text: string, name: string) => new RegExp(`${name}="([^"]+)"`).exec(text)?.[1];
    for (const file of ['logo.svg', 'logo-macos.svg']) {
      const svg = readFileSync(join(root, 'build', 'icons', file), 'utf8');
      for (const name of [' d', ' cx', ' cy', ' r']) expect(part(svg, name)).toBe(part(logo, name));
    }
  });

  it('have every size that Linux uses', () => {
    for (const size of [16, 24, 32, 48, 64, 128, 256, 512])
      expect(sizeOf(readFileSync(join(resources, 'icons', `${size}x${size}.png`)))).toEqual([size, size]);
  });

  it('are complete files for Windows and macOS', () => {
    const ico = readFileSync(join(resources, 'icon.ico'));
    const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
      const at = 6 + 16 * index;
      const png = ico.subarray(ico.readUInt32LE(at + 12), ico.readUInt32LE(at + 12) + ico.readUInt32LE(at + 8));
      expect(sizeOf(png)[0]).toBe(ico[at] || 256);
      return ico[at] || 256;
    });
    expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256]);

    const icns = readFileSync(join(resources, 'icon.icns'));
    expect([icns.subarray(0, 4).toString(), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
    const types: string[] = [];
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
      types.push(icns.subarray(at, at + 4).toString());
      sizeOf(icns.subarray(at + 8));
    }
    expect(types.sort()).toEqual(['ic07', 'ic08', 'ic09', 'ic10', 'ic11', 'ic12', 'ic13', 'ic14']);
  });
});

describe('the fuses', () => {
  it('are set in every architecture of a program, and are read back without the tool that set them', async () => {
    const program = join(folder, 'electron');
    writeFileSync(program, shippedElectron(2));
    expect(await checkFuses(program)).not.toEqual([]);
    await setFuses(program);
    expect(await readFuses(program)).toEqual([fuses, fuses]);
    expect(await checkFuses(program)).toEqual([]);
  });

  it('are reported if one is wrong, also in the second architecture', async () => {
    const program = join(folder, 'electron');
    writeFileSync(program, shippedElectron(2));
    await setFuses(program);
    const bytes = readFileSync(program);
    for (const [number, name] of fuseNames.entries()) {
      const at = bytes.lastIndexOf(sentinel) + sentinel.length + 2 + number;
      const changed = Buffer.from(bytes);
      changed[at] = fuses[name] ? 0x30 : 0x31;
      writeFileSync(program, changed);
      expect(await checkFuses(program)).toEqual([`the fuse ${name} is not ${fuses[name] ? 'on' : 'off'}`]);
    }
    writeFileSync(program, 'no Electron');
    await expect(checkFuses(program)).rejects.toThrow(/no fuses/);
  });
});

describe('what is in a package', () => {
  const native = 'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node';
  const good = [
    'package.json',
    'dist/main/main.js',
    'dist/main/demo-worker.js',
    'dist/main/decode-worker.js',
    'dist/main/workbook-worker.js',
    'dist/main/table-worker.js',
    'dist/main/sizes-worker.js',
    'dist/main/chunks/answer-DeSA8Q75.js',
    'dist/preload/preload.cjs',
    'dist/licences.json',
    'dist/renderer/index.html',
    'dist/renderer/assets/index-CAAuAx-N.css',
    'node_modules/@napi-rs/keyring/index.js',
    'node_modules/@napi-rs/keyring/package.json',
    native,
  ];

  async function check(files: readonly string[], text = 'x', arch = 'x64'): Promise<string[]> {
    const source = join(folder, 'source');
    const resources = join(folder, 'resources');
    for (const file of files) {
      mkdirSync(dirname(join(source, file)), { recursive: true });
      writeFileSync(join(source, file), text);
    }
    await createPackageWithOptions(source, join(resources, 'app.asar'), { unpack: '**/*.node' });
    writeFileSync(join(resources, licencesFile), 'x');
    mkdirSync(join(resources, 'command-line'));
    writeFileSync(join(resources, starterFile('linux')), 'x');
    const wrong = checkPackagedFiles(resources, 'linux', arch);
    removeFolder(source);
    removeFolder(resources);
    return wrong;
  }

  it('is the program and its native part', async () => expect(await check(good)).toEqual([]));

  it.each([
    'dist/main/main.js.map',
    'dist/renderer/assets/index-CAAuAx-N.js.map',
    'dist/.stamp',
    'electron/main.ts',
    'node_modules/@napi-rs/keyring/index.d.ts',
    'node_modules/playwright/index.js',
    'test/host/run.ts',
    'test/unit/a.test.ts',
    '.env',
  ])('is not %s', async (file) => expect(await check([...good, file])).toEqual([`${file} is in it`]));

  it('lacks no part, and has none of another architecture or system', async () => {
    expect((await check(good.filter((file) => file !== 'dist/main/demo-worker.js'))).join()).toContain('demo-worker');
    expect(await check(good, 'x', 'arm64')).toEqual([
      'the keychain’s part keyring-linux-arm64-gnu is not in it',
      `${native} is for another computer`,
    ]);
    const foreign = 'node_modules/@napi-rs/keyring-win32-x64-msvc/keyring.win32-x64-msvc.node';
    expect(await check([...good, foreign])).toEqual([`${foreign} is for another computer`]);
  });

  it('has no pointer to a source map and no test tool', async () => {
    expect((await check(good, '//# sourceMappingURL=main.js.map')).join()).toContain('source map');
    expect((await check(good, 'import { test } from "vitest"')).join()).toContain('test tool');
  });
});

// cmd.exe has its own rules for blanks, quotes, %, ^ and &, and Node does not quote for it, so only constants from the sources may be passed
// to it. Every other program is started without a shell, for which Node quotes.
it('passes cmd.exe no path and no text from outside', () => {
  const sources = ['build', 'electron'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?ts$|\.mjs$/.test(name))
      .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')] as const),
  );
  const shells = /\bshell: (?:true|process)|\bexec(?:Sync)?\b[^}]*\} from 'node:child_process'/;
  const through = sources.filter(([, text]) => shells.test(text));
  expect(through.map(([name]) => name.replaceAll('\\', '/')).sort()).toEqual([
    // Their arguments are constants; folders are passed as working directories.
    'build/audit/run.ts',
    'build/package/native-parts.ts',
    'build/setup.mjs',
  ]);
  // Nothing builds a command line for CreateProcess itself either.
  expect(sources.filter(([, text]) => text.includes('windowsVerbatimArguments'))).toEqual([]);
  const [parts = ''] = through.flatMap(([name, text]) => (name.endsWith('native-parts.ts') ? [text] : []));
  expect(parts).toMatch(/spawnSync\('npm', \['pack', `@napi-rs\/\S+`\], \{/);
});

it('starts what belongs to Windows by its path, since cmd.exe looks into the current folder first', () => {
  const starter = readFileSync(join(root, 'build/resources/command-line/address-console-cli.cmd'), 'utf8');
  const lines = starter.split(/\r?\n/).filter((line) => !line.startsWith('rem '));
  const calls = lines.flatMap((line) => [...line.matchAll(/\S*\bchcp\b/g)].map(([call]) => call));
  expect(calls).toHaveLength(3);
  for (const call of calls) expect(call).toMatch(/%SystemRoot%\\System32\\chcp$/);
});

// A value that comes without quotes cannot be protected in the starter: cmd.exe has split its line before it reads the file.
it('the help says which values need quotes for the starter, and what is called in its place', () => {
  const starter = readFileSync(join(root, 'build/resources/command-line/address-console-cli.cmd'), 'utf8');
  const [, called] = /^"%~dp0\.\.\\\.\.\\(.+) %\*/m.exec(starter) ?? [];
  const help = readFileSync(join(root, 'renderer/features/help/pages/command-line.md'), 'utf8');
  expect(help).toContain(`"C:\\Program Files\\Address Console\\${called}\``);
  expect(help).toContain(`In PowerShell give it quotes of its own: \`--set '"query=M&S"'\`.`);
});

describe('a native part for the other architecture', () => {
  it('is used only if it matches the lock file', () => {
    mkdirSync(join(folder, 'package'));
    writeFileSync(join(folder, 'package', 'keyring.node'), 'native');
    const tarball = join(folder, 'part.tgz');
    writeFileSync(tarball, spawnSync('tar', ['-czf', '-', 'package'], { cwd: folder }).stdout);
    const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    const target = join(folder, 'modules', 'part');
    const other = `sha512-${createHash('sha512').update('another part').digest('base64')}`;
    expect(() => unpackChecked(tarball, other, target)).toThrow(/lock file/);
    expect(existsSync(target)).toBe(false);
    unpackChecked(tarball, integrity, target);
    expect(readFileSync(join(target, 'keyring.node'), 'utf8')).toBe('native');
  });
});
