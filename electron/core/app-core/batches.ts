import { addressOf, type Connection, type Protocol } from '../../../shared/domain/connection.ts';
import { createBatches } from '../batch/batches.ts';
import { createQuestions } from '../batch/run/questions.ts';
import { createTableThread } from '../batch/survey/table-thread.ts';
import { createWorkbooks } from '../batch/table/workbooks.ts';
import { systemPauses } from '../concurrency/pauses.ts';
import type { createLookup } from '../lookup/lookup.ts';
import { checkOperation } from '../policy/apply-policy.ts';
import { readOrDefault } from '../settings/settings.ts';
import type { CallParts } from './calls.ts';
import type { ConnectionParts } from './connections.ts';
import type { BaseParts } from './options.ts';

/** Tables asked row by row, over the same calls and saved answers as the lookup screen. */
export function buildBatches(
  { options, db, clock, settings }: BaseParts,
  { connections, secrets }: ConnectionParts,
  { clients, ledger, credits }: CallParts,
  { answers, shapes }: ReturnType<typeof createLookup>,
) {
  const { policy } = options.policy;

  /** Whether calls over a protocol are possible: its address, a credential, and the policy. */
  function can(connection: Connection, protocol: Protocol, operation: string): boolean {
    if (addressOf(connection, protocol) === '') return false;
    if (!checkOperation(policy, protocol, operation).ok) return false;
    if (connection.kind === 'demo') return true;
    const handles = secrets.list(connection.id);
    const role = protocol === 'rest' ? 'lookup-key' : 'licence-id';
    return handles.ok && handles.value.some((handle) => handle.role === role);
  }

  return createBatches({
    folder: options.folder,
    db,
    clock,
    pauses: options.pauses ?? systemPauses(clock),
    connections,
    secrets,
    questions: createQuestions({ connections, clients, answers, shapes, can }),
    ledger,
    workbooks: createWorkbooks(options.workbookWorker),
    tableThread: createTableThread(options.tableWorker),
    userName: options.userName,
    keptDays: () => readOrDefault(settings, 'batchDays'),
    sampleBalance: credits.reader.readFree,
    onChange: (batch) => options.emit('batch.changed', batch),
    onRunning: (isAny) => options.keepAwake?.(isAny),
  });
}
