import { readCommandLine, writeHelp } from './command-line.ts';
import { startDemoService } from './service.ts';

/** `npm run demo-service`: runs the demo service as a separate process. */
async function run(): Promise<void> {
  const given = readCommandLine(process.argv.slice(2));
  if (given.kind === 'help') {
    process.stdout.write(writeHelp());
    return;
  }
  if (given.kind === 'bad') return refuse(given.problem);
  try {
    const { restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, demo, stop } = await startDemoService(
      given.options,
    );
    process.stdout.write(`${JSON.stringify({ restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, demo })}\n`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
  } catch (error) {
    refuse(error instanceof Error ? error.message : 'The demo service did not start.');
  }
}

function refuse(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}

await run();
