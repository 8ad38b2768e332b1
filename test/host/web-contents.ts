import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';
import type { ContextMenuParams, WebContents as ElectronContents } from 'electron';
import { toApp, toBrowser } from './addresses.ts';
import { type Browser, openPage } from './browser.ts';
import type { Conversation, Devtools } from './devtools.ts';
import { handlers } from './ipc.ts';
import { answerWith } from './protocol.ts';
import { session } from './session.ts';
import { createCodec } from './structured-clone.ts';
import { worldScripts } from './worlds.ts';

/** For tests: writes every message to the window into a file, one on each line. */
function record(message: unknown): void {
  const file = process.env.ADDRESS_CONSOLE_HOST_RECORD;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(message)}\n`);
}

const { encode, decode } = createCodec();
/** Serialises a message from the main process. Throws, as Electron does, for what cannot be cloned. */
function serialize(value: unknown): string {
  let copy: unknown;
  try {
    copy = structuredClone(value);
  } catch {
    throw new Error('An object could not be cloned.');
  }
  return encode(copy);
}

type OpenHandler = Parameters<ElectronContents['setWindowOpenHandler']>[0];

interface Frame {
  readonly url: string;
}

const noReferrer = { url: '', policy: 'no-referrer' } as const;

/** From the preload's world: a call to main, a window that the page wants to open, a preload that failed, a click or a key, a right click. */
interface FromPreload {
  invoke?: number;
  channel?: string;
  value?: string;
  open?: string;
  preloadError?: string;
  touched?: true;
  contextMenu?: Partial<ContextMenuParams>;
}

/** The name of the isolated world in which the preload runs. */
const preloadWorld = 'preload';

/** For tests: the number of messages that arrive as if from a frame that has been closed, which can happen to any message in Electron. */
let framesLost = Number(process.env.ADDRESS_CONSOLE_HOST_FRAMES_LOST ?? 0);

/** The windows by the browser's id of their page, to find the opener of a new page. */
const pages = new Map<string, WebContents>();
const watched = new WeakSet<Devtools>();

/** Pauses each page that another one opens, by a link or a form, before it makes any request; a refused one is closed before it runs. */
async function watchPopups({ devtools, contextId }: Browser): Promise<void> {
  if (watched.has(devtools)) return;
  watched.add(devtools);
  const { browser } = devtools;
  browser.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
    if (!waitingForDebugger) return;
    const { targetId, openerId, browserContextId, url } = targetInfo;
    const opener = openerId === undefined ? undefined : pages.get(openerId);
    const ours = openerId !== undefined && (contextId === undefined || browserContextId === contextId);
    // The opener may have been closed in the meantime; its page is then refused.
    if (ours && !(opener?.mayOpen(url) ?? false)) {
      browser.send('Target.closeTarget', { targetId }).catch(() => {});
      return;
    }
    // Pages of other programs in the same browser continue.
    devtools
      .page(sessionId)
      .send('Runtime.runIfWaitingForDebugger')
      .then(() => browser.send('Target.detachFromTarget', { sessionId }))
      .catch(() => {});
  });
  await browser.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'page' }],
  });
}

export class WebContents extends EventEmitter {
  /** One object for all messages, because the sender's frame is compared with it. */
  readonly mainFrame: Frame;
  /** Undefined while there is no page. */
  private page: Conversation | undefined;
  private browser: Browser | undefined;
  private targetId = '';
  private url = '';
  private mainFrameId = '';
  /** Id of the preload's world in the current document; empty if no preload runs. */
  private contextId = '';
  /** The address to which main navigates, about which no listener is asked. */
  private going: string | undefined;
  private crashed = false;
  private closed = false;
  private openHandler: OpenHandler | undefined;
  private colourScheme = '';
  private readonly preload: string | undefined;
  private readonly size: { width: number; height: number } | undefined;

  constructor(options: { preload: string | undefined; size: { width: number; height: number } | undefined }) {
    super();
    this.preload = options.preload;
    this.size = options.size;
    const contents = this;
    this.mainFrame = {
      get url() {
        return toApp(contents.url);
      },
    };
  }

  get session() {
    return session.defaultSession;
  }
  /** As of a closed window. */
  private mustBeOpen(): void {
    if (this.closed) throw new TypeError('Object has been destroyed');
  }
  getURL(): string {
    this.mustBeOpen();
    return toApp(this.url);
  }
  isDestroyed(): boolean {
    return this.closed;
  }
  setWebRTCIPHandlingPolicy(_policy: string): void {}
  setWindowOpenHandler(handler: OpenHandler): void {
    this.mustBeOpen();
    this.openHandler = handler;
  }
  reload(): void {
    this.mustBeOpen();
    void (this.crashed ? this.replace() : this.page?.send('Page.reload'))?.catch((error: Error) =>
      console.error(error.message),
    );
  }
  /** Sends a message to the page; it is lost if there is no page. What cannot be cloned is printed and not sent. */
  send(channel: string, ...args: unknown[]): void {
    this.mustBeOpen();
    try {
      const value = serialize(args);
      record(args);
      this.deliver(this.contextId, { event: channel, value });
    } catch (error) {
      console.error('Error sending from webFrameMain: ', error);
    }
  }

  /** Opens a page in the browser for this window. */
  async open(browser: Browser): Promise<void> {
    this.browser = browser;
    await this.equip(false);
    await watchPopups(browser);
  }
  get target(): string {
    return this.targetId;
  }
  /** Loads an address of the program. Rejects if the page does not load. */
  async load(url: string): Promise<void> {
    const address = toBrowser(url);
    this.going = address;
    const loaded = new Promise<void>((done) => this.once('did-finish-load', () => done()));
    const gone = await this.page?.send('Page.navigate', { url: address });
    if (gone?.errorText === undefined) return loaded;
    this.emit('did-fail-load', {}, -2, gone.errorText, url, true);
    throw new Error(`${gone.errorText.replace('net::', '')} (-2) loading '${url}'`);
  }
  async closePage(): Promise<void> {
    await this.browser?.devtools.browser.send('Target.closeTarget', { targetId: this.targetId }).catch(() => {});
    this.end();
  }
  focusPage(): void {
    void this.page?.send('Page.bringToFront').catch(() => {});
  }
  /** Sets the colour scheme that the page sees; '' for the system's. */
  async setColourScheme(scheme: '' | 'light' | 'dark'): Promise<void> {
    this.colourScheme = scheme;
    await this.page
      ?.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
      .catch(() => {});
  }

  private end(): void {
    if (this.closed) return;
    this.closed = true;
    pages.delete(this.targetId);
    this.contextId = '';
    this.emit('destroyed');
  }

  /** Replaces the page after its process has ended: Chromium's protocol cannot restore it for every session that is attached. */
  private async replace(): Promise<void> {
    const [old, url] = [this.targetId, toApp(this.url)];
    await this.equip(true);
    await this.browser?.devtools.browser.send('Target.closeTarget', { targetId: old });
    await this.load(url);
  }

  private async equip(fresh: boolean): Promise<void> {
    const browser = this.browser;
    if (!browser) return;
    const { targetId, page } = await openPage(browser, fresh || browser.contextId !== undefined);
    pages.delete(this.targetId);
    pages.set(targetId, this);
    this.targetId = targetId;
    this.page = page;
    this.crashed = false;
    const mine = (listener: () => void) => () => {
      if (this.targetId === targetId) listener();
    };
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.url = frame.url;
    });
    page.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.mainFrameId) this.url = url;
    });
    page.on(
      'Page.loadEventFired',
      mine(() => void this.emit('did-finish-load')),
    );
    page.on('Page.lifecycleEvent', ({ frameId, name }) => {
      if (name === 'firstPaint' && frameId === this.mainFrameId) this.emit('painted');
    });
    page.on('Page.javascriptDialogOpening', () => {
      page.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
    });
    page.on('Runtime.executionContextCreated', ({ context: { name, uniqueId } }) => {
      if (name === preloadWorld) this.contextId = uniqueId;
    });
    page.on('Runtime.executionContextsCleared', () => {
      this.contextId = '';
    });
    page.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) => {
      if (this.contextId === executionContextUniqueId) this.contextId = '';
    });
    page.on('Runtime.bindingCalled', ({ payload }) => void this.hear(JSON.parse(payload) as FromPreload));
    page.on('Inspector.targetCrashed', () => {
      this.crashed = true;
      setImmediate(() => this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }));
    });
    page.on('Fetch.requestPaused', (paused) => void this.answer(page, paused).catch(() => {}));
    browser.devtools.browser.on('Target.targetDestroyed', (gone) => {
      if (gone.targetId === targetId && this.targetId === targetId) this.end();
    });

    const scripts = worldScripts(randomUUID(), this.preload);
    const script = (source: string, worldName?: string) =>
      page.send('Page.addScriptToEvaluateOnNewDocument', { source, ...(worldName === undefined ? {} : { worldName }) });
    const [frames] = await Promise.all([
      page.send('Page.getFrameTree'),
      browser.devtools.browser.send('Target.setDiscoverTargets', { discover: true }),
      page.send('Page.enable'),
      page.send('Inspector.enable'),
      page.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      page.send('Runtime.enable'),
      page.send('Runtime.addBinding', { name: 'hostSend', executionContextName: preloadWorld }),
      script(scripts.page),
      script(scripts.preload, preloadWorld),
      page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
      this.setColourScheme(this.colourScheme as ''),
      ...(this.size === undefined
        ? []
        : [
            page.send('Emulation.setDeviceMetricsOverride', { ...this.size, deviceScaleFactor: 0, mobile: false }),
            page.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
          ]),
    ]);
    this.mainFrameId = frames.frameTree.frame.id;
  }

  mayOpen(url: string): boolean {
    const details = {
      url: toApp(url),
      frameName: '',
      features: '',
      disposition: 'new-window',
      referrer: noReferrer,
    } as const;
    const allowed = (this.openHandler?.(details).action ?? 'allow') === 'allow';
    if (allowed) console.error(`The development host opens no window of a page: ${url} is not opened.`);
    return false;
  }

  private deliver(contextId: string, message: object): void {
    if (contextId === '') return;
    this.page
      ?.send('Runtime.evaluate', {
        expression: `hostDeliver(${JSON.stringify(JSON.stringify(message))})`,
        uniqueContextId: contextId,
      })
      .catch(() => {});
  }

  private async hear({ invoke, channel = '', value = '', open, ...other }: FromPreload): Promise<void> {
    const { preloadError, touched, contextMenu } = other;
    if (touched) return void this.emit('touched');
    if (contextMenu) return void this.emit('context-menu', {}, contextMenu);
    if (open !== undefined) return void this.mayOpen(open);
    if (preloadError !== undefined) return void this.emit('preload-error', {}, this.preload, new Error(preloadError));
    const contextId = this.contextId;
    const contents = this;
    const lost = framesLost > 0;
    if (lost) framesLost -= 1;
    const event = {
      sender: this,
      /** Null once the sender's document has been unloaded, as in Electron. */
      get senderFrame() {
        return !lost && contextId !== '' && contents.contextId === contextId ? contents.mainFrame : null;
      },
    };
    try {
      const handler = handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      const result = await handler(event, ...(decode(value) as unknown[]));
      this.deliver(contextId, { answer: invoke, value: serialize(result) });
      record(result);
    } catch (error) {
      console.error(`Error occurred in handler for '${channel}':`, error);
      this.deliver(contextId, { answer: invoke, error: `Error invoking remote method '${channel}': ${String(error)}` });
    }
  }

  /** Asks the program's navigation listeners before the page navigates, as Electron does, and then its protocol handler. */
  private async answer(
    page: Conversation,
    { requestId, request, resourceType, frameId }: RequestPaused,
  ): Promise<void> {
    if (resourceType === 'Document' && this.stops(request.url, frameId)) {
      // 204 leaves the page unchanged, as preventDefault does in Electron; aborting would show an error page.
      await page.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
      return;
    }
    const response = await answerWith(session.defaultSession.protocol, { ...request, url: toApp(request.url) });
    if (typeof response === 'string') await page.send('Fetch.failRequest', { requestId, errorReason: response });
    else await page.send('Fetch.fulfillRequest', { requestId, ...response });
  }
  private stops(address: string, frameId: string): boolean {
    if (this.going === address) {
      this.going = undefined;
      return false;
    }
    let stopped = false;
    const isMainFrame = frameId === this.mainFrameId;
    const event = {
      url: toApp(address),
      isMainFrame,
      preventDefault: () => {
        stopped = true;
      },
    };
    this.emit('will-frame-navigate', event);
    if (isMainFrame) this.emit('will-navigate', event);
    return stopped;
  }
}

/** The part of Chromium's event that is used. */
interface RequestPaused {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: { url: string; method: string; headers: Record<string, string>; postData?: string };
}
