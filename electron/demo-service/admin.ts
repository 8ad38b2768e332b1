import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppParts } from './app-parts.ts';
import { faultKinds } from './faults.ts';

const faultSchema = z.strictObject({
  kind: z.enum(faultKinds),
  on: z.string().optional(),
  times: z.union([z.int().min(1), z.literal('always')]).optional(),
  after: z.int().min(0).optional(),
  milliseconds: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  body: z.string().optional(),
  type: z.string().optional(),
  location: z.string().optional(),
  megabytes: z.int().min(1).max(2048).optional(),
  execute: z.boolean().optional(),
});
const creditsSchema = z.strictObject({ add: z.int(), licence: z.int().optional() });
const timeSchema = z.strictObject({ milliseconds: z.int() });
const licenceSchema = z.strictObject({
  number: z.int(),
  bind: z.string().optional(),
  unbind: z.string().optional(),
  suspended: z.boolean().optional(),
});
type FaultInput = z.infer<typeof faultSchema>;

/**
 * Routes for tests that run the service as a separate process: they do what another client, the portal or the network
 * would do. Served only with --admin; the meter counts their connections but not their requests, and of the faults only `reset-connect` can
 * meet them.
 */
export function addAdminRoutes(app: Hono, { context, meter, faults, demo }: AppParts): void {
  const { account, clock } = context;
  const read = async <T>(request: Request, schema: z.ZodType<T>): Promise<T | Response> => {
    const parsed = schema.safeParse(await request.json().catch(() => undefined));
    if (parsed.success) return parsed.data;
    return Response.json({ error: z.prettifyError(parsed.error) }, { status: 400 });
  };
  const done = (): Response => Response.json({ ok: true });
  const unknown = (): Response =>
    Response.json({ error: 'There is no such licence, or it has no number of credits.' }, { status: 404 });

  app.get('/__demo/meter', () => Response.json(meter.read()));
  app.delete('/__demo/meter', () => {
    meter.reset();
    return done();
  });
  app.get('/__demo/credentials', () => Response.json(demo));
  app.get('/__demo/faults', () => Response.json(faults.list()));
  app.post('/__demo/faults', async (request) => {
    const given = await read(
      request.req.raw,
      z.union([z.array(faultSchema), faultSchema.transform((fault) => [fault])]),
    );
    if (given instanceof Response) return given;
    faults.set(...given.map(withoutUndefined));
    return done();
  });
  app.delete('/__demo/faults', () => {
    faults.clear();
    return done();
  });
  app.post('/__demo/credits', async (request) => {
    const given = await read(request.req.raw, creditsSchema);
    if (given instanceof Response) return given;
    return account.addCredits(given.add, given.licence) ? done() : unknown();
  });
  app.post('/__demo/time', async (request) => {
    const given = await read(request.req.raw, timeSchema);
    if (given instanceof Response) return given;
    clock.advance(given.milliseconds);
    return done();
  });
  app.post('/__demo/licence', async (request) => {
    const given = await read(request.req.raw, licenceSchema);
    if (given instanceof Response) return given;
    const licence = account.licences.find(({ number }) => number === given.number);
    if (!licence) return unknown();
    if (given.bind !== undefined) account.bind(licence, given.bind);
    if (given.unbind !== undefined) account.unbind(licence, given.unbind);
    if (given.suspended !== undefined) account.setSuspended(given.number, given.suspended);
    return done();
  });
}

/** Drops members that are undefined: the fault's type allows a missing member, not an undefined one. */
function withoutUndefined(fault: FaultInput) {
  return Object.fromEntries(Object.entries(fault).filter(([, value]) => value !== undefined)) as {
    [K in keyof FaultInput]: Exclude<FaultInput[K], undefined>;
  };
}
