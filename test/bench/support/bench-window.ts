import type { Page } from 'playwright';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { openConnectionsRepository } from '../../../electron/core/storage/connections-repository.ts';
import type { Database } from '../../../electron/core/storage/database/database.ts';
import { emptyConnectionDraft } from '../../../shared/domain/connection.ts';
import { type ConsoleOptions, launchConsole, type RunningConsole } from '../../helpers/console.ts';
import { noKeychain } from '../../helpers/demo-process.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** The connection that a bench's window opens with. Nothing answers at its address. */
export const connectionId = 'bench-connection';

/** Writes the connection into an empty database and selects it. */
export function writeConnection(db: Database): void {
  openConnectionsRepository(db.sql).insert(
    connectionId,
    {
      ...emptyConnectionDraft,
      name: 'Bench',
      kind: 'test',
      soapUrl: 'http://127.0.0.1:1/soap',
      preferredInterface: 'soap',
      accountName: 'bench',
    },
    new Date().toISOString(),
  );
  unwrap(createSettings(db).write('selectedConnectionId', connectionId));
}

/** The built program with a data folder, after its work at the start has ended. */
export async function openWindow(dataFolder: string, options: ConsoleOptions = {}): Promise<RunningConsole> {
  const running = await launchConsole({ ...options, dataFolder, env: noKeychain });
  await running.page.getByRole('heading', { level: 1 }).first().waitFor();
  await running.page.waitForTimeout(6000);
  return running;
}

/** Milliseconds from Control and a digit to the frame after more than `most` elements are there. */
export const timeKey = (page: Page, digit: string, selector: string, most: number): Promise<number> =>
  page.evaluate(
    ([key, wanted, count]) =>
      new Promise<number>((done) => {
        const began = performance.now();
        const look = () => {
          if (document.querySelectorAll(wanted).length > count)
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
          else requestAnimationFrame(look);
        };
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { key, code: `Digit${key}`, ctrlKey: true, bubbles: true }),
        );
        look();
      }),
    [digit, selector, most] as const,
  );
