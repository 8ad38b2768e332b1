import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { addAdminRoutes } from './admin.ts';
import type { AppParts } from './app-parts.ts';
import type { DemoContext } from './context.ts';
import type { Caller } from './rest/key-check.ts';
import { addRestRoutes } from './rest/routes.ts';
import { addSoapRoutes } from './soap/routes.ts';

/** The version is part of the base address (specification, Versioning 1). */
export const restBase = '/v1';
export const soapPath = '/service19.asmx';

const honest =
  'Demo service of Address Console. Every address, name and number is invented; credits are worth nothing.';

/** The whole service as one web application. The server and the faults are outside it, in service.ts. */
export function createApp(parts: AppParts): Hono {
  const { context, meter } = parts;
  const app = new Hono();
  app.use(async (request, next) => {
    await next();
    request.res.headers.set('x-demo-service', 'invented data');
  });
  app.get('/', (request) => request.text(`${honest}\n`));
  addRestRoutes(app, restBase, context, meter, (request) => callerOf(request, context));
  addSoapRoutes(app, soapPath, context, meter);
  if (context.settings.admin) addAdminRoutes(app, parts);
  app.notFound((request) => request.text('There is nothing at this address.', 404));
  app.onError((_error, request) => request.text('Internal error of the demo service.', 500));
  return app;
}

function callerOf(request: Context, { settings }: DemoContext): Caller {
  const { incoming } = request.env as { incoming?: IncomingMessage };
  const forwarded = settings.trustForwarded ? request.req.header('x-forwarded-for')?.split(',')[0]?.trim() : undefined;
  return {
    ipAddress: forwarded ?? incoming?.socket.remoteAddress ?? '',
    domain: hostOf(request.req.header('origin') ?? request.req.header('referer') ?? ''),
  };
}

const hostOf = (address: string): string => URL.parse(address)?.hostname ?? '';
