/** Stand-in for the `electron` module on the development host: what the program uses of it, and no more. */
// biome-ignore-all lint/performance/noBarrelFile: a module that stands in for another exports what that one does.
export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export { dialog } from './dialog.ts';
export { ipcMain } from './ipc.ts';
export { Notification } from './notification.ts';
export { protocol, session } from './session.ts';
export { clipboard, Menu, nativeTheme, shell } from './small-modules.ts';
