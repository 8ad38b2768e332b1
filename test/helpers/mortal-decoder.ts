import { parentPort } from 'node:worker_threads';

// A decoding thread that ends in the middle of its work without a message.
parentPort?.on('message', () => process.exit(3));
