import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import type { EventName, EventPayload } from '../../shared/contract.ts';
import { appError } from '../../shared/errors.ts';
import { fail } from '../../shared/result.ts';
import type { Dispatcher } from '../ipc/dispatcher.ts';
import { wire } from '../ipc/wire.ts';
import { isOwnPage } from './security.ts';

/** Main frame of our own page in a window of ours, and its number. A frame that is gone (null) or not yet ours is refused (promise 20). */
function trustedWindow(event: IpcMainInvokeEvent, numberOf: (contents: WebContents) => number | null): number | null {
  const frame = event.senderFrame;
  const trusted = frame !== null && frame === event.sender.mainFrame && isOwnPage(frame.url);
  return trusted ? numberOf(event.sender) : null;
}

/** Puts the dispatcher behind Electron's IPC. A refusal is an error value, never undefined and never a throw. */
export function serveIpc(dispatcher: Dispatcher, numberOf: (contents: WebContents) => number | null): void {
  ipcMain.handle(wire.invoke, (event, channel: unknown, requestId: unknown, input: unknown) => {
    const window = trustedWindow(event, numberOf);
    if (window === null) return fail(appError('not-allowed'));
    if (typeof channel !== 'string') return fail(appError('bad-channel-input'));
    return dispatcher.dispatch(channel, requestId, input, window);
  });
  ipcMain.handle(wire.cancel, (event, requestId: unknown) => {
    // Calls under way are shown in every window, and any window may stop them.
    if (trustedWindow(event, numberOf) !== null) dispatcher.cancel(requestId);
  });
}

/** Notifies a window; one that is closed is skipped. */
export function sendEvent<E extends EventName>(contents: WebContents, event: E, payload: EventPayload<E>): void {
  if (!contents.isDestroyed() && isOwnPage(contents.getURL())) contents.send(wire.event, event, payload);
}
