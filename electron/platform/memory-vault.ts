import { ok } from '../../shared/result.ts';
import type { Keychain } from '../ports.ts';

/** Replaces the keychain on a computer without one: secrets last until the program ends, and nothing is written. */
export function createMemoryVault(): Keychain {
  const services = new Map<string, Map<string, string>>();
  return {
    kind: 'memory',
    name: 'memory of this run',
    ignoresCase: false,
    get: async ({ service, account }) => ok(services.get(service)?.get(account) ?? null),
    set: async ({ service, account }, value) => {
      const accounts = services.get(service) ?? new Map<string, string>();
      services.set(service, accounts.set(account, value));
      return ok(undefined);
    },
    delete: async ({ service, account }) => ok(services.get(service)?.delete(account) ?? false),
    list: async (service) => ok([...(services.get(service)?.keys() ?? [])]),
    state: async () => 'unlocked',
  };
}
