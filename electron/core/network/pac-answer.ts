/** A system's answer, as far as this program can use it. */
export interface ReadPacAnswer {
  /** `http://host:port`, `https://host:port` or `socks5://host:port`; null: directly. */
  proxy: string | null;
  /** Parts before the one used that are unusable: SOCKS proxies of version 4 and what is not understood. */
  passedOver: string[];
  /** Parts after the one used. They are not tried. */
  untried: string[];
}

const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTPS: 'https', SOCKS5: 'socks5' };

/** Far more than a list of proxies takes; the rest is not read. */
const longestAnswer = 64 * 1024;
const mostParts = 200;

/**
 * Parses an answer in PAC form ("PROXY host:port; DIRECT"). The first usable part counts, and no other is tried after it: a second way
 * would be a second try of a call. SOCKS5 is supported; plain SOCKS means version 4, which cannot resolve names, and is skipped.
 */
export function readPacAnswer(answer: string): ReadPacAnswer {
  const parts = answer
    .slice(0, longestAnswer)
    .split(';', mostParts)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const passedOver: string[] = [];
  for (const [index, part] of parts.entries()) {
    const [kind = '', address = ''] = part.split(/\s+/);
    const untried = parts.slice(index + 1);
    if (kind.toUpperCase() === 'DIRECT') return { proxy: null, passedOver, untried };
    const scheme = schemes[kind.toUpperCase()];
    if (scheme !== undefined && address !== '') return { proxy: `${scheme}://${address}`, passedOver, untried };
    passedOver.push(part);
  }
  return { proxy: null, passedOver, untried: [] };
}
