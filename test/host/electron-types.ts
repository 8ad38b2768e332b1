import type * as Electron from 'electron';
import type * as standIn from './electron.ts';

// Checked by the compiler and never run: each export of the stand-in must be assignable to Electron's type of the same name. A promise
// where Electron has none, a callback with different arguments or a wider result does not compile.

/** The members that both have, with Electron's types. `Except` names members that return other parts of the stand-in, which are checked separately. */
type Held<Ours, Theirs, Except extends PropertyKey = never> = Pick<Theirs, Exclude<keyof Ours & keyof Theirs, Except>>;
type Holds<Ours extends Theirs, Theirs> = [Ours, Theirs];

type Instance<Class extends abstract new (...args: never[]) => unknown> = InstanceType<Class>;
type Window = Instance<typeof standIn.BrowserWindow>;
type Contents = Window['webContents'];
type Session = typeof standIn.session.defaultSession;

export type Modules = [
  Holds<typeof standIn.app, Held<typeof standIn.app, Electron.App, 'commandLine' | keyof NodeJS.EventEmitter>>,
  Holds<typeof standIn.app.commandLine, Held<typeof standIn.app.commandLine, Electron.CommandLine>>,
  Holds<typeof standIn.clipboard, Held<typeof standIn.clipboard, Electron.Clipboard, 'write'>>,
  Holds<
    Instance<typeof standIn.ClipboardItem>,
    Held<Instance<typeof standIn.ClipboardItem>, Electron.ClipboardItem, 'getType'>
  >,
  Holds<typeof standIn.dialog, Held<typeof standIn.dialog, Electron.Dialog>>,
  Holds<typeof standIn.ipcMain, Held<typeof standIn.ipcMain, Electron.IpcMain, 'handle'>>,
  Holds<
    typeof standIn.Menu,
    Held<typeof standIn.Menu, typeof Electron.Menu, 'prototype' | 'buildFromTemplate' | 'getApplicationMenu'>
  >,
  Holds<typeof standIn.nativeTheme, Held<typeof standIn.nativeTheme, Electron.NativeTheme, keyof NodeJS.EventEmitter>>,
  Holds<typeof standIn.powerSaveBlocker, Held<typeof standIn.powerSaveBlocker, Electron.PowerSaveBlocker>>,
  Holds<typeof standIn.protocol, Held<typeof standIn.protocol, Electron.Protocol>>,
  Holds<typeof standIn.shell, Held<typeof standIn.shell, Electron.Shell>>,
  Holds<Session, Held<Session, Electron.Session, 'protocol' | 'webRequest' | keyof NodeJS.EventEmitter>>,
  Holds<Session['webRequest'], Held<Session['webRequest'], Electron.WebRequest>>,
  Holds<Session['protocol'], Held<Session['protocol'], Electron.Protocol>>,
  Holds<Window, Held<Window, Electron.BrowserWindow, 'webContents' | keyof NodeJS.EventEmitter>>,
  Holds<Contents, Held<Contents, Electron.WebContents, 'session' | 'mainFrame' | keyof NodeJS.EventEmitter>>,
  Holds<
    Instance<typeof standIn.Notification>,
    Held<Instance<typeof standIn.Notification>, Electron.Notification, keyof NodeJS.EventEmitter>
  >,
];

/** Every name that the stand-in exports is exported by Electron's main process. */
export type Names = Holds<keyof typeof standIn, keyof typeof Electron>;
/** Windows and notifications are created with Electron's options. */
export type Options = [
  Holds<Electron.BrowserWindowConstructorOptions, NonNullable<ConstructorParameters<typeof standIn.BrowserWindow>[0]>>,
  Holds<Electron.NotificationConstructorOptions, NonNullable<ConstructorParameters<typeof standIn.Notification>[0]>>,
];
