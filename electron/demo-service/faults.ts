import { deflateRawSync, gzipSync } from 'node:zlib';

/** The ways in which a server or the network goes wrong, for tests that must see each of them. */
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
  /** Endpoint or operation it meets; left out: any. `reset-connect` meets whoever connects next. */
  readonly on?: string;
  /** How many requests it meets: 1 unless said. */
  readonly times?: number | 'always';
  /** How many matching requests it lets pass first. */
  readonly after?: number;
  /** delay: how long; drip: between two pieces of 16 bytes. 200 and 20 unless said. */
  readonly milliseconds?: number;
  readonly status?: number;
  /** Body of `status` and `html`, and its content type. */
  readonly body?: string;
  readonly type?: string;
  /** Target of `redirect`. */
  readonly location?: string;
  /** Size of `huge` and `gzip-bomb` unpacked; 256 unless said. */
  readonly megabytes?: number;
  /** Whether the request is carried out (and charged) before the fault: see `isExecuted`. */
  readonly execute?: boolean;
}

/** Faults of the answer happen after the service did what was asked; faults of the way to it, before. */
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

/** Whether the service carries the request out before this fault meets its answer. */
export function isExecuted(fault: Fault): boolean {
  return fault.execute ?? executedByDefault.has(fault.kind);
}

export interface FaultSwitch {
  /** Arms faults; they are tried in the order given, and the first that matches a request meets it. */
  set(...faults: Fault[]): void;
  clear(): void;
  /** Whether any is armed that a request could meet. */
  isArmed(): boolean;
  /** The fault that meets this request, used up by it. */
  take(name: string, reusedSocket: boolean): Fault | undefined;
  /** Whether the connection just made is to be reset. */
  takeConnection(): boolean;
  /** Aborted when the switch is next cleared: delayed answers then go at once. */
  untilCleared(): AbortSignal;
  /** What is still armed. */
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

/** A document whose entities unfold to 10^9 words (XML), or JSON nested as deep as it is long. */
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

/** The start of an answer that never ends usefully. */
export function hugeParts(isJson: boolean): { head: string; part: Buffer; tail: string } {
  const head = isJson ? '{"results":["' : '<?xml version="1.0"?><huge>';
  return { head, part: Buffer.alloc(1024 * 1024, 'x'), tail: isJson ? '"]}' : '</huge>' };
}

/** Bytes that unpack to that many megabytes: about a thousandth of it. */
export function packBomb(megabytes: number): Buffer {
  // A gzip stream may be of several members, one after the other: one is packed and repeated, which takes no time.
  const member = gzipSync(Buffer.alloc(1024 * 1024, ' '));
  return Buffer.concat(Array.from({ length: megabytes }, () => member));
}

/** Says gzip and is none. */
export function breakGzip(): Buffer {
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 0x08, 0x00]), deflateRawSync('no gzip header').subarray(0, 8)]);
}
