import nodePath from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Arrival } from '../../shared/contract/app.ts';
import { mostTableText } from '../../shared/domain/text/text-file.ts';
import { placeIds } from '../../shared/places.ts';
import { readTextFile } from '../platform/read-file.ts';
import { linkScheme, readLink } from './link.ts';

// What comes to the program from outside its window: a link, a table dropped on its icon, an entry of the jump list. On Windows and
// Linux it is among the arguments, on macOS it comes as an event.

/** The argument of an entry of the jump list: `--open=credits`. */
export const openArgument = (screen: string): string => `--open=${screen}`;
/** The argument of a start that wants one more window of the program that runs. */
export const newWindowArgument = '--new-window';

const isTable = (path: string): boolean => /\.(?:csv|tsv|txt)$/i.test(path);

/** The path that an argument names. The entry on Linux takes links as well (%U), and some desktops then give a file as a URL. */
function pathOf(arg: string, windows: boolean): string {
  try {
    return /^file:/i.test(arg) ? fileURLToPath(arg, { windows }) : arg;
  } catch {
    return arg;
  }
}

/** What the arguments of a start ask for; a path is taken from the folder it was typed in. Pure: no file is looked at. */
export function readArguments(
  args: readonly string[],
  folder: string,
  path: Pick<typeof nodePath, 'resolve' | 'sep'> = nodePath,
): (Arrival | { kind: 'file'; path: string })[] {
  return args.flatMap((arg): (Arrival | { kind: 'file'; path: string })[] => {
    if (arg.toLowerCase().startsWith(`${linkScheme}:`)) {
      const link = readLink(arg);
      return link ? [link] : [];
    }
    const screen = placeIds.find((place) => openArgument(place) === arg);
    if (screen) return [{ kind: 'screen', screen, text: null }];
    const named = pathOf(arg, path.sep === '\\');
    if (named.startsWith('-') || !isTable(named)) return [];
    return [{ kind: 'file', path: path.resolve(folder, named) }];
  });
}

/** An argument that Electron takes for a link: a scheme, longer than a drive's letter. */
const isLink = (arg: string): boolean => /^[a-z][^:\s]+:/i.test(arg);

/**
 * The arguments of the start that follows the program's end, from those of all starts that came while it was ending. On Windows Electron
 * starts nothing if an argument follows a link (CheckCommandLineArguments in shell/app/command_line_args.cc), so only the last link is
 * kept, at the end.
 */
export function argumentsToRestart(given: readonly string[]): string[] {
  const link = given.findLast(isLink);
  return [...given.filter((arg) => !isLink(arg)), ...(link === undefined ? [] : [link])];
}

/** Reads a table that somebody dropped or opened. One that cannot be read arrives as a sentence that says why. */
async function readArrivedFile(path: string): Promise<Arrival> {
  const file = await readTextFile(path);
  if (!file.ok) return { kind: 'refused', message: file.error.message };
  if (file.value.text.length > mostTableText)
    return { kind: 'refused', message: `${file.value.name} is larger than a table may be (2 MB).` };
  return { kind: 'table', ...file.value };
}

/** Keeps what has arrived until a window takes it, since at a start there is no window yet. `notify` runs when something new is there. */
export function createArrivals(notify: () => void) {
  let waiting: Arrival[] = [];
  const add = (arrival: Arrival): void => {
    // Of more than a person can click, the oldest are dropped.
    waiting = [...waiting, arrival].slice(-20);
    notify();
  };
  return {
    add,
    async addFile(path: string): Promise<void> {
      add(await readArrivedFile(path));
    },
    addArguments(args: readonly string[], folder: string): void {
      for (const one of readArguments(args, folder)) {
        if (one.kind === 'file') void readArrivedFile(one.path).then(add);
        else add(one);
      }
    },
    /** What is waiting; it is returned once. */
    take(): Arrival[] {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
