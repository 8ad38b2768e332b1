import type { ConnectionView, connectionChannels } from '../../shared/contract/connections.ts';
import type { CheckStep } from '../../shared/contract/network.ts';
import type { Connection } from '../../shared/domain/connection.ts';
import { countOf, formatCredits } from '../../shared/domain/text/figures.ts';
import { appError } from '../../shared/errors.ts';
import { fail, mapResult, ok, type Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { testConnection } from '../core/diagnostics/test-connection.ts';
import { checkAddress } from '../core/network/check-address.ts';
import type { HandlersOf } from './dispatcher.ts';
import type { Shell } from './shell.ts';

export function connectionHandlers(core: AppCore, { windows }: Shell): HandlersOf<typeof connectionChannels> {
  const { connections, secrets, settings, demo, descriptions, lookup, licences, emit } = core;

  function view(connection: Connection): Result<ConnectionView> {
    const handles = secrets.list(connection.id);
    if (!handles.ok) return handles;
    return ok({
      connection,
      secrets: handles.value,
      demoPort: connection.kind === 'demo' ? demo.port() : null,
      lastShape: lookup.shapes.last(connection),
    });
  }

  /** Notifies the windows that the list has changed, and where keys are stored now. */
  async function changed(): Promise<void> {
    emit('connections.changed', {});
    const store = await secrets.store();
    if (store.ok) emit('secrets.store', store.value);
  }

  async function thenChanged<T>(work: Promise<Result<T>> | Result<T>): Promise<Result<T>> {
    const result = await work;
    if (result.ok) await changed();
    return result;
  }

  /** As `thenChanged`, after a change of keys: balances and saved answers that are shown go by these, as by the addresses. */
  async function thenKeysChanged<T>(work: Promise<Result<T>> | Result<T>): Promise<Result<T>> {
    const result = await thenChanged(work);
    if (result.ok) emit('storage.changed', {});
    return result;
  }

  async function save(
    id: string | null,
    draft: Parameters<typeof connections.add>[0],
  ): Promise<Result<ConnectionView>> {
    if (id === null) {
      const added = connections.add(draft);
      if (!added.ok) return added;
      const selected = settings.read('selectedConnectionId');
      if (selected.ok && selected.value === null) settings.write('selectedConnectionId', added.value.id);
      return view(added.value);
    }
    const before = connections.find(id);
    const updated = await connections.update(id, draft);
    if (!updated.ok) return updated;
    const { connection } = updated.value;
    // Licences, balances and saved answers that are shown go by these: others were put aside, or have come back.
    const isMoved = (['restBaseUrl', 'soapUrl', 'accountName'] as const).some(
      (name) => before.ok && before.value[name] !== connection[name],
    );
    if (isMoved) emit('storage.changed', {});
    return view(connection);
  }

  /** The later steps of a change need the keys, and what was left half done could only be closed: not finished, and not undone. */
  function checkChanges(connectionId: string): Result<void> {
    const changes = licences.unfinished();
    if (!changes.ok) return changes;
    return changes.value.some((change) => change.connectionId === connectionId && change.state === 'running')
      ? fail(
          appError('bad-input', {
            message: 'A licence change of this connection is running.',
            next: 'Wait for its end, or stop it under Licences, then remove the connection.',
            charge: 'not-applicable',
          }),
        )
      : ok(undefined);
  }

  async function remove(connectionId: string): Promise<Result<{ removedSecrets: number }>> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const before = checkChanges(connectionId);
    if (!before.ok) return before;
    const ended = await core.batches.endAllOf(connectionId);
    if (!ended.ok) return ended;
    // Another window or command may have begun one while the batches ended.
    const now = checkChanges(connectionId);
    if (!now.ok) return fail({ ...now.error, next: `${now.error.next} Its batches have been ended already.` });
    const removed = await connections.remove(connectionId, () => {
      descriptions.forget(connectionId);
      licences.forgetConnection(connectionId);
    });
    if (!removed.ok) return removed;
    if (connection.value.kind === 'demo') await demo.stop();
    const selected = settings.read('selectedConnectionId');
    if (selected.ok && selected.value === connectionId) {
      const left = connections.list();
      settings.write('selectedConnectionId', left.ok ? (left.value[0]?.id ?? null) : null);
    }
    return ok({ removedSecrets: removed.value.secretsRemoved });
  }

  return {
    'connections.list': async (_, { window }) => {
      const listed = connections.list();
      if (!listed.ok) return listed;
      const store = await secrets.store();
      if (!store.ok) return store;
      const views: ConnectionView[] = [];
      for (const connection of listed.value) {
        const one = view(connection);
        if (!one.ok) return one;
        views.push(one.value);
      }
      const selected = windows.connection(
        window,
        views.map(({ connection }) => connection.id),
      );
      return selected.ok ? ok({ connections: views, selectedId: selected.value, store: store.value }) : selected;
    },
    'connections.save': ({ id, draft }) => thenChanged(save(id, draft)),
    'connections.remove': ({ connectionId }) => thenChanged(remove(connectionId)),
    'connections.select': async ({ connectionId }, { window }) => {
      const ready = await demo.findRunning(connectionId);
      if (!ready.ok) return ready;
      const saved = windows.chooseConnection(window, connectionId);
      if (!saved.ok) return saved;
      void core.readFirstBalance(connectionId);
      return thenChanged(ok({}));
    },
    'connections.start-demo': async (_, { window }) => {
      const started = await demo.start();
      if (!started.ok) return started;
      windows.chooseConnection(window, started.value.id);
      return thenChanged(view(started.value));
    },
    'connections.test': async ({ connectionId }, { signal, requestId }) => {
      const connection = await demo.findRunning(connectionId);
      if (!connection.ok) return connection;
      const allowed = core.policy.checkConnection(connection.value);
      if (!allowed.ok) return allowed;
      const started = performance.now();
      const steps = await testConnection(connection.value, testCalls(connection.value), signal, (step) =>
        emit('connections.test-step', { requestId, step }),
      );
      return ok({ steps, totalMs: performance.now() - started });
    },
    'connections.read-description': async ({ connectionId }, { signal }) => {
      const connection = await demo.findRunning(connectionId);
      return connection.ok ? descriptions.readSummary(connection.value, signal) : connection;
    },
    'connections.last-description': ({ connectionId }) =>
      mapResult(connections.find(connectionId), (connection) => descriptions.lastSummary(connection)),
    'secrets.put': (secret) => thenKeysChanged(secrets.put(secret)),
    'secrets.replace': ({ secretId, value }) => thenKeysChanged(secrets.replace(secretId, value)),
    'secrets.try': async ({ connectionId, secretId }, { signal, requestId }) => {
      const connection = await demo.findRunning(connectionId);
      if (!connection.ok) return connection;
      const handles = secrets.list(connectionId);
      if (!handles.ok) return handles;
      const handle = handles.value.find(({ id }) => id === secretId);
      if (handle?.role !== 'lookup-key')
        return fail(
          appError('bad-input', {
            message: 'Only a lookup key can be tried with the free call.',
            charge: 'not-applicable',
            field: 'secretId',
          }),
        );
      return core.reader.read(connectionId, 'rest-key', { signal, requestId }, handle.label);
    },
    'secrets.remove': async ({ secretId }) => mapResult(await thenKeysChanged(secrets.remove(secretId)), () => ({})),
    'secrets.prefer': async ({ secretId }) => mapResult(await thenKeysChanged(secrets.prefer(secretId)), () => ({})),
  };

  function testCalls(connection: Connection) {
    return {
      checkAddress: (url: URL, signal: AbortSignal, report: (step: CheckStep) => void) =>
        checkAddress(url, core.checkParts, signal, report),
      readDescription: async (signal: AbortSignal): Promise<Result<string>> => {
        const drift = await descriptions.readSummary(connection, signal);
        if (!drift.ok) return drift;
        const { operationsFound, operationsPublished, findings } = drift.value;
        const differences = findings.length === 0 ? '' : `, ${countOf(findings.length, 'difference')}`;
        return ok(`${operationsFound} of the catalogue’s ${operationsPublished} SOAP operations${differences}`);
      },
      readBalance: async (signal: AbortSignal): Promise<Result<string>> => {
        const sample = await core.reader.read(connection.id, 'rest-key', { signal });
        if (!sample.ok) return sample;
        const { credits } = sample.value;
        const figure = credits === null ? 'answered without a number' : formatCredits(credits);
        return ok(`${figure}, by the free call GetCredits`);
      },
    };
  }
}
