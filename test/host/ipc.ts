import type { WebContents } from './web-contents.ts';

export interface InvokeEvent {
  sender: WebContents;
  senderFrame: { url: string } | null;
}
type InvokeHandler = (event: InvokeEvent, ...args: unknown[]) => unknown;

export const handlers = new Map<string, InvokeHandler>();

export const ipcMain = {
  handle(channel: string, handler: InvokeHandler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    if (typeof handler !== 'function')
      throw new Error(`Expected handler to be a function, but found type '${typeof handler}'`);
    handlers.set(channel, handler);
  },
  removeHandler(channel: string): void {
    handlers.delete(channel);
  },
};
