import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { join, posix, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { extractFile, getRawHeader } from '@electron/asar';

// Makes this process and its threads read a packed program from its archive, as Electron's patched file system does: modules,
// and the few functions of `fs` that the program uses. A path in the archive that does not exist is not searched for
// elsewhere. It is JavaScript because it is loaded with --import before anything else, in threads too.

const archive = process.env.ADDRESS_CONSOLE_HOST_ARCHIVE ?? '';
const { header } = getRawHeader(archive);

/** The entry of a path in the archive; undefined if it does not exist. @param {string} inside */
const entryOf = (inside) => {
  /** @type {any} */
  let entry = header;
  for (const part of inside.split('/')) entry = entry?.files?.[part];
  return entry;
};

/** The path within the archive; null for a path outside it. @param {unknown} path */
function within(path) {
  const text = path instanceof URL ? fileURLToPath(path) : typeof path === 'string' ? path : '';
  return text.startsWith(archive + sep)
    ? text
        .slice(archive.length + 1)
        .split(sep)
        .join('/')
    : null;
}

/** @param {string} inside */
function read(inside) {
  const entry = entryOf(inside);
  if (entry === undefined || entry.files)
    throw Object.assign(new Error(`ENOENT, ${inside} not found in ${archive}`), { code: 'ENOENT' });
  return entry.unpacked ? readFileSync(join(`${archive}.unpacked`, inside)) : extractFile(archive, inside);
}

const { readFileSync, existsSync } = fs;
const readFile = fs.promises.readFile;
/** @param {Buffer} bytes @param {any} options */
const asWished = (bytes, options) => {
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return encoding ? bytes.toString(encoding) : bytes;
};
/** @param {any} path @param {any} options */
const readSync = (path, options) => {
  const inside = within(path);
  return inside === null ? readFileSync(path, options) : asWished(read(inside), options);
};
Object.assign(fs, {
  readFileSync: readSync,
  /** @param {any} path */
  existsSync: (path) => {
    const inside = within(path);
    return inside === null ? existsSync(path) : entryOf(inside) !== undefined;
  },
});
Object.assign(fs.promises, {
  /** @param {any} path @param {any} options */
  readFile: async (path, options) => (within(path) === null ? readFile(path, options) : readSync(path, options)),
});
syncBuiltinESMExports();

/** Resolves a file or a package's folder as Node does; null if it is not in the archive. @param {string} inside */
function findModule(inside) {
  const entry = entryOf(inside);
  if (entry && !entry.files) return inside;
  if (!entry) return [`${inside}.js`, `${inside}.json`].find((name) => entryOf(name)) ?? null;
  if (!entryOf(`${inside}/package.json`)) return entryOf(`${inside}/index.js`) ? `${inside}/index.js` : null;
  const { main = 'index.js' } = JSON.parse(read(`${inside}/package.json`).toString());
  return findModule(posix.join(inside, main));
}

/** @param {string} specifier @param {string} parent */
function locate(specifier, parent) {
  if (/^(?:\.{1,2}\/|\/|file:)/.test(specifier)) {
    const inside = within(fileURLToPath(new URL(specifier, pathToFileURL(join(archive, parent)))));
    return inside === null ? null : findModule(inside);
  }
  for (let folder = posix.dirname(parent); ; folder = posix.dirname(folder)) {
    const found = findModule(posix.join(folder, 'node_modules', specifier));
    if (found !== null || folder === '.') return found;
  }
}

/** @param {string} inside */
const isModule = (inside) => {
  if (/\.[cm]js$/.test(inside)) return inside.endsWith('.mjs');
  for (let folder = posix.dirname(inside); ; folder = posix.dirname(folder)) {
    const file = posix.join(folder, 'package.json');
    if (entryOf(file)) return JSON.parse(read(file).toString()).type === 'module';
    if (folder === '.') return false;
  }
};

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('node:') || specifier === 'electron') return next(specifier, context);
    const own = specifier.startsWith('file:')
      ? within(new URL(specifier))
      : specifier.startsWith(archive + sep)
        ? within(specifier)
        : null;
    const parent = context.parentURL?.startsWith('file:') ? within(new URL(context.parentURL)) : null;
    if (own === null && parent === null) return next(specifier, context);
    const inside = own === null ? locate(specifier, parent ?? '') : findModule(own);
    if (inside !== null) {
      // The system can load a native part only from a real file, so it is outside the archive.
      const from = entryOf(inside).unpacked ? `${archive}.unpacked` : archive;
      return { url: pathToFileURL(join(from, inside)).href, shortCircuit: true };
    }
    const builtin = process.getBuiltinModule(specifier);
    if (builtin) return next(`node:${specifier}`, context);
    throw Object.assign(new Error(`Cannot find module '${specifier}' in the archive`), { code: 'MODULE_NOT_FOUND' });
  },
  load(url, context, next) {
    const inside = url.startsWith('file:') ? within(new URL(url)) : null;
    if (inside === null) return next(url, context);
    const format = inside.endsWith('.json') ? 'json' : isModule(inside) ? 'module' : 'commonjs';
    return { format, source: read(inside), shortCircuit: true };
  },
});
