/** Replaces the `electron` module on the development host. It has only what the program uses. */
// biome-ignore-all lint/performance/noBarrelFile: a module that replaces another must have the same exports.
export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export { dialog } from './dialog.ts';
export { ipcMain } from './ipc.ts';
export { Notification } from './notification.ts';
export { protocol, session } from './session.ts';
export { ClipboardItem, clipboard, Menu, nativeTheme, powerMonitor, powerSaveBlocker, shell } from './small-modules.ts';
