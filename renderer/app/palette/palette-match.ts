import { searchWords } from '../../../shared/domain/text/search-words.ts';
import { type Command, type CommandGroup, type CommandSource, commandGroups } from '../../lib/window/commands.ts';

/** Lower is better; null: does not match. Every word typed must be found, the earlier and nearer a word's start the better. */
function rankCommand(command: Command, query: string): number | null {
  if (command.always) return 0;
  const label = command.label.toLowerCase();
  const hidden = (command.words ?? '').toLowerCase();
  let rank = 0;
  for (const word of searchWords(query)) {
    const at = label.indexOf(word);
    if (at >= 0) rank += at === 0 ? 0 : /\W/.test(label[at - 1] ?? '') ? 1 : 4;
    else if (hidden.includes(word)) rank += 5;
    else return null;
  }
  return rank;
}

interface FoundGroup {
  group: CommandGroup;
  commands: Command[];
}

const mostInGroup = 8;

/** What the palette shows for the typed text: the best first in each group, and the group with the best hit first. */
export function findCommands(sources: Iterable<CommandSource>, query: string): FoundGroup[] {
  const found = [...sources]
    .flatMap((source) => source(query))
    .map((command) => ({ command, rank: rankCommand(command, query) }))
    .filter((hit): hit is { command: Command; rank: number } => hit.rank !== null)
    .sort((a, b) => a.rank - b.rank);
  // With nothing typed all are equal; what asks the service stays last, so that Enter never spends by surprise.
  const bestOf = (group: CommandGroup, hits: typeof found) =>
    group === 'Ask the service' ? Number.POSITIVE_INFINITY : (hits[0]?.rank ?? 0);
  return commandGroups
    .map((group) => ({ group, hits: found.filter(({ command }) => command.group === group) }))
    .filter(({ hits }) => hits.length > 0)
    .sort((a, b) => bestOf(a.group, a.hits) - bestOf(b.group, b.hits))
    .map(({ group, hits }) => ({ group, commands: hits.slice(0, mostInGroup).map(({ command }) => command) }));
}

/** The line that the arrow keys were moved to, with its place then. */
export interface MarkedLine {
  id: string;
  place: number;
}

/** Where the line stands that Enter runs: the marked one, wherever others have put it since, or the one in its place once it is gone. */
export function activePlace(lines: readonly Pick<Command, 'id'>[], marked: MarkedLine | null): number {
  // Until an arrow key is pressed it is the best one, though it be found late.
  if (marked === null) return 0;
  // Two licences may have one number: the keys go past both.
  if (lines[marked.place]?.id === marked.id) return marked.place;
  const now = lines.findIndex(({ id }) => id === marked.id);
  return now >= 0 ? now : Math.max(0, Math.min(marked.place, lines.length - 1));
}
