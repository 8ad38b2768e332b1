import { createConnections } from '../connections/connections.ts';
import { createDemo } from '../connections/demo.ts';
import { createProfiles } from '../connections/profiles.ts';
import { createSecrets } from '../connections/secrets.ts';
import { connectionsWithPolicy } from '../policy/enforce-policy.ts';
import type { BaseParts } from './options.ts';

export type ConnectionParts = ReturnType<typeof buildConnections>;

/** Connections, their secrets and the demo service; `close` ends the service. */
export function buildConnections({ options, db, clock, keychain }: BaseParts) {
  const launcher = options.demo;
  const demoSecrets = () => launcher.running()?.demo;
  const secrets = createSecrets({ db, keychain, clock, demoSecrets });
  const connections = connectionsWithPolicy(createConnections({ db, secrets, clock }), options.policy.policy);
  const demo = createDemo(connections, launcher);
  const profileFor = createProfiles({ secrets, demoSecrets });
  const demoOrigin = (): string | null => {
    const running = launcher.running();
    return running ? new URL(running.restBaseUrl).origin : null;
  };
  return { secrets, connections, demo, profileFor, demoOrigin, close: () => launcher.stop() };
}
