import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright';
// Declares window.api for the functions that run in the page.
import type {} from '../../renderer/lib/calls/bridge.ts';
import { launchConsole } from '../helpers/console.ts';
import { noKeychain } from '../helpers/demo-process.ts';
import { removeFolder } from '../helpers/folders.ts';
import { median } from './support/interleave.ts';
import type { OwnStart } from './support/own-start.ts';
import { type BenchOptions, compareWithLimit, milliseconds, type Row, reportFigure } from './support/rows.ts';

const built = join(import.meta.dirname, '..', '..', 'dist', 'main', 'main.js');
const ownStart = join(import.meta.dirname, 'support', 'own-start.ts');
/** Limit from main's first line to the first answered channel, in milliseconds of its thread's processor time. */
const ownLimit = 250;

/** The figure of the first trial of the development host, on a machine with nothing else to do. */
const limit = 1500;

interface Start {
  paint: number;
  answered: number;
  usable: number;
}

/**
 * From the start of the program's process to the window's first paint, to the first channel answered and to a screen that can be
 * used. A start into an empty data folder and one into a folder that was used before, in turns.
 */
export async function measureStart({ quick }: BenchOptions): Promise<Row[]> {
  const used = mkdtempSync(join(tmpdir(), 'address-console-bench-'));
  const starts = { fresh: [] as Start[], used: [] as Start[], own: [] as OwnStart[] };
  let host = '';
  const start = async (dataFolder: string): Promise<Start> => {
    const measured = await startOnce(dataFolder);
    host = measured.host;
    return measured;
  };
  try {
    await start(used);
    starts.own.push(...Array.from({ length: quick ? 3 : 15 }, () => ownStartOnce(used)));
    for (let round = 0; round < (quick ? 1 : 5); round += 1) {
      const folder = mkdtempSync(join(tmpdir(), 'address-console-bench-'));
      starts.fresh.push(await start(folder));
      removeFolder(folder);
      starts.used.push(await start(used));
    }
  } finally {
    removeFolder(used);
  }
  const middle = <K extends string>(of: Record<K, number>[], key: K) => median(of.map((one) => one[key]));
  return [
    {
      ...compareWithLimit(
        'our part: main’s first line to the first answered channel, without the host, processor time',
        middle(starts.own, 'thread'),
        ownLimit,
        milliseconds,
      ),
      other: `${milliseconds(middle(starts.own, 'process'))} all threads, ${milliseconds(middle(starts.own, 'clock'))} by the clock`,
    },
    compareWithLimit(`start to first answered channel (${host})`, middle(starts.used, 'answered'), limit, milliseconds),
    reportFigure('start to first paint', milliseconds(middle(starts.used, 'paint'))),
    reportFigure('start to a screen that can be used', milliseconds(middle(starts.used, 'usable'))),
    reportFigure('into an empty folder: channel', milliseconds(middle(starts.fresh, 'answered'))),
    reportFigure('into an empty folder: paint', milliseconds(middle(starts.fresh, 'paint'))),
  ];
}

/** Measures a second start in a separate process. */
const ownStartOnce = (dataFolder: string): OwnStart =>
  JSON.parse(
    execFileSync(process.execPath, [ownStart, built], {
      env: { ...process.env, ...noKeychain, ADDRESS_CONSOLE_DATA_FOLDER: dataFolder },
      encoding: 'utf8',
    }),
  ) as OwnStart;

async function startOnce(dataFolder: string): Promise<Start & { host: string }> {
  const recordFile = join(dataFolder, 'messages');
  rmSync(recordFile, { force: true });
  const began = Date.now();
  const answering = firstMessage(recordFile, began);
  const running = await launchConsole({
    dataFolder,
    recordFile,
    env: { ...noKeychain, ADDRESS_CONSOLE_DEMO_PREMISES: '4000' },
  });
  try {
    const usable = Date.now() - began;
    const paint = (await firstPaint(running.page)) - began;
    await running.page.evaluate(() => window.api.call['app.info']('bench-start', {}));
    const asked = Date.now() - began;
    // Electron writes no record: there the first call of the bench is taken, which is the latest possible moment.
    return { host: running.host, paint, usable, answered: (await answering.stop()) ?? asked };
  } finally {
    await running.close();
  }
}

/** When the first line was in the file, in milliseconds since `began`, checked every two milliseconds. */
function firstMessage(file: string, began: number): { stop(): Promise<number | undefined> } {
  let found: number | undefined;
  let stopped = false;
  const looking = (async () => {
    while (!stopped && found === undefined) {
      if (existsSync(file) && statSync(file).size > 0) found = Date.now() - began;
      else await wait(2);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await looking;
      return found;
    },
  };
}

/** Time of the first paint by the machine's clock. */
const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((found) => {
        new PerformanceObserver((list) => {
          const paint = list.getEntriesByName('first-contentful-paint')[0];
          if (paint) found(performance.timeOrigin + paint.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
