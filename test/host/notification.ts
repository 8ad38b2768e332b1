import { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';
import { app } from './app.ts';

interface NoticeOptions {
  title?: string;
  body?: string;
}

/** The notifications that were shown. The references are weak, as Electron's are: one that the program does not keep gets no more events. */
const shown: WeakRef<Notification>[] = [];

/**
 * A system notification. The development host has none, so it is printed, and written to a file if a test names one. `show` is emitted, or
 * `failed` if the environment says that the system refuses it: on Linux before `show()` returns, as by libnotify, elsewhere later.
 */
export class Notification extends EventEmitter {
  readonly title: string;
  readonly body: string;
  static isSupported(): boolean {
    return true;
  }
  constructor({ title = '', body = '' }: NoticeOptions = {}) {
    super();
    if (!app.isReady()) throw new Error('Cannot create Notification before app is ready');
    this.title = title;
    this.body = body;
  }
  show(): void {
    const weak = new WeakRef(this as Notification);
    shown.push(weak);
    const { title, body } = this;
    const refused = process.env.ADDRESS_CONSOLE_HOST_NOTICES_FAIL;
    const report = () => {
      if (refused !== undefined) {
        weak.deref()?.emit('failed', {}, refused);
        return;
      }
      console.error(`notice: ${title}. ${body}`);
      const file = process.env.ADDRESS_CONSOLE_HOST_NOTICES;
      if (file !== undefined) appendFileSync(file, `${JSON.stringify({ title, body })}\n`);
      weak.deref()?.emit('show', {});
    };
    if (process.platform === 'linux') report();
    else setImmediate(report);
  }
  close(): void {
    this.emit('close', { reason: 'applicationHidden' });
  }
}

/** For tests: the system puts every notification away after a while, and keeps it where it can still be clicked (Windows). */
export function timeOutNotices(): void {
  for (const weak of shown) weak.deref()?.emit('close', { reason: 'timedOut' });
}

/** For tests: clicks every notification. Returns how many of them had a listener. */
export const clickNotices = (): number => shown.filter((weak) => weak.deref()?.emit('click', {})).length;
