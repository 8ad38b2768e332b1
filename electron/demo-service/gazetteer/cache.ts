import { hash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buildGazetteer } from './build.ts';
import { towns } from './data/towns.ts';
import * as premiseWords from './data/words-premises.ts';
import * as streetWords from './data/words-streets.ts';

/** Raise when the generator or the schema changes, so that older cache files are built again. */
const gazetteerVersion = 1;

export interface StoreOptions {
  readonly seed: number;
  readonly premises: number;
  readonly cacheFile?: string | undefined;
}

export interface Store {
  readonly db: DatabaseSync;
  /** 'built': built now and saved. 'reused': read from an earlier file. 'memory': not saved, because no file was wanted or it could not be written. */
  readonly origin: 'built' | 'reused' | 'memory';
  /** Why the requested cache file is not used; '' if it is, or if none was requested. */
  readonly cacheProblem: string;
}

/** Identifies what a stored gazetteer was built from: version, options, towns and word lists. A different one means that it is built again. */
function fingerprintOf(options: StoreOptions): string {
  const data = hash('sha256', JSON.stringify([towns, premiseWords, streetWords])).slice(0, 16);
  return `v${gazetteerVersion} seed ${options.seed} premises ${options.premises} data ${data}`;
}

function openWhenWhole(file: string, fingerprint: string): DatabaseSync | null {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    const stored = db.prepare("SELECT value FROM meta WHERE name = 'fingerprint'").get();
    const check = db.prepare('PRAGMA quick_check(1)').get();
    if (stored?.value === fingerprint && check?.quick_check === 'ok') return db;
  } catch {
    // The file is missing, incomplete or not a database. In each case it is built again.
  }
  db?.close();
  return null;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the temporary files that killed builds left beside the cache file. */
function sweepLeftovers(file: string): void {
  const prefix = `${basename(file)}.building-`;
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (Number.isInteger(pid) && pid !== process.pid && !isRunning(pid))
      rmSync(join(dirname(file), name), { force: true });
  }
}

function buildFile(options: StoreOptions, file: string, fingerprint: string): void {
  const temporary = `${file}.building-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    const db = new DatabaseSync(temporary);
    try {
      // No journal is needed: the file is used only after it is complete and renamed. (Node's SQLite refuses journal_mode OFF.)
      db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536');
      buildGazetteer(db, options.seed, options.premises, fingerprint);
    } finally {
      db.close();
    }
    const handle = openSync(temporary, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function buildInMemory(options: StoreOptions, fingerprint: string): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  buildGazetteer(db, options.seed, options.premises, fingerprint);
  return db;
}

/**
 * Opens the stored gazetteer of these options, or builds it. If the cache file cannot be used (folder missing, disk
 * full, no rights), the gazetteer is built in memory and `cacheProblem` says why.
 * Throws RangeError for a seed or count out of bounds.
 */
export function openStore(options: StoreOptions): Store {
  const fingerprint = fingerprintOf(options);
  const file = options.cacheFile;
  if (file === undefined) return { db: buildInMemory(options, fingerprint), origin: 'memory', cacheProblem: '' };
  const stored = openWhenWhole(file, fingerprint);
  if (stored) return { db: stored, origin: 'reused', cacheProblem: '' };
  let cacheProblem = 'The file that was written could not be read back.';
  try {
    sweepLeftovers(file);
    buildFile(options, file, fingerprint);
    const built = openWhenWhole(file, fingerprint);
    if (built) return { db: built, origin: 'built', cacheProblem: '' };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    cacheProblem = error instanceof Error ? error.message : String(error);
  }
  return { db: buildInMemory(options, fingerprint), origin: 'memory', cacheProblem };
}
