import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Account, openAccount } from './account/account.ts';
import { type Clock, createClock } from './account/clock.ts';
import { createApp, restBase, soapPath } from './app.ts';
import type { DemoContext } from './context.ts';
import { type DemoCredentials, describeDemo } from './demo-credentials.ts';
import { respondWithFault } from './fault-response.ts';
import { createFaultSwitch, type FaultSwitch, isExecuted } from './faults.ts';
import { openGazetteer } from './gazetteer/gazetteer.ts';
import { createMeter, type Meter } from './meter.ts';
import { completeOptions, type DemoOptions, type DemoSettings } from './options.ts';

export interface RunningDemo {
  readonly restBaseUrl: string;
  readonly soapUrl: string;
  readonly soapNamespace: string;
  readonly utilitiesNamespace: string;
  readonly demo: DemoCredentials;
  readonly meter: Meter;
  readonly faults: FaultSwitch;
  readonly account: Account;
  readonly clock: Clock;
  /** May be changed while the service runs; a changed guess applies from the next request. */
  readonly settings: DemoSettings;
  /** Closes every connection, even one whose request has no answer yet. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts the demo service on 127.0.0.1. Throws an Error with a one-sentence message if the port is taken, the state file is unusable or an
 * option is out of bounds; an unusable cache file only makes the start slower.
 * It answers over HTTP only and has no functions to call directly, so that a client gets what a real service would send.
 */
export async function startDemoService(options: DemoOptions = {}): Promise<RunningDemo> {
  const settings = completeOptions(options);
  const clock = createClock(settings.now);
  const account = openAccount(settings, clock);
  const { seed, premises, cache } = settings;
  const gazetteer = openGazetteer({ seed, premises, ...(cache === '' ? {} : { cacheFile: cache }) });
  const context: DemoContext = { account, clock, gazetteer, settings };
  const meter = createMeter();
  const faults = createFaultSwitch();
  const stopping = new AbortController();
  const demo = describeDemo(account, gazetteer);
  const app = createApp({ context, meter, faults, demo });
  const served = new WeakMap<Socket, number>();

  // The global Request and Response are not replaced: the program in which the service runs uses them too.
  const listener = getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
      if (incoming.url?.startsWith('/__demo/')) return app.fetch(request, env);
      meter.countRequest();
      const earlier = served.get(incoming.socket) ?? 0;
      served.set(incoming.socket, earlier + 1);
      if (!faults.isArmed()) return app.fetch(request, env);
      const call = await readCallName(request.clone());
      const fault = faults.take(call.name, earlier > 0);
      if (!fault) return app.fetch(request, env);
      const [cleared, isJson] = [faults.untilCleared(), call.isJson];
      const executed = isExecuted(fault);
      if (!executed) meter.record({ name: call.name, payer: '', outcome: 'fault', credits: 0 });
      const answer = executed ? await app.fetch(request, env) : undefined;
      return respondWithFault({ incoming, outgoing, fault, answer, isJson, cleared, stopping: stopping.signal });
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.on('connection', (socket) => {
    meter.countConnection();
    if (faults.takeConnection()) socket.resetAndDestroy();
  });
  let stopped: Promise<void> | undefined;
  const port = await listen(server, settings.port).catch((cause: unknown) => {
    gazetteer.close();
    throw cause;
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    restBaseUrl: origin + restBase,
    soapUrl: origin + soapPath,
    soapNamespace: settings.namespace,
    utilitiesNamespace: settings.utilitiesNamespace,
    demo,
    meter,
    faults,
    account,
    clock,
    settings,
    stop: () => {
      stopped ??= stop(server, stopping, gazetteer.close);
      return stopped;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(error.code === 'EADDRINUSE' ? `Port ${port} is in use.` : `Port ${port} cannot be opened.`)),
    );
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function stop(server: Server, stopping: AbortController, close: () => void): Promise<void> {
  stopping.abort();
  return new Promise((resolve) => {
    server.close(() => {
      close();
      resolve();
    });
    server.closeAllConnections();
  });
}

/** The endpoint or operation that a request names, read before it is served: some faults apply to one of them only. Consumes the body. */
async function readCallName(request: Request): Promise<{ name: string; isJson: boolean }> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(`${restBase}/`)) return { name: pathname.slice(restBase.length + 1), isJson: true };
  if (request.method !== 'POST')
    return { name: pathname.slice(pathname.lastIndexOf('/') + 1) || 'index', isJson: false };
  const body = await request.text();
  // The first element inside the body names the operation; its prefix is dropped.
  const found = /<(?:[\w.-]+:)?Body[^>]*>\s*<(?:[\w.-]+:)?([\w.-]+)/.exec(body);
  return { name: found?.[1] ?? 'unrecognised', isJson: false };
}
