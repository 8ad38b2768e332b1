/** Why an address cannot be used: https, or http for this computer only (promise 13). null: it can, or nothing is typed. */
export function addressProblem(text: string): string | null {
  if (text.trim() === '') return null;
  if (!URL.canParse(text.trim())) return 'Enter a web address that starts with https://';
  const { protocol, hostname, username, password } = new URL(text.trim());
  if (username !== '' || password !== '') return 'Leave out the name and password: keys have fields of their own.';
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && loopback)) return null;
  return 'Only https: a key would travel in the clear. Plain http is for this computer alone.';
}
