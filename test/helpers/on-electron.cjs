// Loaded into Electron before the program, by the app tests: answers in a person's place what a test cannot press (the system's dialogs),
// and writes down what leaves the window (notices, pages for the browser). Same variables and same marks as the development host.
const { appendFileSync, existsSync, readdirSync, statSync } = require('node:fs');
const { basename, join } = require('node:path');
const { app, dialog, Notification, session, shell } = require('electron');

const named = (name) => process.env[`ADDRESS_CONSOLE_HOST_${name}`];

dialog.showSaveDialog = async (...given) => {
  const folder = named('SAVE_FOLDER');
  if (folder === undefined || !existsSync(folder)) return { canceled: true, filePath: '' };
  return { canceled: false, filePath: join(folder, basename(given.at(-1).defaultPath ?? 'export')) };
};
dialog.showOpenDialog = async () => {
  // The file, or the only file of a folder.
  const file = named('OPEN_FILE');
  if (file === undefined || !existsSync(file)) return { canceled: true, filePaths: [] };
  const filePaths = statSync(file).isDirectory() ? readdirSync(file).map((name) => join(file, name)) : [file];
  return { canceled: filePaths.length === 0, filePaths };
};
dialog.showErrorBox = (title, content) => console.error(`${title}: ${content}`);
shell.openExternal = async (address) => {
  process.stdout.write(`opens outside ${address}\n`);
};
// No desktop of a build machine shows notices; the program counts one only once it is told that it was shown.
Notification.prototype.show = function show() {
  const file = named('NOTICES');
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ title: this.title, body: this.body })}\n`);
  setImmediate(() => this.emit('show'));
};

const proxy = named('PROXY');
if (proxy !== undefined)
  app.whenReady().then(() => {
    const script = `function FindProxyForURL() { return ${JSON.stringify(proxy)}; }`;
    const pacScript = `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(script).toString('base64')}`;
    return session.defaultSession.setProxy({ mode: 'pac_script', pacScript });
  });
