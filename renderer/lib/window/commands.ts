import { type ComponentType, useEffect, useSyncExternalStore } from 'react';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { createListeners } from '../listeners.ts';
import type { ShortcutId } from './shortcuts.ts';

/** The groups of the palette, in their order. */
export const commandGroups = ['Commands', 'Screens', 'Saved', 'Saved addresses', 'Ask the service'] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** One line of the palette. */
export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  icon?: ComponentType<{ size?: number; className?: string }>;
  /** Further words it is found by, not shown. */
  words?: string;
  /** On its right: a shortcut, a price if it asks the service, or a word ("licence"). */
  shortcut?: ShortcutId;
  price?: ShownPrice;
  note?: string;
  /** Shown whatever is typed: its label already contains the text (`Search for “mov”`). */
  always?: boolean;
  run: () => void;
}

/** Commands for what is typed so far. Called on every key press, so it must make no call that may cost. */
export type CommandSource = (query: string) => readonly Command[];

let sources: ReadonlyMap<string, CommandSource> = new Map();
const { subscribe, notify } = createListeners();
const change = (next: ReadonlyMap<string, CommandSource>) => {
  sources = next;
  notify();
};

/** Adds a feature's commands under its name; returns a function that removes them. */
function registerCommands(feature: string, source: CommandSource): () => void {
  change(new Map(sources).set(feature, source));
  return () => {
    if (sources.get(feature) !== source) return;
    const rest = new Map(sources);
    rest.delete(feature);
    change(rest);
  };
}

/** Adds commands for as long as the component is mounted. Keep `source` stable (useCallback). */
export function useCommands(feature: string, source: CommandSource): void {
  useEffect(() => registerCommands(feature, source), [feature, source]);
}

export function useCommandSources(): ReadonlyMap<string, CommandSource> {
  return useSyncExternalStore(subscribe, () => sources);
}

/** Runs a command by its id, as the menu does. False: no feature offers it now. */
export function runCommand(id: string): boolean {
  for (const source of sources.values()) {
    const command = source('').find((entry) => entry.id === id);
    if (!command) continue;
    command.run();
    return true;
  }
  return false;
}
