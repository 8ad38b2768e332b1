import { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';

/** A notice of the system: there is none on the development host, so it is printed, and kept in a file where a test names one. */
export class Notification extends EventEmitter {
  private readonly options: { title: string; body: string };
  static isSupported(): boolean {
    return true;
  }
  constructor(options: { title: string; body: string }) {
    super();
    this.options = options;
  }
  show(): void {
    const { title, body } = this.options;
    console.error(`notice: ${title}. ${body}`);
    const file = process.env.ADDRESS_CONSOLE_HOST_NOTICES;
    if (file !== undefined) appendFileSync(file, `${JSON.stringify({ title, body })}\n`);
  }
}
