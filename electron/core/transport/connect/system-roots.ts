import tls from 'node:tls';
import { Worker } from 'node:worker_threads';

// The system's store is read in a separate thread, once per process: macOS may ask the network about each certificate in it, which has
// taken from seconds to minutes on managed computers, and nothing else could happen meanwhile.

const program = `
  const { parentPort } = require('node:worker_threads');
  let roots = null;
  try { roots = require('node:tls').getCACertificates('system'); } catch {}
  parentPort.postMessage(roots);
`;

let reading: Promise<readonly string[] | null> | undefined;
let roots: readonly string[] | null | undefined;

/** The certificates that the operating system trusts, PEM; null: this runtime has no such list, or failed to read it. */
export function readSystemRoots(): Promise<readonly string[] | null> {
  reading ??= readInThread().then((read) => {
    roots = read;
    return read;
  });
  return reading;
}

/** What was read; undefined: it is not there yet. */
export const systemRoots = (): readonly string[] | null | undefined => roots;

function readInThread(): Promise<readonly string[] | null> {
  if (typeof tls.getCACertificates !== 'function') return Promise.resolve(null);
  return new Promise((done) => {
    // Without the flags of this process: a certificate needs no loader of a test.
    const worker = new Worker(program, { eval: true, execArgv: [] });
    worker.once('message', done);
    worker.once('error', () => done(null));
    worker.once('exit', () => done(null));
  });
}
