import { app } from 'electron';

/**
 * Whether the program runs from its package. By where its files are as well: Electron goes by the name of the executable
 * (electron_api_app.cc, IsPackaged), and a copy that somebody named “electron” would admit a debugger.
 */
export const isPackaged: boolean = app.isPackaged || /\.asar[\\/]/.test(import.meta.dirname);
