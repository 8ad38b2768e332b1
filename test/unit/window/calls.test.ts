import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '../../../renderer/lib/calls/bridge.ts';
import { brokenOff, CallError, errorOf } from '../../../renderer/lib/calls/errors.ts';
import { type ChannelName, channels } from '../../../shared/contract.ts';
import { features } from '../../helpers/faulty-features.ts';

// The window's side of a call that main does not answer.

const broken = () => Promise.reject(new Error('the other end is gone'));

beforeEach(() => {
  vi.stubGlobal('window', {
    api: { call: { 'lookup.search': broken, 'settings.read': broken }, cancel: () => Promise.resolve() },
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a call to the service that breaks off has an unknown charge', async () => {
  const thrown = await call('lookup.search', { connectionId: 'c', text: 'HR10 2DW' }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(CallError);
  expect(errorOf(thrown)).toMatchObject({ code: 'internal', charge: 'may-have-been-charged' });
});

test('a call to the main process alone says nothing about a charge, nor does a fault of the window', async () => {
  const thrown = await call('settings.read', {}).catch((error: unknown) => error);
  expect(errorOf(thrown)).toMatchObject({
    code: 'internal',
    charge: 'not-applicable',
    detail: 'the other end is gone',
  });
  expect(errorOf(new TypeError('x is undefined'))).toMatchObject({ code: 'internal', charge: 'not-applicable' });
});

test('every channel behind which the service is called has an unknown charge, and no other', () => {
  // The table of faults gives a batch that does not exist, so it lists its two channels among those that make no call.
  const calling = new Set<ChannelName>(['batch.run', 'batch.run-not-done', ...features.map(({ channel }) => channel)]);
  const unknown = (Object.keys(channels) as ChannelName[]).filter(
    (channel) => brokenOff(channel, 'gone').error.charge === 'may-have-been-charged',
  );
  expect(unknown.sort()).toEqual([...calling].sort());
});
