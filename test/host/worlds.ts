import { readFileSync } from 'node:fs';
import { toBrowser } from './addresses.ts';
import { createCodec } from './structured-clone.ts';

// The two worlds of a page: the page's, and the preload's, which has `ipcRenderer`. They share the document but no objects, so messages
// between them are text in events whose name only these scripts know. The functions below run in the page: each uses its arguments
// only, and takes the browser's functions that it needs before the page can change them.

interface Ask {
  call?: number;
  expose?: string;
  open?: string;
  settle?: number;
  refused?: boolean;
  value?: string;
  thrown?: string;
}

interface BridgeEnd {
  /** Calls the other world. Returns its result, or throws an error with the text of the one thrown there. */
  ask(message: Ask): unknown;
  encode(value: unknown): string;
}

/**
 * One end of contextBridge. Values are copied each time they cross, functions become functions that call back, promises stay promises, and
 * errors keep only their message (Electron: shell/renderer/api/electron_api_context_bridge.cc).
 */
function createBridgeEnd(
  channel: string,
  world: 'page' | 'preload',
  codec: typeof createCodec,
  obey: (message: Ask, decode: (text: string) => unknown) => unknown,
): BridgeEnd {
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  const Message = CustomEvent;
  const mostDeep = 1000;
  const functions = new Map<number, (...args: unknown[]) => unknown>();
  const promised = new Map<number, { done: (value: unknown) => void; failed: (error: unknown) => void }>();
  let last = 0;
  let reply: Ask | undefined;

  const post = (message: Ask): void => {
    const name = `${channel} ${world === 'page' ? 'preload' : 'page'}`;
    dispatchEvent.call(document, new Message(name, { detail: JSON.stringify(message) }));
  };
  const { encode, decode } = codec({
    write(value, depth) {
      if (depth >= mostDeep)
        throw new TypeError(
          'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
        );
      if (typeof value === 'function') {
        last += 1;
        functions.set(last, value as (...args: unknown[]) => unknown);
        return ['f', last];
      }
      if (value instanceof Promise) {
        last += 1;
        const id = last;
        const settle = (result: unknown, refused: boolean) => {
          try {
            post({ settle: id, refused, value: encode(result) });
          } catch (error) {
            post({ settle: id, refused: true, value: encode(error) });
          }
        };
        value.then(
          (result) => settle(result, false),
          (error) => settle(error, true),
        );
        return ['p', id];
      }
      return value instanceof Error ? ['E', value.message] : undefined;
    },
    read([kind, what]) {
      if (kind === 'E') return new Error(what as string);
      const id = what as number;
      if (kind === 'p') return new Promise((done, failed) => promised.set(id, { done, failed }));
      return (...args: unknown[]) => ask({ call: id, value: encode(args) });
    },
  });
  const ask = (message: Ask): unknown => {
    reply = undefined;
    post(message);
    const given: Ask | undefined = reply;
    if (given === undefined) throw new Error('The other world of this page is not there.');
    const { value, thrown } = given as Ask;
    if (thrown !== undefined) throw new Error(thrown);
    return decode(value ?? '');
  };
  const answer = (message: Ask): Ask => {
    try {
      const { call, value = '' } = message;
      const result =
        call === undefined ? obey(message, decode) : functions.get(call)?.(...(decode(value) as unknown[]));
      return { value: encode(result) };
    } catch (error) {
      const text = (error as Error | null)?.message;
      return {
        thrown:
          typeof text === 'string'
            ? text
            : 'An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.',
      };
    }
  };
  addEventListener.call(document, `${channel} ${world}`, (event) => {
    const message = JSON.parse((event as CustomEvent<string>).detail) as Ask;
    const { settle, refused, value = '' } = message;
    if (settle !== undefined) {
      const one = promised.get(settle);
      promised.delete(settle);
      if (refused) one?.failed(decode(value));
      else one?.done(decode(value));
    } else if (message.call === undefined && message.expose === undefined && message.open === undefined)
      reply = message;
    else post(answer(message));
  });
  return { ask, encode };
}

/** The page's world: receives what the preload exposes. window.open reports the address to main and never opens a window. */
function openPageWorld(channel: string, end: typeof createBridgeEnd, codec: typeof createCodec): void {
  const freeze = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
    if (Object.isFrozen(value) || ArrayBuffer.isView(value)) return;
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  };
  const bridge = end(channel, 'page', codec, ({ expose: key = '', value = '' }, decode) => {
    if (key in window) throw new Error('Cannot bind an API on top of an existing property on the window object');
    const api = decode(value);
    freeze(api);
    Object.defineProperty(window, key, { value: api, enumerable: true });
    return undefined;
  });
  window.open = (url: string | URL = '') => {
    bridge.ask({ open: new URL(url, document.baseURI).href });
    return null;
  };
}

