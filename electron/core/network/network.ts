import { X509Certificate } from 'node:crypto';
import type { CaFile, NetworkState, ProxyChoice } from '../../../shared/domain/network.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow, type Keychain } from '../../ports.ts';
import type { Secrets } from '../connections/secrets.ts';
import { readPolicyCertificates } from '../policy/policy-schema.ts';
import type { MachinePolicy } from '../policy/read-policy.ts';
import { readOrDefault, type Settings } from '../settings/settings.ts';
import type { Database } from '../storage/database/database.ts';
import { describeCertificate } from '../transport/connect/read-certificates.ts';
import { createTrust, type Trust } from '../transport/connect/trusted-roots.ts';
import { readCaFile } from './ca-file.ts';
import { createRoutes } from './choose-route.ts';
import { createClientCertificates, type NewClientCertificate, readCertificateOrigin } from './client-certificates.ts';
import { describeEnvironment } from './environment.ts';
import { createProxySignIns, type NewSignIn } from './proxy-sign-ins.ts';

export interface NetworkParts {
  db: Database;
  settings: Settings;
  policy: MachinePolicy;
  keychain: Keychain;
  secrets: Pick<Secrets, 'mutex'>;
  clock: Clock;
  /** The system's answer about its proxy, in PAC form; null: it has none. */
  askSystem(url: URL): Promise<string | null>;
  /** Something about the way out has changed: the next call uses it. */
  onChange(): void;
}

const forbids = (message: string): Result<never> =>
  fail(appError('policy-forbids', { message, charge: 'not-applicable' }));

/**
 * How calls reach the network: the proxy, the sign-in for it, the certificate shown to a server that asks, and the trusted roots; the
 * policy's choice before the user's.
 */
export function createNetwork(parts: NetworkParts) {
  const { db, settings, policy: machine, keychain, clock, secrets } = parts;
  const { policy, source, extraCa } = machine;
  const signIns = createProxySignIns({ db, settings, keychain, clock, secrets });
  const certificates = createClientCertificates({
    db,
    settings,
    keychain,
    clock,
    policyFiles: readPolicyCertificates(policy),
    secrets,
  });
  const choiceLocked = policy.proxy !== undefined;
  const filesLocked = policy.extraCaFile !== undefined;

  const userChoice = (): ProxyChoice => readOrDefault(settings, 'proxyChoice');
  const routeFor = createRoutes({ policy: policy.proxy, user: userChoice, askSystem: parts.askSystem });

  const makeTrust = (): Trust => {
    const own = settings.read('caFile');
    const used = !filesLocked && own.ok && own.value !== null ? own.value.pem : [];
    return createTrust([
      { source: 'policy-file', pem: extraCa },
      { source: 'user-file', pem: used },
    ]);
  };
  let trust = makeTrust();

  function changed(): Result<NetworkState> {
    trust = makeTrust();
    parts.onChange();
    return state();
  }
  const after = (done: Result<unknown>): Result<NetworkState> => (done.ok ? changed() : done);

  const checkFiles = (): Result<void> =>
    filesLocked ? forbids('A policy of this computer says which certificates are trusted.') : ok(undefined);

  function listFiles(): Result<CaFile[]> {
    const own = settings.read('caFile');
    if (!own.ok) return own;
    const files: CaFile[] = [];
    const view = (pem: readonly string[]) => pem.map((one) => describeCertificate(new X509Certificate(one)));
    if (policy.extraCaFile !== undefined)
      files.push({
        source: 'policy-file',
        name: policy.extraCaFile,
        used: true,
        certificates: view(extraCa),
      });
    if (own.value !== null)
      files.push({
        source: 'user-file',
        name: own.value.name,
        used: !filesLocked,
        certificates: view(own.value.pem),
      });
    return ok(files);
  }

  function state(): Result<NetworkState> {
    const files = listFiles();
    if (!files.ok) return files;
    const listed = signIns.list();
    if (!listed.ok) return listed;
    const shown = certificates.list();
    if (!shown.ok) return shown;
    return ok({
      choice: policy.proxy ?? userChoice(),
      choiceLockedBy: choiceLocked ? source : null,
      filesLockedBy: filesLocked ? source : null,
      signIns: listed.value,
      clientCertificates: shown.value,
      files: files.value,
      roots: trust.counts(),
      environment: describeEnvironment(process.env),
      store: signIns.store,
    });
  }

  return {
    state,
    routeFor,
    signInFor: signIns.find,
    clientCertificateFor: certificates.find,
    trust: (): Trust => trust,
    /** The user's choice. Errors: `policy-forbids`, `storage-failed`. */
    choose(choice: ProxyChoice): Result<NetworkState> {
      if (choiceLocked) return forbids('A policy of this computer sets the proxy.');
      return after(settings.write('proxyChoice', choice));
    },
    /** Whether a file may be chosen at all: checked before a dialog opens. */
    checkFiles,
    /** Replaces the certificates by those of a file. Errors: `bad-input`, `policy-forbids`, `storage-failed`. */
    takeCaFile(file: { name: string; text: string }): Result<NetworkState> {
      const allowed = checkFiles();
      if (!allowed.ok) return allowed;
      const pem = readCaFile(file.text, clock.now());
      if (!pem.ok) return pem;
      return after(settings.write('caFile', { name: file.name.slice(0, 260), addedAt: isoNow(clock), pem: pem.value }));
    },
    /** Always allowed: it only takes trust away. */
    removeCaFile: (): Result<NetworkState> => after(settings.write('caFile', null)),
    signIn: async (request: NewSignIn): Promise<Result<NetworkState>> => after(await signIns.put(request)),
    forgetSignIn: async (id: string): Promise<Result<NetworkState>> => after(await signIns.forget(id)),
    /** Whether an address can have one, and whether a policy names its file: checked before a dialog opens. */
    checkClientCertificate: (address: string): Result<{ fileLocked: boolean }> => {
      const origin = readCertificateOrigin(address);
      return origin.ok ? ok({ fileLocked: certificates.isNamedByPolicy(origin.value) }) : origin;
    },
    useClientCertificate: async (request: NewClientCertificate): Promise<Result<NetworkState>> =>
      after(await certificates.put(request)),
    forgetClientCertificate: async (id: string): Promise<Result<NetworkState>> => after(await certificates.forget(id)),
  };
}
