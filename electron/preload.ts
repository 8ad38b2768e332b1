import { contextBridge, ipcRenderer } from 'electron';
import type { ChannelName, EventName } from '../shared/contract.ts';
import { wire } from './ipc/wire.ts';

/** Filled in by the build from the contract, so that the schemas themselves need not be loaded here. */
declare const __CHANNEL_NAMES__: readonly ChannelName[];
declare const __EVENT_NAMES__: readonly EventName[];

type Listener = (payload: unknown) => void;

// A plain object of named functions: no channel name is ever an argument, so the window can call what is listed and nothing else.
const invokers = Object.fromEntries(
  __CHANNEL_NAMES__.map((name) => [
    name,
    (requestId: string, input: unknown): Promise<unknown> => ipcRenderer.invoke(wire.invoke, name, requestId, input),
  ]),
);

const listeners = new Map<EventName, Set<Listener>>(__EVENT_NAMES__.map((name) => [name, new Set()]));
ipcRenderer.on(wire.event, (_event, name: EventName, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

const subscribers = Object.fromEntries(
  __EVENT_NAMES__.map((name) => [
    name,
    (listener: Listener): (() => void) => {
      // A new function for each subscription: one passed twice is called twice, and unsubscribing removes only one.
      const own: Listener = (payload) => listener(payload);
      listeners.get(name)?.add(own);
      return () => {
        listeners.get(name)?.delete(own);
      };
    },
  ]),
);

contextBridge.exposeInMainWorld('api', {
  call: invokers,
  on: subscribers,
  cancel: (requestId: string): Promise<void> => ipcRenderer.invoke(wire.cancel, requestId),
});
