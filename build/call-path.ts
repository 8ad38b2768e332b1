import { ClientRequest } from 'node:http';
import { console as inspectorConsole, Session } from 'node:inspector';
import { StatementSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openOperationsConsole } from '../test/integration/operations/operations-core.ts';
import { readSource, root } from './sources.ts';

/** A search's way from the channel's message to the request and back, as it ran. */
export interface CallPath {
  /** Files with a function that waits for the request when it is handed to the socket, outermost first. */
  out: string[];
  /** Further ones that wait while the answer is decoded, and while it is stored. */
  decoded: string[];
  stored: string[];
  /** Files of `electron/` and `shared/` in which anything ran. */
  ran: number;
  statements: number;
  /** Statements that read the connection's settings. */
  connectionReads: number;
}

/** The window's part, which runs in a browser: from the click to the message and main's end of it. */
export const windowPath = [
  'renderer/features/lookup/search/search-bar.tsx',
  'renderer/features/lookup/search/use-search.ts',
  'renderer/features/lookup/asks.ts',
  'renderer/lib/session/call-store.ts',
  'renderer/lib/calls/bridge.ts',
  'electron/preload.ts',
  'electron/shell/ipc.ts',
];

interface Frames {
  callFrames: { url: string }[];
  parent?: Frames;
}

/** Searches for a postcode over each protocol against a demo service, with what the engine's inspector says of it. */
export async function measureCallPaths(): Promise<Record<'rest' | 'soap', CallPath>> {
  windowPath.forEach(readSource);
  const desk = await openOperationsConsole();
  const session = new Session();
  session.connect();
  /** The inspector of the own thread answers before `post` returns. */
  const post = (method: string, params: object = {}): unknown => {
    let answer: unknown;
    session.post(method, params, (_error, result) => {
      answer = result;
    });
    return answer;
  };
  post('Runtime.enable');
  post('Debugger.enable');
  post('Debugger.setAsyncCallStackDepth', { maxDepth: 500 });
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

  const own = (url: string): string | null =>
    url.startsWith('file:') ? fileURLToPath(url).replace(`${root}/`, '') : null;
  let waiting: string[] = [];
  session.on('Runtime.consoleAPICalled', ({ params }) => {
    const files: string[] = [];
    for (let frames = params.stackTrace as Frames | undefined; frames; frames = frames.parent)
      for (const { url } of frames.callFrames) files.unshift(own(url) ?? '');
    const from = files.lastIndexOf('electron/ipc/dispatcher.ts');
    waiting = from === -1 ? [] : [...new Set(files.slice(from))].filter((file) => file.startsWith('electron/'));
  });
  /** The files whose functions wait for what runs now, if a message of the window began it. */
  const filesWaiting = (): string[] => {
    waiting = [];
    inspectorConsole.trace('waiting');
    return waiting;
  };

  let path: CallPath | null = null;
  const note = (step: 'out' | 'decoded' | 'stored') => {
    if (path === null || path[step].length > 0) return;
    const { out, decoded } = path;
    path[step] = filesWaiting().filter((file) => step === 'out' || ![...out, ...decoded].includes(file));
  };
  /** Watches a method of the runtime's. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the method takes
  function watch(of: any, name: string, see: (self: any) => void): () => void {
    const before = of[name];
    of[name] = function (...args: unknown[]) {
      see(this);
      return before.apply(this, args);
    };
    return () => {
      of[name] = before;
    };
  }
  const unwatch = [
    watch(ClientRequest.prototype, 'end', () => note('out')),
    watch(TextDecoder.prototype, 'decode', () => note('decoded')),
    ...['get', 'all', 'run'].map((name) =>
      watch(StatementSync.prototype, name, ({ sourceSQL }: { sourceSQL: string }) => {
        if (path === null) return;
        path.statements += 1;
        if (/\bdraft\b.* FROM connections\b/.test(sourceSQL)) path.connectionReads += 1;
        if (sourceSQL.startsWith('INSERT INTO held_answers')) note('stored');
      }),
    ),
  ];

  async function search(text: string, protocol: 'rest' | 'soap'): Promise<void> {
    const found = await desk.call('lookup.search', { connectionId: desk.connectionId, text, interface: protocol });
    if (!found.ok) throw new Error(found.error.message);
  }

  async function measure(protocol: 'rest' | 'soap'): Promise<CallPath> {
    // Parts that are loaded when first needed, and the description, belong to the first call alone.
    await search(desk.service.demo.sample.words, protocol);
    post('Profiler.takePreciseCoverage');
    const measured: CallPath = { out: [], decoded: [], stored: [], ran: 0, statements: 0, connectionReads: 0 };
    path = measured;
    await search(desk.service.demo.sample.postcode, protocol);
    path = null;
    const { result } = post('Profiler.takePreciseCoverage') as {
      result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
    };
    measured.ran = result.filter(
      ({ url, functions }) =>
        /^(?:electron\/(?!demo-service)|shared\/)/.test(own(url) ?? '') &&
        functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
    ).length;
    return measured;
  }

  try {
    return { rest: await measure('rest'), soap: await measure('soap') };
  } finally {
    for (const end of unwatch) end();
    session.disconnect();
    await desk.close();
  }
}
