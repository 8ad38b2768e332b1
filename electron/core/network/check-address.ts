import type { CheckStep, CheckStepId } from '../../../shared/contract/network.ts';
import { rootSourceText } from '../../../shared/domain/network.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { OpeningFailure } from '../transport/connect/opening-errors.ts';
import {
  endWith,
  type OpeningFacts,
  type OpeningObserver,
  type OpeningStep,
} from '../transport/connect/opening-steps.ts';
import type { SecureFacts } from '../transport/connect/read-certificates.ts';
import type { HttpTransport } from '../transport/http/http-transport.ts';
import { type ChooseRoute, formatRoute, type Route, routeReasons } from './choose-route.ts';

export interface CheckAddressParts {
  routeFor: ChooseRoute;
  /** Resolves once the certificates of the system have been read. */
  rootsReady(): Promise<void>;
  probe: HttpTransport['probe'];
  /** For the service, where a client certificate may be shown; else for updates. Absent: for the service. */
  forService?: boolean;
  /** Whether the program may connect to an address at all. */
  checkAddress(url: URL): Result<void>;
}

const formatHandshake = ({ protocol, chain, root }: SecureFacts): string => {
  const until = chain[0]?.validUntil.slice(0, 10);
  const from = root === null ? [] : root.sources.map((source) => rootSourceText[source]);
  return [
    protocol,
    until === undefined ? null : `certificate until ${until}`,
    from.length === 0 ? null : `trusted by ${from.join(' and ')}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
};

/** The certificate by which this computer identifies itself to the server. */
const formatClientCertificate = ({ client: { asked, given } }: SecureFacts): string[] => {
  if (given && asked === false) return ['A client certificate is set for this address; the server did not ask for it.'];
  if (given) return [`The client certificate set for this address was ${asked ? 'shown' : 'there to be shown'}.`];
  return asked
    ? ['The server asks for a client certificate; none is set for this address. If it insists, it refuses the call.']
    : [];
};

/** What a step found, on one line, and further details. */
const formatFacts: { [S in OpeningStep]: (facts: OpeningFacts[S]) => { text: string; notes?: string[] } } = {
  name: ({ host, addresses }) =>
    addresses.length === 1 && addresses[0] === host
      ? { text: `${host} (no lookup needed)` }
      : addresses.length === 1
        ? { text: addresses[0] ?? '' }
        : { text: `${addresses.length} addresses, ${addresses[0]} first`, notes: [addresses.join(', ')] },
  tcp: ({ address, port }) => ({ text: `${address}, port ${port}` }),
  'proxy-tls': (facts) => ({ text: formatHandshake(facts) }),
  tunnel: ({ target, status, statusText, signedIn, asked }) => ({
    text: `CONNECT ${target}: ${status} ${statusText}`.trim(),
    notes: signedIn
      ? [
          `The proxy asked for a sign-in and was given the one entered for it${asked > 1 ? ', with a second CONNECT' : ''}.`,
        ]
      : [],
  }),
  tls: (facts) => ({ text: formatHandshake(facts), notes: formatClientCertificate(facts) }),
};

const bare = (id: CheckStepId, proxied = false): CheckStep => ({
  id,
  state: 'running',
  proxied,
  text: '',
  notes: [],
  durationMs: null,
  error: null,
  handshake: null,
});

const handshakeOf = (id: OpeningStep, facts: OpeningFacts[OpeningStep] | null): SecureFacts | null =>
  facts !== null && (id === 'tls' || id === 'proxy-tls') ? (facts as SecureFacts) : null;

/**
 * No credits are involved in a check, whatever a call would have to say. That is said of the step alone: another step of a connection test
 * may have asked for the balance.
 */
const forCheck = ({ code, message, next, detail, field }: AppError): AppError =>
  appError(code, {
    message,
    next,
    detail,
    field,
    charge: 'not-applicable',
    money: 'This step sends no request to the service.',
  });

/**
 * Goes the way that a call to this address would go, up to but not including the request: proxy, name, TCP, tunnel, TLS. Returns the steps,
 * and reports each as it begins and ends.
 */
export async function checkAddress(
  url: URL,
  parts: CheckAddressParts,
  signal: AbortSignal,
  report: (step: CheckStep) => void,
): Promise<CheckStep[]> {
  const steps: CheckStep[] = [];
  const notify = (step: CheckStep): void => {
    const at = steps.findIndex(({ id }) => id === step.id);
    if (at === -1) steps.push(step);
    else steps[at] = step;
    report(step);
  };

  const asked = performance.now();
  notify({ ...bare('choice'), text: 'Reading which certificates this computer trusts, and its proxy …' });
  const route = await endWith(signal, chooseRoute(url, parts));
  const durationMs = performance.now() - asked;
  if (!route.ok) {
    const error = forCheck(route.error);
    notify({ ...bare('choice'), state: 'failed', text: error.message, durationMs, error });
    return steps;
  }
  const step = (id: CheckStepId): CheckStep => bare(id, route.value.proxy !== null);
  notify({
    ...step('choice'),
    state: 'passed',
    text: formatRoute(route.value),
    notes: routeReasons(route.value),
    durationMs,
  });

  let began = 0;
  const observer: OpeningObserver = {
    began(id) {
      began = performance.now();
      notify(step(id));
    },
    ended(id, facts) {
      const said = facts === null ? { text: 'done' } : formatFacts[id](facts as never);
      notify({
        ...step(id),
        state: 'passed',
        text: said.text,
        notes: said.notes ?? [],
        durationMs: performance.now() - began,
        handshake: handshakeOf(id, facts),
      });
    },
    failed(id, failure, facts) {
      const error = forCheck(failure);
      const said = facts === null ? null : formatFacts[id](facts as never);
      notify({
        ...step(id),
        state: 'failed',
        text: error.message,
        notes:
          said === null
            ? []
            : id === 'tls' || id === 'proxy-tls'
              ? (said.notes ?? [])
              : [said.text, ...(said.notes ?? [])],
        durationMs: performance.now() - began,
        error,
        handshake: handshakeOf(id, facts),
      });
    },
  };
  const probed = await parts.probe(
    url,
    { proxy: route.value.proxy, forService: parts.forService ?? true },
    signal,
    observer,
  );
  if (!probed.ok && steps.every(({ state }) => state === 'passed')) {
    // Ended before its first step: stopped, or a proxy whose address is invalid.
    const error = forCheck(probed.error);
    notify({
      ...step('choice'),
      state: 'failed',
      text: error.message,
      notes: routeReasons(route.value),
      durationMs,
      error,
    });
  }
  if (probed.ok && url.protocol !== 'https:')
    notify({ ...step('tls'), state: 'skipped', text: 'not used (local address)' });
  return steps;
}

async function chooseRoute(
  url: URL,
  { checkAddress, rootsReady, routeFor }: Pick<CheckAddressParts, 'checkAddress' | 'rootsReady' | 'routeFor'>,
): Promise<Result<Route>> {
  const allowed = checkAddress(url);
  // Nobody is contacted unless the policy allows it.
  if (!allowed.ok) return allowed;
  try {
    await rootsReady();
    return ok(await routeFor(url));
  } catch (error) {
    if (error instanceof OpeningFailure) return fail(error.failure);
    throw error;
  }
}
