import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { askAndRead } from '../../../electron/core/transport/compare-answer.ts';
import type { IncomingAnswer, OutgoingRequest } from '../../../electron/core/transport/transport.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('an answer can be garbage-collected once returned, also if the connection keeps its request', async () => {
  const kept: OutgoingRequest[] = [];
  const answer = { status: 200, headers: {}, body: new Uint8Array() } as unknown as IncomingAnswer;
  async function ask(): Promise<WeakRef<object>> {
    const sent = await askAndRead(
      async (request) => {
        kept.push(request);
        await request.matches?.(answer);
        return { ok: true, value: answer };
      },
      {} as Omit<OutgoingRequest, 'matches'>,
      () => ({ records: [1] }),
      () => ({ verdict: 'same' }),
    );
    if (!sent.ok) throw new Error('not answered');
    expect(sent.value.compared.verdict).toBe('same');
    return new WeakRef(sent.value.value);
  }
  const value = await ask();
  await wait(0);
  collect();
  expect(kept).toHaveLength(1);
  expect(value.deref()).toBeUndefined();
});
