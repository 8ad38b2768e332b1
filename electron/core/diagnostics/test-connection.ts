import type { TestStep } from '../../../shared/contract/connections.ts';
import type { CheckStep } from '../../../shared/contract/network.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import type { Result } from '../../../shared/result.ts';

type StepId = TestStep['id'];

/** What the last steps need of the console; each returns a text with what it found. */
export interface TestCalls {
  /** Goes the way of a call to an address, up to but not including the request, and reports each step. */
  checkAddress(url: URL, signal: AbortSignal, report: (step: CheckStep) => void): Promise<CheckStep[]>;
  readDescription(signal: AbortSignal): Promise<Result<string>>;
  readBalance(signal: AbortSignal): Promise<Result<string>>;
}

/**
 * Tests a connection in steps, reports each as it goes and returns them ended: proxy, name, TCP and TLS of the REST address, then the
 * balance; the same of the SOAP address, unless it is on the same server, then the description. Only GetCredits is called, which is free by
 * what is published: ServiceTest has no published price, so it is left to the Credits screen, where the user asks for it by name.
 */
export async function testConnection(
  connection: Connection,
  calls: TestCalls,
  signal: AbortSignal,
  report: (step: TestStep) => void,
): Promise<TestStep[]> {
  const steps: TestStep[] = [];

  async function step(id: StepId, side: TestStep['side'], work: () => Promise<Result<string>>): Promise<boolean> {
    report({ id, side, state: 'running', text: '', durationMs: null, error: null });
    const started = performance.now();
    const result = signal.aborted ? cancelled() : await work();
    const durationMs = performance.now() - started;
    const done: TestStep = result.ok
      ? { id, side, state: 'passed', text: result.value, durationMs, error: null }
      : { id, side, state: 'failed', text: result.error.message, durationMs, error: result.error };
    steps.push(done);
    report(done);
    return result.ok;
  }

  function skip(id: StepId, side: TestStep['side'], text: string): void {
    const done: TestStep = { id, side, state: 'skipped', text, durationMs: null, error: null };
    steps.push(done);
    report(done);
  }

  /** The way to one server, the same that a call takes. */
  async function reach(side: TestStep['side'], address: string): Promise<boolean> {
    const say = (step: CheckStep): TestStep => {
      // Behind a proxy the first steps lead to it, not to the server.
      const ofProxy = step.proxied && step.state === 'passed' && (step.id === 'name' || step.id === 'tcp');
      return asTestStep(ofProxy ? { ...step, text: `of the proxy: ${step.text}` } : step, side);
    };
    const gone = await calls.checkAddress(new URL(address), signal, (step) => report(say(step)));
    steps.push(...gone.map(say));
    return gone.every(({ state }) => state !== 'failed');
  }

  if (connection.restBaseUrl !== '') {
    if (await reach('rest', connection.restBaseUrl)) await step('balance', 'rest', () => calls.readBalance(signal));
    else skip('balance', 'rest', 'not asked: the server was not reached');
  }
  if (connection.soapUrl !== '') {
    const sameServer =
      connection.restBaseUrl !== '' && new URL(connection.restBaseUrl).origin === new URL(connection.soapUrl).origin;
    const reached = sameServer ? onlyBalanceFailed(steps) : await reach('soap', connection.soapUrl);
    if (reached) await step('description', 'soap', () => calls.readDescription(signal));
    else skip('description', 'soap', 'not read: the server was not reached');
  }
  if (steps.length === 0)
    await step('name', 'rest', async () => ({
      ok: false,
      error: appError('not-configured', {
        message: 'The connection has no REST and no SOAP address.',
      }),
    }));
  return steps;
}

const asTestStep = ({ id, state, text, durationMs, error }: CheckStep, side: TestStep['side']): TestStep => ({
  id: id === 'choice' ? 'proxy' : id,
  side,
  state,
  text,
  durationMs,
  error,
});

const onlyBalanceFailed = (steps: TestStep[]): boolean =>
  steps.every(({ id, state }) => state !== 'failed' || id === 'balance');

const cancelled = (): { ok: false; error: AppError } => ({
  ok: false,
  error: appError('cancelled', { charge: 'not-applicable' }),
});
