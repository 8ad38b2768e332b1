/** A system's answer, as far as this program can use it. */
export interface ReadPacAnswer {
  /** `http://host:port` or `https://host:port`; null: directly. */
  proxy: string | null;
  /** Parts before the one used that cannot be: SOCKS proxies and what is not understood. */
  passedOver: string[];
  /** Parts after the one used. They are not tried. */
  untried: string[];
}

/**
 * Reads an answer in PAC form ("PROXY host:port; DIRECT"). The first part that can be used counts, and no other is tried after it: a
 * second way would be a second try of a call. SOCKS is passed over: the HTTP stack speaks HTTP proxies only.
 */
export function readPacAnswer(answer: string): ReadPacAnswer {
  const parts = answer
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const passedOver: string[] = [];
  for (const [index, part] of parts.entries()) {
    const [kind = '', address = ''] = part.split(/\s+/);
    const untried = parts.slice(index + 1);
    if (kind.toUpperCase() === 'DIRECT') return { proxy: null, passedOver, untried };
    if (address !== '' && kind.toUpperCase() === 'PROXY') return { proxy: `http://${address}`, passedOver, untried };
    if (address !== '' && kind.toUpperCase() === 'HTTPS') return { proxy: `https://${address}`, passedOver, untried };
    passedOver.push(part);
  }
  return { proxy: null, passedOver, untried: [] };
}
