import { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';
import { app } from './app.ts';

interface NoticeOptions {
  title?: string;
  body?: string;
}

/** What was shown, held as Electron holds it: a notice that the program has let go of hears nothing more. */
const shown: WeakRef<Notification>[] = [];

/**
 * A notice of the system: there is none on the development host, so it is printed, and kept in a file where a test names one. `show`, or
 * `failed` where the environment says that the system refuses it, comes later, as from the system.
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
    setImmediate(() => {
      if (refused !== undefined) {
        weak.deref()?.emit('failed', {}, refused);
        return;
      }
      console.error(`notice: ${title}. ${body}`);
      const file = process.env.ADDRESS_CONSOLE_HOST_NOTICES;
      if (file !== undefined) appendFileSync(file, `${JSON.stringify({ title, body })}\n`);
      weak.deref()?.emit('show', {});
    });
  }
  close(): void {
    this.emit('close', {});
  }
}

/** For tests: a person clicks every notice there is. Gives how many heard it. */
export const clickNotices = (): number => shown.filter((weak) => weak.deref()?.emit('click', {})).length;
