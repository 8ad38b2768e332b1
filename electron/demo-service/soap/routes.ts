import type { Context, Hono } from 'hono';
import type { DemoContext } from '../context.ts';
import type { Meter } from '../meter.ts';
import { answerSoap, runOperation } from './endpoint.ts';
import { listServedOperations } from './served-operations.ts';
import { rootElementOf, writeWsdl } from './wsdl.ts';
import { attributes } from './xml-write.ts';

/** Far longer than any request of the published interface. */
const longestBody = 1024 * 1024;

/** Serves both SOAP versions and the description at one address, and the HTTP bindings below it if the options say so. */
export function addSoapRoutes(app: Hono, path: string, context: DemoContext, meter: Meter): void {
  app.get(path, (request) => {
    const url = new URL(request.req.url);
    const query = url.search.slice(1).toLowerCase();
    if (query === 'wsdl' || query === 'singlewsdl')
      return xml(200, writeWsdl(context.settings, url.origin + url.pathname));
    return request.text('Demo service, version 19. POST SOAP 1.1 or 1.2 here; the description is at ?WSDL.\n');
  });
  app.post(path, async (request) => {
    const body = new Uint8Array(await request.req.arrayBuffer());
    if (body.length > longestBody) return request.text('The request is too long.', 413);
    const reply = answerSoap(
      { contentType: request.req.header('content-type') ?? '', soapAction: request.req.header('soapaction'), body },
      context,
      meter,
    );
    return xml(reply.status, reply.body, reply.contentType);
  });
  app.get(`${path}/:operation`, (request) =>
    answerHttp(request, new URL(request.req.url).searchParams, context, meter),
  );
  app.post(`${path}/:operation`, async (request) => {
    const body = await request.req.text();
    if (body.length > longestBody) return request.text('The request is too long.', 413);
    return answerHttp(request, new URLSearchParams(body), context, meter);
  });
}

function xml(status: number, body: string, contentType = 'text/xml; charset=utf-8'): Response {
  return new Response(body, {
    status,
    headers: { 'content-type': contentType, 'cache-control': 'private, max-age=0' },
  });
}

/** The HTTP GET and form POST bindings of older versions, which answer with the result as the root of the document. */
function answerHttp(request: Context, given: URLSearchParams, context: DemoContext, meter: Meter): Response {
  const { settings } = context;
  const name = request.req.param('operation');
  const operation =
    settings.httpBindings === 'off' ? undefined : listServedOperations(settings).find((served) => served.name === name);
  if (!operation) return request.text(`There is no operation ${name}.`, 404);
  const fields = Object.fromEntries(operation.fields.map((field) => [field.name, given.get(field.name) ?? '']));
  const unreadable = operation.fields.find(
    ({ name, type }) => type === 'integer' && !/^[+-]?\d{1,9}$/.test(fields[name] ?? ''),
  );
  if (unreadable) return request.text(`Cannot convert ${unreadable.name} to an integer.`, 500);
  const { content, fault } = runOperation(operation, fields, context, meter, 'http');
  if (fault !== undefined) return request.text(fault, 500);
  const root = rootElementOf(operation);
  const opening = `<${root}${attributes({ xmlns: settings.namespace })}`;
  return xml(
    200,
    `<?xml version="1.0" encoding="utf-8"?>${content === '' ? `${opening} />` : `${opening}>${content}</${root}>`}`,
  );
}
