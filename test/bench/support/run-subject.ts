import { pathToFileURL } from 'node:url';
import type { Row, Subject } from './rows.ts';

/** One subject in a process of its own, so that none is warmed up or slowed down by another: `run-subject.ts <file> [--quick]`. */
const [file = '', ...flags] = process.argv.slice(2);
const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
const subject = Object.values(module).find((value): value is Subject => typeof value === 'function');
if (!subject) throw new Error(`${file} exports no function.`);
const rows: Row[] = await subject({ quick: flags.includes('--quick') });
process.send?.(rows);
// Started by hand it shows them itself.
if (process.send === undefined) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
process.disconnect?.();
