import { main } from './cli/main.ts';
import { sourceSurroundings } from './cli/surroundings.ts';

process.exitCode = await main(process.argv.slice(2), sourceSurroundings());
