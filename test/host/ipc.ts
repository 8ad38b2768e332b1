import type { WebContents } from './browser-window.ts';

export interface InvokeEvent {
  sender: WebContents;
  senderFrame: { url: string } | null;
}
type InvokeHandler = (event: InvokeEvent, ...args: unknown[]) => unknown;

export const handlers = new Map<string, InvokeHandler>();

export const ipcMain = {
  handle(channel: string, handler: InvokeHandler): void {
    if (handlers.has(channel)) throw new Error(`${channel} already has a handler`);
    handlers.set(channel, handler);
  },
  removeHandler(channel: string): void {
    handlers.delete(channel);
  },
};
