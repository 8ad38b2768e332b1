import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultsInLog } from '../../../build/package/program-log.ts';
import { createFileLogger } from '../../../electron/platform/logger.ts';

it('every fault in the log is named, except the end of the engine’s GPU process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-log-'));
  const logger = createFileLogger(folder);
  const log = () => readFileSync(join(folder, 'console.log'), 'utf8');
  logger.error('engine, process GPU: abnormal-exit', null);
  logger.error('engine, process GPU: launch-failed', null);
  expect(log().trim().split('\n')).toHaveLength(2);
  expect(faultsInLog(log())).toEqual([]);
  logger.error('engine, process Utility: crashed', null);
  logger.error('channel', new TypeError('no'));
  expect(faultsInLog(log())).toEqual([
    expect.stringMatching(/^\S+ engine, process Utility: crashed$/),
    expect.stringMatching(/^\S+ channel TypeError\n {2}at /),
  ]);
});
