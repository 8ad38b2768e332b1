import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';
import type { WebContents as ElectronContents } from 'electron';
import { toApp, toBrowser } from './addresses.ts';
import { type Browser, openPage } from './browser.ts';
import type { Conversation, Devtools } from './devtools.ts';
import { handlers } from './ipc.ts';
import { answerWith } from './protocol.ts';
import { session } from './session.ts';
import { createCodec } from './structured-clone.ts';
import { worldScripts } from './worlds.ts';

/** For tests: every message to the window, a line each. */
function record(message: unknown): void {
  const file = process.env.ADDRESS_CONSOLE_HOST_RECORD;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(message)}\n`);
}

const { encode, decode } = createCodec();
/** As Electron serialises what leaves the main process, which throws for what cannot be cloned. */
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

/** What the preload's world sends: a call to main, a window that the page wants opened, a preload that failed, a click or a key. */
interface FromPreload {
  invoke?: number;
  channel?: string;
  value?: string;
  open?: string;
  preloadError?: string;
  touched?: true;
}

/** Chromium's own name of the world that the preload runs in. */
const preloadWorld = 'preload';

/** For tests: so many messages arrive as from a frame that is gone by then, which Electron may do to any. */
let framesLost = Number(process.env.ADDRESS_CONSOLE_HOST_FRAMES_LOST ?? 0);

/** By the browser's name of its page, for what a page opens. */
const pages = new Map<string, WebContents>();
const watched = new WeakSet<Devtools>();

/** A page that another opens, by a link or a form, is held before it asks for anything; refused, it never runs. */
async function watchPopups({ devtools, contextId }: Browser): Promise<void> {
  if (watched.has(devtools)) return;
  watched.add(devtools);
  const { browser } = devtools;
  browser.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
    if (!waitingForDebugger) return;
    const { targetId, openerId, browserContextId, url } = targetInfo;
    const opener = openerId === undefined ? undefined : pages.get(openerId);
    const ours = openerId !== undefined && (contextId === undefined || browserContextId === contextId);
    // The page of an opener that has ended by now is nobody's.
    if (ours && !(opener?.mayOpen(url) ?? false)) {
      browser.send('Target.closeTarget', { targetId }).catch(() => {});
      return;
    }
    // Not ours: others of the same browser.
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
  /** The frame that invokes come from is compared with this one, so there is one object for it. */
  readonly mainFrame: Frame;
  /** Set while there is a page. */
  private page: Conversation | undefined;
  private browser: Browser | undefined;
  private targetId = '';
  private url = '';
  private mainFrameId = '';
  /** The preload's world of the document that is shown; empty where none runs. */
  private contextId = '';
  /** An address that main itself goes to is not asked about. */
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
        return contents.getURL();
      },
    };
  }

  get session() {
    return session.defaultSession;
  }
  getURL(): string {
    return toApp(this.url);
  }
  isDestroyed(): boolean {
    return this.closed;
  }
  setWebRTCIPHandlingPolicy(_policy: string): void {}
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  reload(): void {
    void (this.crashed ? this.replace() : this.page?.send('Page.reload'))?.catch((error: Error) =>
      console.error(error.message),
    );
  }
  /** Throws for what cannot be cloned; a page that is not there misses it. */
  send(channel: string, ...args: unknown[]): void {
    const value = serialize(args);
    record(args);
    this.deliver(this.contextId, { event: channel, value });
  }

  /** Takes a page of the browser and makes it this window's. */
  async open(browser: Browser): Promise<void> {
    this.browser = browser;
    await this.equip(false);
    await watchPopups(browser);
  }
  get target(): string {
    return this.targetId;
  }
  /** Goes to an address of the program's; rejects where the page does not load. */
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
  /** What the page is told of light and dark; empty for the system's. */
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

  /** Chromium's protocol cannot bring a page back whose process has ended to everyone who follows it, so another takes its place. */
  private async replace(): Promise<void> {
    const [old, url] = [this.targetId, this.getURL()];
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

  private async hear({ invoke, channel = '', value = '', open, preloadError, touched }: FromPreload): Promise<void> {
    if (touched) return void this.emit('touched');
    if (open !== undefined) return void this.mayOpen(open);
    if (preloadError !== undefined) return void this.emit('preload-error', {}, this.preload, new Error(preloadError));
    const contextId = this.contextId;
    const contents = this;
    const lost = framesLost > 0;
    if (lost) framesLost -= 1;
    const event = {
      sender: this,
      /** null once the document that sent it is gone, as Electron has it. */
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

  /** Asks the program's own navigation rules, as Electron does, before a page goes elsewhere; then its protocol handler. */
  private async answer(
    page: Conversation,
    { requestId, request, resourceType, frameId }: RequestPaused,
  ): Promise<void> {
    if (resourceType === 'Document' && this.stops(request.url, frameId)) {
      // 204 leaves the page where it is, as preventDefault does; an abort would show an error page.
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

/** What of Chromium's event is used. */
interface RequestPaused {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: { url: string; method: string; headers: Record<string, string>; postData?: string };
}
