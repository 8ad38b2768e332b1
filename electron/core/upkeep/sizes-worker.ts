import { parentPort, workerData } from 'node:worker_threads';
import { readSizes } from './read-sizes.ts';

// A thread that ends: it reads every page of the database, which takes a second for some 500 MB.
parentPort?.postMessage(readSizes(String(workerData)));
