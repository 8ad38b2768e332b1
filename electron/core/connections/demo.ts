import { type Connection, type ConnectionDraft, emptyConnectionDraft } from '../../../shared/domain/connection.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { DemoLauncher, DemoReady } from '../../ports.ts';
import type { Connections } from './connections.ts';

/** The single demo connection, whose addresses and account the demo service reports anew at each start. */
export function createDemo(connections: Connections, launcher: DemoLauncher) {
  function find(): Result<Connection | undefined> {
    const listed = connections.list();
    return listed.ok ? ok(listed.value.find(({ kind }) => kind === 'demo')) : listed;
  }

  async function addOrUpdate(existing: Connection | undefined, ready: DemoReady): Promise<Result<Connection>> {
    const draft = draftOf(existing, ready);
    if (!existing) return connections.add(draft);
    const updated = await connections.update(existing.id, draft);
    return updated.ok ? ok(updated.value.connection) : updated;
  }

  /** Starts the demo service and returns its connection, created at the first start. */
  async function start(): Promise<Result<Connection>> {
    const ready = await launcher.start();
    if (!ready.ok) return ready;
    // Read once the service runs, which takes a while: what was changed on the connection meanwhile stays.
    const existing = find();
    return existing.ok ? addOrUpdate(existing.value, ready.value) : existing;
  }

  /**
   * Called before a call: a demo connection whose service is not running is started and returned as it is then; any other is returned
   * unchanged. While the service runs the connection is read again: it may have been fetched before its addresses were known. One that was
   * removed meanwhile is not created again.
   */
  async function ensureRunning(connection: Connection): Promise<Result<Connection>> {
    if (connection.kind !== 'demo') return ok(connection);
    if (launcher.running()) return connections.find(connection.id);
    const ready = await launcher.start();
    if (!ready.ok) return ready;
    const existing = connections.find(connection.id);
    return existing.ok ? addOrUpdate(existing.value, ready.value) : existing;
  }

  /** A connection with the addresses that calls use: those of the demo are known only once its service runs. */
  async function findRunning(connectionId: string): Promise<Result<Connection>> {
    const connection = connections.find(connectionId);
    return connection.ok ? ensureRunning(connection.value) : connection;
  }

  const port = (): number | null => {
    const running = launcher.running();
    return running ? Number(new URL(running.restBaseUrl).port) : null;
  };

  return { start, ensureRunning, findRunning, port, stop: () => launcher.stop() };
}

function draftOf(existing: Connection | undefined, ready: DemoReady) {
  const { id: _id, ...kept } = existing ?? { id: '', ...fresh };
  return {
    ...kept,
    restBaseUrl: ready.restBaseUrl,
    soapUrl: ready.soapUrl,
    soapNamespace: ready.soapNamespace,
    utilitiesNamespace: ready.utilitiesNamespace,
    accountName: ready.demo.accountName,
    yourReference: ready.demo.yourReference,
  };
}

const fresh: ConnectionDraft = {
  ...emptyConnectionDraft,
  name: 'Demo service',
  kind: 'demo',
  colour: '#6b6d78',
  ipAddress: '127.0.0.1',
};
