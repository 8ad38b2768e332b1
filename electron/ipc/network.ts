import type { networkChannels } from '../../shared/contract/network.ts';
import { ok } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { checkNetwork } from '../core/network/check-network.ts';
import type { HandlersOf } from './dispatcher.ts';
import type { Shell } from './shell.ts';

export function networkHandlers(
  { network, checkParts, demo, updates, emit }: AppCore,
  shell: Pick<Shell, 'openTextFile' | 'chooseFile'>,
): HandlersOf<typeof networkChannels> {
  /** Every answer counts the trusted certificates, so the system's must be read first. */
  async function counted<T>(work: () => T | Promise<T>): Promise<T> {
    await network.trust().ready();
    return work();
  }

  return {
    'network.state': () => counted(network.state),
    'network.save': ({ choice }) => counted(() => network.choose(choice)),
    'network.choose-ca-file': async () => {
      const allowed = network.checkFiles();
      if (!allowed.ok) return allowed;
      const file = await shell.openTextFile({ title: 'Trust more authorities', extensions: ['pem', 'crt', 'cer'] });
      if (!file.ok) return file;
      if (file.value === null) return ok({ state: null });
      const { value } = file;
      const taken = await counted(() => network.takeCaFile(value));
      return taken.ok ? ok({ state: taken.value }) : taken;
    },
    'network.remove-ca': () => counted(network.removeCaFile),
    'network.choose-client-certificate': async ({ address, passphrase }) => {
      const allowed = network.checkClientCertificate(address);
      if (!allowed.ok) return allowed;
      const { fileLocked } = allowed.value;
      const path = fileLocked
        ? null
        : await shell.chooseFile({ title: 'Client certificate', extensions: ['pfx', 'p12', 'pem'] });
      if (path === null && !fileLocked) return ok({ state: null });
      const taken = await counted(() => network.useClientCertificate({ address, path, passphrase }));
      return taken.ok ? ok({ state: taken.value }) : taken;
    },
    'network.forget-client-certificate': ({ certificateId }) =>
      counted(() => network.forgetClientCertificate(certificateId)),
    'network.sign-in': (request) => counted(() => network.signIn(request)),
    'network.forget-sign-in': ({ signInId }) => counted(() => network.forgetSignIn(signInId)),
    'network.check': async ({ checkId, connectionId }, { signal }) => {
      const connection = connectionId === null ? ok(null) : await demo.findRunning(connectionId);
      if (!connection.ok) return connection;
      const { mode, address } = updates.state();
      const request = {
        connection: connection.value,
        // With updates off nothing is asked of their address, so it is not checked.
        updateAddress: mode === 'off' ? '' : address,
        at: new Date().toISOString(),
      };
      return ok(
        await checkNetwork(request, checkParts, signal, (index, checked, step) =>
          emit('network.check-step', { checkId, index, address: checked, step }),
        ),
      );
    },
  };
}
