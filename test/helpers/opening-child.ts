import { openDatabase } from '../../electron/core/storage/database/database.ts';
import { systemClock } from '../../electron/platform/clock.ts';

// A process that opens the program's database in each folder it is told, and answers what became of it.
process.on('message', (folder: string) => {
  const opened = openDatabase({ folder, clock: systemClock });
  if (opened.ok) opened.value.close();
  process.send?.(opened.ok ? { recovery: opened.value.recovery } : { error: opened.error });
});
process.send?.('ready');
