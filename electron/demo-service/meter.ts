/** Counts what reached the service and what it charged, for tests. */

interface MeterLine {
  /** Requests that named it, including refused ones and those that met a fault. */
  hits: number;
  /** Requests that were answered successfully. */
  answered: number;
  refused: number;
  credits: number;
}

interface MeterCall extends Pick<MeterLine, 'credits'> {
  /** Endpoint or operation. */
  name: string;
  /** Label of the key or licence (`lookup`, `licence 4101`), never its secret; '' if none was recognised. */
  payer: string;
  outcome: 'answered' | 'refused' | 'fault';
  /** SOAP version, or `http` for the HTTP bindings; absent for REST and for a fault. */
  version?: string;
}

export interface MeterState {
  /** TCP connections, also those over which only admin routes were requested. */
  connections: number;
  /** HTTP requests, without those of the admin routes. */
  requests: number;
  credits: number;
  calls: Record<string, MeterLine>;
  payers: Record<string, MeterLine>;
  /** The last 200 calls, oldest first. */
  recent: MeterCall[];
}

export interface Meter {
  countConnection(): void;
  countRequest(): void;
  record(call: MeterCall): void;
  read(): MeterState;
  /** Hits of one endpoint or operation; without a name all HTTP requests, those for the description among them. */
  hits(name?: string): number;
  reset(): void;
}

const emptyState = (): MeterState => ({
  connections: 0,
  requests: 0,
  credits: 0,
  calls: {},
  payers: {},
  recent: [],
});

/** A meter with all counts at zero. */
export function createMeter(): Meter {
  let state = emptyState();
  const add = (lines: Record<string, MeterLine>, name: string, call: MeterCall): void => {
    lines[name] ??= { hits: 0, answered: 0, refused: 0, credits: 0 };
    const line = lines[name];
    line.hits += 1;
    line.credits += call.credits;
    if (call.outcome === 'answered') line.answered += 1;
    if (call.outcome === 'refused') line.refused += 1;
  };
  return {
    countConnection: () => {
      state.connections += 1;
    },
    countRequest: () => {
      state.requests += 1;
    },
    record(call) {
      state.credits += call.credits;
      add(state.calls, call.name, call);
      if (call.payer !== '') add(state.payers, call.payer, call);
      state.recent.push(call);
      if (state.recent.length > 200) state.recent.shift();
    },
    read: () => structuredClone(state),
    hits: (name) => (name === undefined ? state.requests : (state.calls[name]?.hits ?? 0)),
    reset: () => {
      state = emptyState();
    },
  };
}
