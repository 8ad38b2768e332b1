import { createDescriptions } from '../calls/descriptions.ts';
import { createDecoder } from '../decode/decoder.ts';
import type { CheckAddressParts } from '../network/check-address.ts';
import { createNetwork } from '../network/network.ts';
import { checkAddress } from '../policy/apply-policy.ts';
import { transportWithPolicy } from '../policy/enforce-policy.ts';
import { readOrDefault } from '../settings/settings.ts';
import { openServiceDescriptions } from '../storage/service-descriptions.ts';
import { createHttpTransport } from '../transport/http/http-transport.ts';
import type { ConnectionParts } from './connections.ts';
import type { BaseParts } from './options.ts';

export type WayOut = ReturnType<typeof buildWayOut>;

/**
 * The network and the transport over it, under the policy, together with what decodes an answer. Calls leave by `send` alone; `connect` is
 * for updates, whose address is a setting of its own in the policy, so it checks none.
 */
export function buildWayOut(
  { options, db, clock, settings, keychain }: BaseParts,
  { secrets, demoOrigin }: Pick<ConnectionParts, 'secrets' | 'demoOrigin'>,
) {
  const { policy } = options.policy;
  const network = createNetwork({
    db,
    settings,
    policy: options.policy,
    keychain,
    secrets,
    clock,
    askSystem: options.proxyFor,
    onChange: () => transport.renew(),
  });
  const { routeFor, signInFor, clientCertificateFor, trust } = network;
  const rootsReady = () => trust().ready();
  // Begun at the start, so that the first call seldom waits for it; a call that must wait does so before its time-outs begin.
  void rootsReady();
  const transport = createHttpTransport({
    proxyFor: async (url) => {
      await rootsReady();
      return (await routeFor(url)).proxy;
    },
    trust,
    signInFor,
    clientCertificateFor,
  });
  const send = transportWithPolicy(transport.send, policy, demoOrigin);
  /** What a check of the way to an address needs: what a call has, and no more. */
  const checkParts: CheckAddressParts = {
    routeFor,
    rootsReady,
    probe: transport.probe,
    checkAddress: (url) => checkAddress(policy, url, demoOrigin()),
  };
  const decoder = createDecoder({ workerPath: options.decodeWorker });
  const timeoutMs = (): number => readOrDefault(settings, 'timeoutSeconds') * 1000;
  const descriptions = createDescriptions(openServiceDescriptions(db), send, timeoutMs, decoder);
  return {
    network,
    send,
    checkParts,
    connect: transport.connect,
    decoder,
    timeoutMs,
    descriptions,
    close: () => Promise.allSettled([transport.close(), decoder.close()]),
  };
}
