import { deflateRawSync, gzipSync } from 'node:zlib';

/** The ways in which a server or the network can fail, for tests that must meet each of them. */
export const faultKinds = [
  'delay',
  'hang',
  'reset',
  'reset-reused',
  'reset-connect',
  'close',
  'cut',
  'drip',
  'status',
  'html',
  'redirect',
  'redirect-loop',
  'empty',
  'truncate',
  'no-type',
  'wrong-type',
  'wrong-charset',
  'byte-order-mark',
  'garbage',
  'bad-head',
  'deep',
  'entity-bomb',
  'huge',
  'gzip-bomb',
  'broken-gzip',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The endpoint or operation it applies to; any if omitted. `reset-connect` applies to the next connection, whatever is asked over it. */
  readonly on?: string;
  /** How many requests it applies to; 1 if omitted. */
  readonly times?: number | 'always';
  /** How many matching requests pass unharmed before it. */
  readonly after?: number;
  /** For `delay`, the delay (200 if omitted); for `drip`, the pause between two pieces of 16 bytes (20 if omitted). */
  readonly milliseconds?: number;
  readonly status?: number;
  /** Body of `status` and `html`, and its content type. */
  readonly body?: string;
  readonly type?: string;
  /** Target of `redirect`. */
  readonly location?: string;
  /** Unpacked size of `huge` and `gzip-bomb`; 256 if omitted. */
  readonly megabytes?: number;
  /** Whether the request is carried out (and charged) before the fault: see `isExecuted`. */
  readonly execute?: boolean;
}

/** These faults damage an answer, so the service has carried the request out. The others happen on the way to the service. */
const executedByDefault: ReadonlySet<FaultKind> = new Set([
  'delay',
  'cut',
  'drip',
  'empty',
  'truncate',
  'no-type',
  'wrong-type',
  'wrong-charset',
  'byte-order-mark',
]);

/** Whether the service carries the request out (and charges for it) before this fault applies. */
export function isExecuted(fault: Fault): boolean {
  return fault.execute ?? executedByDefault.has(fault.kind);
}

export interface FaultSwitch {
  /** Arms more faults. Only the first one that matches a request counts it, and applies to it unless its `after` lets it pass. */
  set(...faults: Fault[]): void;
  clear(): void;
  /** Whether a fault is armed that could apply to a request. */
  isArmed(): boolean;
  /** The fault that applies to this request; counts as one use of it. */
  take(name: string, reusedSocket: boolean): Fault | undefined;
  /** Whether to reset the connection that was just accepted; counts as one use of the fault. */
  takeConnection(): boolean;
  /** A signal that is aborted when the switch is next cleared: delayed answers are then sent at once. */
  untilCleared(): AbortSignal;
  /** The faults that are still armed. */
  list(): Fault[];
}

interface Armed {
  readonly fault: Fault;
  toSkip: number;
  left: number;
}

/** A switch with nothing armed. */
export function createFaultSwitch(): FaultSwitch {
  let armed: Armed[] = [];
  let clearing = new AbortController();
  const use = (found: Armed | undefined): Fault | undefined => {
    if (!found) return undefined;
    if (found.toSkip > 0) {
      found.toSkip -= 1;
      return undefined;
    }
    found.left -= 1;
    armed = armed.filter(({ left }) => left > 0);
    return found.fault;
  };
  return {
    set(...faults) {
      for (const fault of faults) {
        const times = fault.times ?? 1;
        armed.push({ fault, toSkip: fault.after ?? 0, left: times === 'always' ? Number.POSITIVE_INFINITY : times });
      }
    },
    clear: () => {
      armed = [];
      clearing.abort();
      clearing = new AbortController();
    },
    untilCleared: () => clearing.signal,
    isArmed: () => armed.some(({ fault }) => fault.kind !== 'reset-connect'),
    take: (name, reusedSocket) =>
      use(
        armed.find(
          ({ fault }) =>
            fault.kind !== 'reset-connect' &&
            (fault.on === undefined || fault.on === name) &&
            (fault.kind !== 'reset-reused' || reusedSocket),
        ),
      ),
    takeConnection: () => use(armed.find(({ fault }) => fault.kind === 'reset-connect')) !== undefined,
    list: () => armed.map(({ fault }) => fault),
  };
}

export const portalPage =
  '<!DOCTYPE html><html><head><title>Welcome to Guest Wi-Fi</title></head><body><h1>Sign in</h1><form></form></body></html>';

/** An XML document whose entities expand to 10^9 words, or JSON of nothing but 200,000 nested lists. */
export function writeBomb(isJson: boolean): string {
  if (isJson) return '['.repeat(200_000) + ']'.repeat(200_000);
  const entities = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
  ).join('');
  return `<?xml version="1.0"?><!DOCTYPE bomb [<!ENTITY e0 "lol">${entities}]><bomb>&e9;</bomb>`;
}

/** Well-formed, and nested 200,000 deep. */
export function writeDeep(isJson: boolean): string {
  return isJson ? writeBomb(true) : `<?xml version="1.0"?>${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`;
}

/** The beginning, repeated part and end of an answer of any size; the caller repeats the part. */
export function hugeParts(isJson: boolean): { head: string; part: Buffer; tail: string } {
  const head = isJson ? '{"results":["' : '<?xml version="1.0"?><huge>';
  return { head, part: Buffer.alloc(1024 * 1024, 'x'), tail: isJson ? '"]}' : '</huge>' };
}

/** Gzip data that unpacks to that many megabytes; it is about a thousandth of that size. */
export function packBomb(megabytes: number): Buffer {
  // A gzip stream may consist of several members: compressing one and repeating it is quick at any size.
  const member = gzipSync(Buffer.alloc(1024 * 1024, ' '));
  return Buffer.concat(Array.from({ length: megabytes }, () => member));
}

/** Data that begins as gzip and then cannot be unpacked. */
export function breakGzip(): Buffer {
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 0x08, 0x00]), deflateRawSync('no gzip header').subarray(0, 8)]);
}
