import { main } from './cli/main.ts';
import { ownProcess } from './cli/surroundings.ts';

process.exitCode = await main(process.argv.slice(2), ownProcess);
