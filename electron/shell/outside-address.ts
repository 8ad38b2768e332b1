/** Hosts whose pages may be opened in the system's browser. Exact names: no subdomain of them is meant (promise 20). */
const listedHosts: ReadonlySet<string> = new Set(['www.openstreetmap.org']);

/** Whether an address may be given to the system's browser: https, a listed host, no user, no other port. */
export function mayOpenOutside(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  return protocol === 'https:' && listedHosts.has(host) && username === '' && password === '';
}
