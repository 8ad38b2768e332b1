import { join } from 'node:path';
import { type AfterPackContext, Arch } from 'electron-builder';
import { checkFuses, setFuses } from './fuses.ts';
import { checkPackagedFiles } from './packaged-files.ts';

/** Paths of the program's executable and of its resources in a packed folder. */
export function placesIn(folder: string, platform: string, product: string, executable: string) {
  if (platform === 'darwin') {
    const program = join(folder, `${product}.app`);
    return { program, resources: join(program, 'Contents', 'Resources') };
  }
  return {
    program: join(folder, platform === 'win32' ? `${product}.exe` : executable),
    resources: join(folder, 'resources'),
  };
}

/** Runs before signing: sets the fuses, reads them back and checks every file. Throws if something is wrong, which stops electron-builder. */
export async function afterPack({ appOutDir, electronPlatformName, arch, packager }: AfterPackContext): Promise<void> {
  // Skips the two halves of a universal program: they are joined first, and the result is checked.
  if (/-(?:x64|arm64)-temp$/.test(appOutDir)) return;
  const { productFilename } = packager.appInfo;
  const executable = 'executableName' in packager ? String(packager.executableName) : productFilename;
  const { program, resources } = placesIn(appOutDir, electronPlatformName, productFilename, executable);
  await setFuses(program);
  const wrong = [
    ...(await checkFuses(program)),
    ...checkPackagedFiles(resources, electronPlatformName, Arch[arch] ?? ''),
  ];
  if (wrong.length > 0) throw new Error(`The package is not as it should be: ${wrong.join('; ')}.`);
}
