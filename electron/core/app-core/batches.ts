import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, LookupInterface } from '../../../shared/domain/connection.ts';
import { elapsedOf } from '../../ports.ts';
import { createBatches } from '../batch/batches.ts';
import { createQuestions } from '../batch/run/questions.ts';
import { createTableThread } from '../batch/survey/table-thread.ts';
import { createWorkbooks } from '../batch/table/workbooks.ts';
import type { createLookup } from '../lookup/lookup.ts';
import { checkOperation } from '../policy/apply-policy.ts';
import type { Settings } from '../settings/settings.ts';
import type { CallParts } from './calls.ts';
import type { ConnectionParts } from './connections.ts';
import type { Ground } from './options.ts';

/** For how many days the rows of an ended batch are kept: as the user has set it; the default if it cannot be read. */
export const keptDaysOf = (settings: Pick<Settings, 'read'>) => (): number => {
  const days = settings.read('batchDays');
  return days.ok ? days.value : 30;
};

/** Tables asked row by row, over the same calls and saved answers as the lookup screen. */
export function buildBatches(
  { options, db, clock, settings }: Ground,
  { connections, secrets }: ConnectionParts,
  { clients, ledger, credits }: CallParts,
  { answers, shapes }: ReturnType<typeof createLookup>,
) {
  const { policy } = options.policy;

  /** Whether calls over a protocol are possible: its address, a credential, and the policy. */
  function can(connection: Connection, protocol: LookupInterface, operation: string): boolean {
    if ((protocol === 'rest' ? connection.restBaseUrl : connection.soapUrl) === '') return false;
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
    pauses: options.pauses ?? {
      uptime: () => elapsedOf(clock),
      wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    },
    connections,
    secrets,
    questions: createQuestions({ connections, clients, answers, shapes, can }),
    ledger,
    workbooks: createWorkbooks(options.workbookWorker),
    tableThread: createTableThread(options.tableWorker),
    userName: options.userName,
    keptDays: keptDaysOf(settings),
    sampleBalance: credits.reader.readFree,
    onChange: (batch) => options.emit('batch.changed', batch),
  });
}
