import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { leaveRowOut } from '../../../renderer/features/bulk/bulk-run.ts';
import { bulkKey } from '../../../renderer/features/bulk/queries.ts';
import type { Bulk } from '../../../shared/domain/licences/licence-bulk.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok } from '../../../shared/result.ts';

const bulk = { id: 'b', connectionId: 'c', moveTo: 'NEW', rows: [{ row: 1 }], leftOut: [] } as unknown as Bulk;
const answer = (result: unknown) =>
  vi.stubGlobal('window', { api: { call: { 'bulk.leave-out': async () => result }, cancel: async () => {} } });
afterEach(() => vi.unstubAllGlobals());

test('whether a row was left out is known only from the answer: one that does not wait any more was not', async () => {
  const client = new QueryClient();
  const row = bulk.rows[0] as Bulk['rows'][number];
  answer(fail(appError('bad-input', { message: 'It is no longer waiting.', charge: 'not-applicable' })));
  expect(await leaveRowOut(client, bulk, row, true)).toBe(false);
  expect(client.getQueryData(bulkKey('c', true))).toBeUndefined();
  answer(ok({ ...bulk, leftOut: [1] }));
  expect(await leaveRowOut(client, bulk, row, true)).toBe(true);
  expect(client.getQueryData(bulkKey('c', true))).toEqual({ bulk: { ...bulk, leftOut: [1] } });
});
