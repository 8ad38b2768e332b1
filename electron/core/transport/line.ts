import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { Result } from '../../../shared/result.ts';
import { OpeningFailure } from './opening-errors.ts';

/** When each step of opening a connection ended, in performance.now() milliseconds; absent where it did not happen. */
export interface ConnectMarks {
  started?: number;
  named?: number;
  connected?: number;
  secured?: number;
  ready?: number;
}

/** One connection at a time to one origin, used by one call at a time. */
export interface Line {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Marks of the connection opened since the last call of this; empty where an open one was reused. */
  takeMarks(): ConnectMarks;
  /** Cuts the connection, whatever state it is in. The next dispatch opens a new one. */
  cut(): void;
}

const clientOptions = {
  // One request at a time: pipelined requests are the only ones undici sends again after a connection dies.
  pipelining: 1,
  allowH2: false,
  maxHeaderSize: 32 * 1024,
  // The call's own timers decide, because they know what was sent.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

/** Opens the connection of a line; gives its marks as they come. */
export type OpenLine = (signal: AbortSignal, marks: ConnectMarks) => Promise<Result<Socket>>;

/** A line to `origin`, by whatever way `open` finds to it. */
export function createLine(origin: string, open: OpenLine): Line {
  let marks: ConnectMarks = {};
  let dispatcher: Dispatcher | null = null;
  let opening: AbortController | null = null;

  const start = (): Dispatcher =>
    new Client(origin, {
      ...clientOptions,
      connect: (_options, callback) => {
        const own = new AbortController();
        opening = own;
        const current: ConnectMarks = { started: performance.now() };
        marks = current;
        void open(own.signal, current).then((opened) => {
          if (opening === own) opening = null;
          if (opened.ok) callback(null, opened.value);
          else callback(new OpeningFailure(opened.error), null);
        });
      },
    });

  return {
    dispatch(options, handler) {
      dispatcher ??= start();
      dispatcher.dispatch(options, handler);
    },
    takeMarks() {
      const taken = marks;
      marks = {};
      return taken;
    },
    cut() {
      const current = dispatcher;
      dispatcher = null;
      opening?.abort();
      opening = null;
      current?.destroy().catch(() => undefined);
    },
  };
}
