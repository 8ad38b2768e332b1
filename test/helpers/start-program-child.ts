import { startProgram } from './program.ts';

// Starts the program with the given data folder, makes one search with its connection, and prints the outcome of each on a line.
const [folder = ''] = process.argv.slice(2);
const started = await startProgram({ folder });
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
print(started.ok ? { ok: true, value: started.value.core.startNotices } : started);
if (started.ok) {
  const { call, close } = started.value;
  const listed = await call('connections.list', {});
  const connectionId = listed.ok ? (listed.value.connections[0]?.connection.id ?? '') : '';
  print(await call('lookup.search', { connectionId, text: 'AB1 2DF' }));
  await close();
}
process.exit(0);
