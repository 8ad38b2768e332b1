/** The switch that starts the program as a command line, without a window. */
const asked = '--command-line';

/**
 * The words of the command line if the program was started as one: `PROGRAM --command-line … -- WORDS`; null otherwise. The switch
 * counts as the first argument alone, so that a link which carries it means nothing, and the words follow `--`, so that the browser
 * engine takes none of them for its own and Windows' check of links lets them pass. The launcher of an AppImage puts `--no-sandbox` before
 * it on systems that allow no user namespaces.
 */
export function findCommandLine(argv: readonly string[], isPackaged: boolean, inAppImage: boolean): string[] | null {
  // Unpackaged, the folder or file of the program comes first.
  const given = argv.slice(isPackaged ? 1 : 2);
  const own = inAppImage && given[0] === '--no-sandbox' ? given.slice(1) : given;
  const end = own.indexOf('--');
  return own[0] === asked && end !== -1 ? own.slice(end + 1) : null;
}
