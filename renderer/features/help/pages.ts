import { isMac } from '../../lib/window/shortcuts.ts';
import administrator from './pages/administrator.md?raw';
import batch from './pages/batch.md?raw';
import commandLine from './pages/command-line.md?raw';
import data from './pages/data.md?raw';
import handing from './pages/handing.md?raw';
import keys from './pages/keys.md?raw';
import network from './pages/network.md?raw';
import states from './pages/states.md?raw';
import support from './pages/support.md?raw';
import tables from './pages/tables.md?raw';
import technician from './pages/technician.md?raw';
import words from './pages/words.md?raw';

export interface HelpPage {
  /** The name of its file, with which other pages link to it. */
  id: string;
  title: string;
  text: string;
}

/** The files name keys with Ctrl, for which a Mac has Command; Ctrl-C in a terminal is the same there. */
const page = (id: string, text: string): HelpPage => ({
  id,
  title: /^# (.+)$/m.exec(text)?.[1] ?? id,
  text: isMac ? text.replace(/\bCtrl (?=\S)/g, '⌘ ') : text,
});

/** The help, in the order of its list. Each page is a Markdown file that can be read in the repository too. */
export const helpPages: readonly [HelpPage, ...HelpPage[]] = [
  page('support', support),
  page('administrator', administrator),
  page('technician', technician),
  page('batch', batch),
  page('words', words),
  page('states', states),
  page('keys', keys),
  page('tables', tables),
  page('network', network),
  page('data', data),
  page('handing', handing),
  page('command-line', commandLine),
];