/** The preload's world: the sandbox's `require`, `ipcRenderer` over a binding that only this world has, and the preload itself. */
function openPreloadWorld(
  channel: string,
  end: typeof createBridgeEnd,
  codec: typeof createCodec,
  preload: (require: (name: string) => unknown, process: object, exports: object, module: object) => void,
): void {
  const world = globalThis as unknown as { hostSend: (text: string) => void; hostDeliver: (text: string) => void };
  const send = world.hostSend;
  const { encode, decode } = codec();
  const cloned = (value: unknown): string => {
    let copy: unknown;
    try {
      copy = structuredClone(value);
    } catch {
      throw new Error('An object could not be cloned.');
    }
    return encode(copy);
  };
  const bridge = end(channel, 'preload', codec, ({ open }) => send(JSON.stringify({ open })));
  const waiting = new Map<number, { done: (value: unknown) => void; failed: (error: Error) => void }>();
  const listeners = new Map<string, ((event: object, ...args: unknown[]) => void)[]>();
  let last = 0;
  world.hostDeliver = (text) => {
    const { answer, error, value, event } = JSON.parse(text) as {
      answer?: number;
      error?: string;
      value: string;
      event?: string;
    };
    if (event !== undefined) {
      // A listener that throws must not prevent the others from getting the message.
      for (const listener of listeners.get(event) ?? [])
        try {
          listener({ sender: ipcRenderer, ports: [] }, ...(decode(value) as unknown[]));
        } catch (thrown) {
          reportError(thrown);
        }
      return;
    }
    const one = waiting.get(answer ?? 0);
    waiting.delete(answer ?? 0);
    if (error === undefined) one?.done(decode(value));
    else one?.failed(new Error(error));
  };
  const ipcRenderer = {
    invoke: async (name: string, ...args: unknown[]) => {
      const value = cloned(args);
      last += 1;
      const id = last;
      const result = new Promise((done, failed) => waiting.set(id, { done, failed }));
      send(JSON.stringify({ invoke: id, channel: name, value }));
      return result;
    },
    on: (name: string, listener: (event: object, ...args: unknown[]) => void) => {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
      return ipcRenderer;
    },
  };
  const electron = {
    contextBridge: {
      exposeInMainWorld: (expose: string, api: unknown) => void bridge.ask({ expose, value: bridge.encode(api) }),
    },
    ipcRenderer,
  };
  // No window manager focuses the windows of a test, so a click or key press gives a window the focus.
  for (const touch of ['pointerdown', 'keydown'])
    addEventListener(touch, ({ isTrusted }) => isTrusted && send(JSON.stringify({ touched: true })), true);
  // Electron shows no menu for a right click: it asks the program, unless the page has prevented it.
  addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    const { target, clientX: x, clientY: y } = event;
    const field = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : undefined;
    const isEditable = field !== undefined && !field.readOnly && !field.disabled && field.selectionStart !== null;
    const marked = field
      ? field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
      : (getSelection()?.toString() ?? '');
    const canCopy = marked !== '' && field?.type !== 'password';
    const flags = { canUndo: isEditable, canRedo: isEditable, canPaste: isEditable, canDelete: isEditable };
    const editFlags = { ...flags, canCut: isEditable && canCopy, canCopy, canSelectAll: true };
    send(JSON.stringify({ contextMenu: { x, y, isEditable, selectionText: marked, editFlags } }));
  });
  const timers = { setTimeout, clearTimeout, setInterval, clearInterval };
  // The modules that the sandbox provides, without `events`, which is not used here.
  const known: Record<string, unknown> = {
    electron,
    'electron/common': electron,
    'electron/renderer': electron,
    timers,
    'node:timers': timers,
    url: { URL, URLSearchParams },
    'node:url': { URL, URLSearchParams },
  };
  const require = (name: string): unknown => {
    if (Object.hasOwn(known, name)) return known[name];
    throw new Error(`module not found: ${name}`);
  };
  const module = { exports: {} };
  try {
    preload(require, { platform: navigator.platform }, module.exports, module);
  } catch (error) {
    console.error('Unable to load preload script');
    console.error(error);
    send(JSON.stringify({ preloadError: String(error) }));
  }
}

/** The scripts that run before every page. The page's comes first, because the preload's sends to it as soon as it runs. */
export function worldScripts(channel: string, preloadFile: string | undefined): { page: string; preload: string } {
  const own = JSON.stringify(new URL(toBrowser('app://console/')).origin);
  const inWindow = (code: string) => `if (location.origin === ${own} && window === window.top) { ${code} }`;
  const parts = `${JSON.stringify(channel)}, ${createBridgeEnd}, ${createCodec}`;
  const code = preloadFile === undefined ? '' : readFileSync(preloadFile, 'utf8');
  return {
    page: inWindow(`(${openPageWorld})(${parts});`),
    preload: inWindow(`(${openPreloadWorld})(${parts}, function (require, process, exports, module) {${code}\n});`),
  };
}
