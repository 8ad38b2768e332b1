import tls from 'node:tls';
import type { SecretRole } from '../../shared/domain/connection.ts';
import { type AppError, appError, type Charge } from '../../shared/errors.ts';
import { fail, type Result } from '../../shared/result.ts';
import { chooseProxy } from '../core/policy/apply-policy.ts';
import { transportWithPolicy } from '../core/policy/enforce-policy.ts';
import type { Policy } from '../core/policy/policy-schema.ts';
import { createHttpTransport } from '../core/transport/http/http-transport.ts';
import type { Transport } from '../core/transport/transport.ts';
import { readMachinePolicy, withoutOwnAuthorities } from '../platform/policy-file.ts';
import type { Arguments } from './arguments.ts';
import { createNamedCertificate, type NamedCertificate } from './client-certificate.ts';
import { environmentSignIn, findProxy } from './environment-proxy.ts';
import type { Failure } from './printed.ts';
import type { Surroundings } from './surroundings.ts';

/** What one run of the command line has: a transport, and a signal for the user's interruption. */
export interface Session extends Pick<Surroundings, 'env' | 'folderName' | 'findKeychain' | 'warn'> {
  send: Transport;
  /** Sets the client certificate that is shown to the servers of a connection. */
  nameCertificate: NamedCertificate['name'];
  /** How licence changes and batches wait. */
  pauses: Surroundings['pauses'];
  signal: AbortSignal;
  /** Whether a person interrupted it (Ctrl-C), and not something that ends programs. */
  isByPerson(): boolean;
  /** Label of the secret to use if the keychain has several of a kind. */
  secretLabel: string | undefined;
  /** Set by a command of several calls: the roles of all of them, of which one must have a secret with that label. */
  labelledRoles?: readonly SecretRole[];
  /** The typed texts to check for keys before they are sent or stored; empty after `--send-anyway`. */
  typed: readonly string[];
  /** The settings that an administrator has made for this computer. */
  policy: Policy;
}

type Typed = Pick<Arguments, 'set' | 'machine' | 'licence' | 'to' | 'sendAnyway'>;

/** Both halves of each `field=value`, because a key may have been typed as either. */
const typedTexts = ({ set = [], machine, licence, to }: Partial<Typed>): string[] =>
  [...set.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]), machine, licence, to].filter(
    (text) => text !== undefined,
  );

/** A throw, which is a mistake of the program. Only the error's name is printed: its message may quote what was typed or received. */
export const mistake = (thrown: unknown, charge: Charge): AppError =>
  appError('internal', { charge, detail: thrown instanceof Error ? thrown.name : '' });

const ending = ['SIGINT', 'SIGTERM'] as const;

/** For so long signals belong to one Ctrl-C: from a terminal and from npm a command gets several (ms). */
const ofOneKeyMs = 1000;

/**
 * Runs one command. SIGINT (Ctrl-C) and SIGTERM cancel what is under way instead of ending the program, so that the output still says what a
 * call may have cost; one that comes more than a second after the first ends it at once. Errors: those of the command; `internal` if it
 * throws, which may have cost something once a request was begun.
 */
export async function runSession<T>(
  args: Pick<Arguments, 'secret'> & Partial<Typed>,
  { env, folderName, warn, findKeychain, pauses }: Surroundings,
  run: (session: Session) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const { policy, extraCa, notices } = await readMachinePolicy();
  for (const notice of notices) warn(notice);
  withoutOwnAuthorities(policy);
  const certificate = createNamedCertificate({ env, findKeychain }, policy);
  const transport = createHttpTransport({
    proxyFor: chooseProxy(policy, async (url) => findProxy(url, env)),
    // Without a window in which to choose a file, NODE_EXTRA_CA_CERTS names the user's authorities ('extra') where the command line runs in
    // Node; a packaged program never gets the variable (node_bindings.cc removes it). They are left out if the policy names a file, because
    // the administrator then decides who is trusted.
    extraCa: policy.extraCaFile === undefined ? [...extraCa, ...tls.getCACertificates('extra')] : extraCa,
    signInFor: environmentSignIn(env),
    clientCertificateFor: certificate.find,
  });
  const send = transportWithPolicy(transport.send, policy, () => null);
  let charge: Charge = 'not-charged';
  const interrupted = new AbortController();
  let isByPerson = false;
  let interruptedAt: number | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now();
      isByPerson = signal === 'SIGINT';
      interrupted.abort();
    } else if (performance.now() - interruptedAt > ofOneKeyMs) {
      stopListening();
      process.kill(process.pid, signal);
    }
  };
  const stopListening = (): void => {
    for (const name of ending) process.removeListener(name, interrupt);
  };
  for (const name of ending) process.on(name, interrupt);
  try {
    return await run({
      env,
      folderName,
      findKeychain,
      warn,
      pauses,
      send(request) {
        charge = 'may-have-been-charged';
        return send(request);
      },
      nameCertificate: certificate.name,
      policy,
      signal: interrupted.signal,
      isByPerson: () => isByPerson,
      secretLabel: args.secret,
      typed: args.sendAnyway ? [] : typedTexts(args),
    });
  } catch (thrown) {
    return fail(mistake(thrown, charge));
  } finally {
    // Once it is interrupted a further signal of the same Ctrl-C must not end it before its output.
    if (!interrupted.signal.aborted) stopListening();
    // A connection that does not close must not take the answer with it.
    await transport.close().catch(() => undefined);
  }
}
