import type { OperationAnswer, OperationForm } from '../../../shared/contract/operations.ts';
import type { ChannelInput } from '../../../shared/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { type Account, keyPaidBy } from '../../lib/calls/account-key.ts';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { createCallStore } from '../../lib/session/call-store.ts';
import type { Asked } from './form-state.ts';

export type RunInput = ChannelInput<'operations.run'>;

/** Main keeps what is needed to page through an answer as long as a window shows it. A saved answer may be replaced by itself. */
function putAway({ answerId }: OperationAnswer, now: OperationAnswer | null): void {
  if (answerId !== now?.answerId) void call('operations.put-away', { answerIds: [answerId] }).catch(() => {});
}

/** An answer with what it was asked with, which the form need not have any more. */
export type ShownAnswer = OperationAnswer & { asked: Asked };

/** The calls of operations, by `runKey`. Fewer answers are remembered than elsewhere, since they may be large. */
export const runs = createCallStore<RunInput, ShownAnswer>(60, putAway);

/** The key of an operation's calls. With other secrets the same form asks for another account, whose answers these are not. */
export const runKey = (account: Account, { name, filled }: Pick<OperationForm, 'name' | 'filled'>): string =>
  keyPaidBy(account, (role) => filled.some((one) => one.role === role), name);

/** Calls the operation of a form once. While its last call is under way nothing is sent. */
export function run(account: Account, form: OperationForm, input: RunInput) {
  const key = () => runKey(account, form);
  const send = async (requestId: string) => ({
    ...(await call('operations.run', input, { requestId })),
    asked: input,
  });
  return runs.start(key(), input, send, key);
}

/** Shows the stored answer of an earlier call in place of the form's last one. Free. Returns the error, or null. */
export async function openStored(key: string, callId: string, asked: Asked): Promise<AppError | null> {
  try {
    runs.put(key, { ...(await call('operations.open-stored', { callId })), asked });
    return null;
  } catch (thrown) {
    return errorOf(thrown);
  }
}
