import { flushCompileCache } from 'node:module';
import { openDatabase } from '../../electron/core/storage/database/database.ts';
import { systemClock } from '../../electron/platform/clock.ts';

// Runs as a separate process: opens the program's database in each folder that it is sent, and answers with the outcome.
process.on('message', (folder: string) => {
  const opened = openDatabase({ folder, clock: systemClock });
  if (opened.ok) opened.value.close();
  process.send?.(opened.ok ? { recovery: opened.value.recovery } : { error: opened.error });
});
// The processes that are started after this one need not compile the same modules.
flushCompileCache();
process.send?.('ready');
