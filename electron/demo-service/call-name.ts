import { restBase } from './app.ts';

/** The endpoint or operation that a request names, read before it is served: some faults apply to one of them only. Consumes the body. */
export async function readCallName(request: Request): Promise<{ name: string; isJson: boolean }> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(`${restBase}/`)) return { name: pathname.slice(restBase.length + 1), isJson: true };
  if (request.method !== 'POST')
    return { name: pathname.slice(pathname.lastIndexOf('/') + 1) || 'index', isJson: false };
  const body = await request.text();
  // The first element inside the body names the operation; its prefix is dropped.
  const found = /<(?:[\w.-]+:)?Body[^>]*>\s*<(?:[\w.-]+:)?([\w.-]+)/.exec(body);
  return { name: found?.[1] ?? 'unrecognised', isJson: false };
}
