import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { placesIn } from './after-pack.ts';
import { packageConfig } from './config.ts';
import { checkFuses } from './fuses.ts';
import { ensureNativeParts } from './native-parts.ts';
import { checkPackagedFiles } from './packaged-files.ts';
import { missingToSign, readSigning } from './signing.ts';

// npm run package: makes the packages for the system on which it runs and checks them. Arguments are passed to electron-builder
// (--dir, --x64, --arm64, --universal). build/run.mjs has fetched Electron's runtime before.

const root = resolve(import.meta.dirname, '..', '..');
const out = join(root, 'out');
const args = process.argv.slice(2);
const say = (text: string) => process.stderr.write(`${text}\n`);

function giveUp(text: string): never {
  say(text);
  process.exit(1);
}

const systems: Readonly<Record<string, string>> = { win32: '--win', darwin: '--mac', linux: '--linux' };
const own = systems[process.platform];
if (own === undefined) giveUp(`There are packages for Windows, macOS and Linux only, not for ${process.platform}.`);
const other = args.find((one) => Object.values(systems).includes(one) && one !== own);
if (other !== undefined)
  giveUp(`Nothing was packaged: ${other} was asked for, and packages are made on the system they are for.`);

const signing = readSigning(process.env);
const missing = missingToSign(process.platform, signing).join(' and ');
if (missing !== '' && signing.required)
  giveUp(`Nothing was packaged: a signature is required (ADDRESS_CONSOLE_MUST_SIGN), and ${missing} is missing.`);
if (missing !== '')
  say(`These packages will not be ready to hand out: ${missing} is missing. Going on without; see build/README.md.`);

/** The architectures for which electron-builder will make packages. --dir alone means this computer's. */
function architectures(): string[] {
  const named = ['x64', 'arm64', 'universal'].filter((arch) => args.includes(`--${arch}`));
  if (named.length > 0) return named;
  if (args.includes('--dir')) return [process.arch];
  return process.platform === 'darwin' ? ['universal'] : ['x64', 'arm64'];
}

for (const arch of architectures()) {
  try {
    for (const part of ensureNativeParts(root, process.platform, arch)) say(`Fetched the keychain’s part ${part}.`);
  } catch (error) {
    giveUp(`Nothing was packaged: ${(error as Error).message}`);
  }
}

// A secret that a workflow does not have is an empty variable, which electron-builder takes for the path of a certificate.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name, value]) => value !== '' || !/^(?:(?:WIN_)?CSC|APPLE|AZURE)_/.test(name)),
);
rmSync(out, { recursive: true, force: true });
const builder = join(root, 'node_modules', 'electron-builder', 'cli.js');
const status = await new Promise<number>((done) => {
  const child = spawn(
    process.execPath,
    [builder, '--config', join('build', 'electron-builder.mjs'), '--publish', 'never', own, ...args],
    { cwd: root, env, stdio: 'inherit' },
  );
  child.on('error', () => done(127));
  child.on('exit', (code) => done(code ?? 1));
});
if (status !== 0)
  giveUp(
    'The packaging stopped: see electron-builder’s message above. It downloads Electron and its tools from their public release pages; a mirror is named with ELECTRON_MIRROR and ELECTRON_BUILDER_BINARIES_MIRROR.',
  );

// Checks again after signing, on the files that are distributed.
const { productName, linux } = packageConfig(process.env);
const packed = readdirSync(out, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /(?:unpacked|^mac)/.test(entry.name))
  .map((entry) => entry.name);
for (const name of packed) {
  const arch = /universal|arm64/.exec(name)?.[0] ?? 'x64';
  const { program, resources } = placesIn(
    join(out, name),
    process.platform,
    productName ?? '',
    linux?.executableName ?? '',
  );
  if (!existsSync(program)) giveUp(`The package ${name} holds no program.`);
  const wrong = [...(await checkFuses(program)), ...checkPackagedFiles(resources, process.platform, arch)];
  if (wrong.length > 0) giveUp(`The package ${name} is not as it should be: ${wrong.join('; ')}.`);
  say(`Checked ${join('out', name)}: fuses as wanted, nothing in it but the program.`);
}
if (packed.length === 0) giveUp('The packaging left no program to look at.');
