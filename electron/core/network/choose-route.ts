import type { ProxyChoice } from '../../../shared/domain/network.ts';
import { OpeningFailure, proxyError } from '../transport/connect/opening-errors.ts';
import { isLoopbackHost } from '../transport/connect/origin.ts';
import { type ReadPacAnswer, readPacAnswer } from './pac-answer.ts';

/** How a request to an address leaves, and who decided it. */
export interface Route {
  /** The proxy's address; null: directly. */
  proxy: string | null;
  by: 'loopback' | 'policy' | 'user' | 'system';
  /** The system's answer if it was asked; answer null: it gave none. */
  system: (ReadPacAnswer & { answer: string | null }) | null;
}

export interface RouteParts {
  /** What the policy says; undefined: nothing. */
  policy: ProxyChoice | undefined;
  user(): ProxyChoice;
  /** The system's answer in PAC form; null: it has none; empty: it could not find out, as when its proxy script cannot be read. */
  askSystem(url: URL): Promise<string | null>;
  /** How long the system may take: its proxy script may ask the network. Milliseconds; default 10 000. */
  limitMs?: number;
}

/** Throws an OpeningFailure if the system does not answer. */
export type ChooseRoute = (url: URL) => Promise<Route>;

/**
 * A proxy script that never ends must not hold up a call, and a connection made without it, or without one that failed, might bypass a proxy
 * that is required.
 */
const silent = (what: string): OpeningFailure =>
  new OpeningFailure(proxyError(what, 'no answer from the system’s proxy settings'));

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(silent('The system did not say in time which proxy to use.')), limitMs);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** The policy's choice before the user's, the user's before the system's; this computer itself is never reached through a proxy. */
export function createRoutes({ policy, user, askSystem, limitMs = 10_000 }: RouteParts): ChooseRoute {
  return async (url) => {
    if (isLoopbackHost(url.hostname)) return { proxy: null, by: 'loopback', system: null };
    const by = policy === undefined ? 'user' : 'policy';
    const choice = policy ?? user();
    if (choice === 'direct') return { proxy: null, by, system: null };
    if (choice !== 'system') return { proxy: choice, by, system: null };
    let answer: string | null;
    try {
      answer = await within(limitMs, askSystem(url));
    } catch (error) {
      if (error instanceof OpeningFailure) throw error;
      answer = null;
    }
    if (answer === '') throw silent('The system could not find out which proxy to use.');
    const read = readPacAnswer(answer ?? '');
    return { proxy: read.proxy, by: 'system', system: { ...read, answer } };
  };
}

const longestQuote = 300;
const quote = (text: string): string =>
  text.length > longestQuote ? `“${text.slice(0, longestQuote)}…”` : `“${text}”`;

/** The proxy, or none, in a few words. */
export const formatRoute = ({ proxy, by }: Route): string => {
  if (by === 'loopback') return 'not used (local address)';
  return proxy ?? 'none for this address';
};

/** Why this way was chosen, a sentence each. */
export function routeReasons({ proxy, by, system }: Route): string[] {
  if (by === 'loopback') return ['Addresses on this computer never go through a proxy.'];
  if (by === 'policy') return ['A policy of this computer says so.'];
  if (by === 'user') return ['Your own setting says so.'];
  if (system?.answer == null)
    return ['The system gave no answer about its proxy, so the connection is made without one.'];
  const reasons = [`The system’s answer, as it came: ${quote(system.answer)}.`];
  if (system.passedOver.length > 0)
    reasons.push(
      `Not used, since this program speaks to HTTP and SOCKS5 proxies only: ${quote(system.passedOver.join('; '))}.${
        proxy === null ? ' No other proxy is named, so the connection is made without one.' : ''
      }`,
    );
  if (proxy !== null && system.untried.length > 0)
    reasons.push(`Not tried if this proxy fails: ${quote(system.untried.join('; '))}.`);
  return reasons;
}
