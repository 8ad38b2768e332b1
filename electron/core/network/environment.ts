import type { NetworkState } from '../../../shared/domain/network.ts';

/** What effect the environment variables have that people expect to count. Their values are not shown: one may hold a password. */
const effects: readonly { names: readonly string[]; effect: string }[] = [
  {
    names: ['HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
    effect:
      'Not read by this program. On Linux the system’s answer may be made from it where the desktop names no proxy; the command line reads it.',
  },
  { names: ['HTTP_PROXY'], effect: 'No effect: plain http is for this computer only.' },
  { names: ['NODE_USE_ENV_PROXY'], effect: 'No effect.' },
  { names: ['NODE_EXTRA_CA_CERTS'], effect: 'Not used. Choose the file here instead.' },
  {
    names: ['SSL_CERT_FILE', 'SSL_CERT_DIR'],
    effect: 'On Linux the system’s store is read from where it points. No effect elsewhere.',
  },
  { names: ['NODE_TLS_REJECT_UNAUTHORIZED'], effect: 'No effect: certificates are always checked.' },
];

const lookAlike = (name: string): string[] =>
  /PROXY$/.test(name) && !name.startsWith('NODE') ? [name, name.toLowerCase()] : [name];

/** Each variable that people expect to count, whether it is set, in either case, and its effect. No value is returned. */
export const describeEnvironment = (environment: NodeJS.ProcessEnv): NetworkState['environment'] =>
  effects.flatMap(({ names, effect }) =>
    names.map((name) => ({ name, set: lookAlike(name).some((one) => (environment[one] ?? '') !== ''), effect })),
  );
