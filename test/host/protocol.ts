import type { CustomScheme } from 'electron';
import { app } from './app.ts';

type Handler = (request: Request) => Response | Promise<Response>;

export class Protocol {
  readonly schemes: CustomScheme[] = [];
  readonly handlers = new Map<string, Handler>();
  handle(scheme: string, handler: Handler): void {
    if (this.handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    this.handlers.set(scheme, handler);
  }
  unhandle(scheme: string): void {
    if (!this.handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`);
  }
  isProtocolHandled(scheme: string): boolean {
    return this.handlers.has(scheme);
  }
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    this.schemes.push(...schemes);
  }
}

interface Asked {
  url: string;
  method: string;
  headers: Record<string, string>;
  postData?: string;
}

interface Answer {
  responseCode: number;
  responseHeaders: { name: string; value: string }[];
  body: string;
}

/** The program's answer to a request of the page, checked as Electron checks it, or the reason why there is none. */
export async function answerWith(
  protocol: Protocol,
  { url, method, headers, postData }: Asked,
): Promise<Answer | 'Failed' | 'BlockedByClient'> {
  const handler = protocol.handlers.get(new URL(url).protocol.slice(0, -1));
  if (!handler) return 'BlockedByClient';
  try {
    const given = new Headers(headers);
    if (given.get('origin') === 'null') given.delete('origin');
    const response = await handler(
      new Request(url, { method, headers: given, ...(postData === undefined ? {} : { body: postData }) }),
    );
    if (!(response instanceof Response) || response.type === 'error') return 'Failed';
    return {
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    };
  } catch (error) {
    console.error(error);
    return 'Failed';
  }
}
