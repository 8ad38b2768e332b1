import type { CDPSession } from 'playwright';

/** A connection for messages to a browser and back: a pipe, or a socket to a browser that is already running. */
export interface Line {
  send(text: string): void;
  onMessage(listener: (text: string) => void): void;
  onEnd(listener: () => void): void;
  close(): void;
}

/** A session with the browser or with one of its pages. Commands and events have the names of Chromium's protocol. */
export interface Conversation {
  send: CDPSession['send'];
  on: CDPSession['addListener'];
}

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
  sessionId?: string;
}

export interface Devtools {
  /** The browser itself. */
  browser: Conversation;
  /** The session of a page to which the caller is attached. */
  page(sessionId: string): Conversation;
  ended: Promise<void>;
  close(): void;
}

/**
 * Speaks Chromium's DevTools protocol. Events arrive in the order in which they were sent, and a command's answer after the events before it.
 * A command rejects with the browser's message, or when the line has ended.
 */
export function speakDevtools(line: Line): Devtools {
  let last = 0;
  const waiting = new Map<number, { done: (value: unknown) => void; failed: (error: Error) => void }>();
  const listeners = new Map<string, ((params: unknown) => void)[]>();
  let over = false;
  line.onMessage((text) => {
    const { id, method, params, result, error, sessionId = '' } = JSON.parse(text) as Message;
    if (id !== undefined) {
      const one = waiting.get(id);
      waiting.delete(id);
      if (error) one?.failed(new Error(error.message));
      else one?.done(result);
    } else for (const listener of listeners.get(`${sessionId} ${method}`) ?? []) listener(params);
  });
  const ended = new Promise<void>((done) =>
    line.onEnd(() => {
      over = true;
      for (const { failed } of waiting.values()) failed(new Error('The browser has ended.'));
      waiting.clear();
      done();
    }),
  );
  const conversation = (sessionId: string): Conversation => ({
    send: ((method: string, params: unknown = {}) =>
      new Promise<unknown>((done, failed) => {
        if (over) return failed(new Error('The browser has ended.'));
        last += 1;
        waiting.set(last, { done, failed });
        line.send(JSON.stringify({ id: last, method, params, ...(sessionId === '' ? {} : { sessionId }) }));
      })) as CDPSession['send'],
    on: ((event: string, listener: (params: unknown) => void) => {
      const key = `${sessionId} ${event}`;
      listeners.set(key, [...(listeners.get(key) ?? []), listener]);
    }) as Conversation['on'],
  });
  return { browser: conversation(''), page: conversation, ended, close: () => line.close() };
}
