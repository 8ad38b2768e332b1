import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChannelName, channels } from '../../../shared/contract.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import { type AppError, errorCodes } from '../../../shared/errors.ts';
import type { Result } from '../../../shared/result.ts';
import { type Feature, features, makesNoCall, type Scene, testedElsewhere } from '../../helpers/faulty-features.ts';
import { type Fault, type FaultyService, faults, startFaultyService } from '../../helpers/faulty-service.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { loggedCalls } from '../../helpers/logged-calls.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/**
 * Combines faults with every feature that makes calls, by the messages that the window sends (promise 16). Each pair ends within the
 * program's time limit with an answer or an error of the closed list, in sentences, with the right statement about the charge. The service
 * gets at most one request for each intended call; the activity log and ledger have it; nothing keeps running and no secret leaks.
 */

/** The beginning of every secret of a role, which no answer, event or log may contain. */
const beginnings = {
  'lookup-key': 'LK-7f3a91c2e8d04b56',
  'licence-id': 'LID-55c01b7e9a',
  'account-guid': '6f9619ff-8b86-d011-b42d-00c04fc9',
  'licence-key': 'KEY-c9d8e7f6a5b4',
} as const;
const accountsInAll = 40;
let accounts = 0;
/**
 * Takes several accounts in turn, because each call goes through the connections that share its key, for their caps, and through every secret
 * of the program, to mask it. One account would make the first of these long, one for each pair the second.
 */
function nextAccount(): Record<keyof typeof beginnings, string> {
  accounts = (accounts + 1) % accountsInAll;
  const end = accounts.toString(16).padStart(4, '0');
  return {
    'lookup-key': beginnings['lookup-key'] + end,
    'licence-id': beginnings['licence-id'] + end,
    'account-guid': beginnings['account-guid'] + end,
    'licence-key': beginnings['licence-key'] + end,
  };
}

/**
 * Time limits in seconds. `quick` is for faults that end only by the time limit; answered calls do not reach it even on a busy machine. It
 * passes while the pairs with `patient` are tested.
 */
const limits = { quick: 15, patient: 300 };
const programs: Program[] = [];
/** The number of features that one program tests: its calls become slower with the calls and keys that it has seen. */
const featuresOfProgram = 6;
const parts: Feature[][] = Array.from({ length: Math.ceil(features.length / featuresOfProgram) }, (_, index) =>
  features.slice(index * featuresOfProgram, (index + 1) * featuresOfProgram),
);
const services = new Set<FaultyService>();
const unhandled: unknown[] = [];
const noteUnhandled = (cause: unknown) => void unhandled.push(cause);

interface Pair {
  feature: Feature;
  fault: Fault;
  ended: Promise<Ended>;
}
interface Ended {
  /** What is wrong with the outcome; empty if nothing is. */
  found: string[];
  /** Code and charge statement of each error, in order. */
  errors: string[];
}
const pairs: Pair[] = [];

/**
 * A fault is read below the feature, at the call that meets it. So each target meets every fault that is like no other through one feature,
 * and through those that conclude something of their own from how the call ended. Beside that each feature meets by turns one in five of all
 * faults, and the faults that these are like, as which they must end. All 2,200 pairs were run once: they ended in this way and found
 * nothing more than these nine hundred.
 */
const oneIn = 5;
const notOverSoap = new Set(['Search', 'GetPremise', 'GetPremiseGeoData', 'GetCredits', 'description']);
const likeOf = (feature: Feature, fault: Fault): string | undefined =>
  fault.like ?? (notOverSoap.has(feature.target.name) ? undefined : fault.likeOverSoap);
const ofTarget = Map.groupBy(features, ({ target }) => target.name);
const meetsAll = (feature: Feature): boolean =>
  feature.check !== undefined || ofTarget.get(feature.target.name)?.[0] === feature;
/** In this order each feature's turns bring it faults of every truth. */
const byTruth = faults.toSorted((a, b) => a.truth.localeCompare(b.truth));
const isTurn = (feature: Feature, fault: Fault): boolean =>
  (features.indexOf(feature) + byTruth.indexOf(fault)) % oneIn === 0;
const meets = (feature: Feature, fault: Fault): boolean =>
  isTurn(feature, fault) ||
  (likeOf(feature, fault) === undefined && meetsAll(feature)) ||
  faults.some((one) => likeOf(feature, one) === fault.name && isTurn(feature, one));
const pairOf = (feature: Feature, fault: string | undefined): Pair | undefined =>
  pairs.find((pair) => pair.feature === feature && pair.fault.name === fault);

/** Limits how many pairs run at once. Each has a separate service and connection. */
function createTurns(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-faults-'));
  folders.push(folder);
  return folder;
}

async function setLimit(program: Program, timeoutSeconds: number): Promise<void> {
  unwrap(await program.call('settings.save', { timeoutSeconds }));
}

async function startPatient(): Promise<Program> {
  const program = unwrap(await startProgram({ folder: newFolder() }));
  programs.push(program);
  await setLimit(program, limits.patient);
  return program;
}

async function openScene(program: Program, feature: Feature): Promise<Scene & { service: FaultyService }> {
  const service = await startFaultyService();
  services.add(service);
  const connectionId = await program.connect(
    {
      restBaseUrl: feature.without === 'rest' ? '' : service.restBaseUrl,
      soapUrl: feature.without === 'soap' ? '' : service.soapUrl,
      soapNamespace: 'urn:faulty',
      accountName: 'WYEBANKUT01',
      preferredInterface: feature.prefers ?? 'rest',
      soapVersion: feature.soapVersion ?? '1.1',
    },
    nextAccount(),
  );
  return { program, service, connectionId };
}

beforeAll(async () => {
  process.on('unhandledRejection', noteUnhandled);
  // The slow ones start first and all at once. They are prepared with the long limit and then run with the short one.
  const slow = await Promise.all(
    parts.map(async (some) => {
      const program = await startPatient();
      const pairsOfIt = await Promise.all(
        some.flatMap((feature) =>
          faults
            .filter((fault) => fault.slow && meets(feature, fault))
            .map(async (fault) => {
              const scene = await openScene(program, feature);
              return { feature, fault, scene, facts: (await feature.prepare?.(scene)) ?? {} };
            }),
        ),
      );
      return { program, pairsOfIt };
    }),
  );
  for (const { program } of slow) await setLimit(program, limits.quick);
  // The others follow with the long limit, once every slow one has reached its limit.
  let left = slow.reduce((sum, { pairsOfIt }) => sum + pairsOfIt.length, 0);
  const unhurried = Promise.withResolvers<void>();
  const meetLimit = async (): Promise<void> => {
    left -= 1;
    if (left === 0) {
      for (const { program } of slow) await setLimit(program, limits.patient);
      unhurried.resolve();
    }
    await unhurried.promise;
  };
  for (const { feature, fault, scene, facts } of slow.flatMap(({ pairsOfIt }) => pairsOfIt))
    pairs.push({ feature, fault, ended: runPair(feature, fault, scene, facts, meetLimit) });
  const inTurn = createTurns(8);
  for (const some of parts) {
    const program = await startPatient();
    for (const feature of some)
      for (const fault of faults.filter((one) => !one.slow && meets(feature, one)))
        pairs.push({
          feature,
          fault,
          ended: inTurn(async () => {
            const scene = await openScene(program, feature);
            return runPair(feature, fault, scene, (await feature.prepare?.(scene)) ?? {});
          }),
        });
  }
  for (const { ended } of pairs) ended.catch(() => {});
});

afterAll(async () => {
  await Promise.allSettled(pairs.map(({ ended }) => ended));
  for (const program of programs) await program.close();
  await Promise.all([...services].map((service) => service.close()));
  for (const folder of folders) removeFolder(folder);
  process.off('unhandledRejection', noteUnhandled);
});

let requests = 0;

async function runPair(
  feature: Feature,
  fault: Fault,
  scene: Scene & { service: FaultyService },
  facts: Record<string, string>,
  whenEnded: () => Promise<void> = async () => {},
): Promise<Ended> {
  const { program, service, connectionId } = scene;
  const found: string[] = [];
  const rowsBefore = new Set((await rowsOf(program, connectionId)).map(({ id }) => id));
  const { target } = feature;
  await service.arm(fault, target);
  requests += 1;
  const requestId = `pair-${requests}`;
  const toldBefore = program.told.length;
  const result = await within(feature.act({ ...scene, requestId, facts }), found);
  await whenEnded();
  if (result === undefined) return { found, errors: [] };
  const errors = errorsIn(result);

  // The outcome is in sentences.
  const text = JSON.stringify(result);
  for (const [role, secret] of Object.entries(beginnings))
    for (const spelled of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, 12)])
      if (text.includes(spelled)) found.push(`the answer holds the ${role}`);
  for (const sentence of sentencesIn(result)) {
    const wrong = wrongWith(sentence);
    if (wrong) found.push(`${wrong}: “${sentence.slice(0, 200)}”`);
  }
  for (const error of errors) {
    if (!(error.code in errorCodes)) found.push(`no code of the list: ${error.code}`);
    if (error.code === 'internal') found.push(`the program blames itself: ${error.detail}`);
    for (const part of ['message', 'money', 'next'] as const)
      if (!/^[A-Z“].*[.!?]$/s.test(error[part])) found.push(`${part} is no sentence: “${error[part]}”`);
  }

  // The statement about the charge is right, given what reached the service of the failed call.
  const arrived = service.hits.get(target.name) ?? 0;
  if (feature.check) found.push(...feature.check({ ...scene, facts, requestId }, result, fault, arrived));
  else {
    if (fault.truth === 'fine' && errors.length > 0)
      found.push(`failed though the answer was usable: ${errors[0]?.code} ${errors[0]?.detail ?? ''}`);
    if ((fault.truth === 'sure' || fault.truth === 'open') && errors.length === 0)
      found.push('called a failure a success');
  }
  for (const { code, charge } of errors) {
    if (feature.cost === 'nothing') {
      if (charge !== 'not-applicable' && charge !== 'not-charged') found.push(`${code} says ${charge} of what is free`);
      continue;
    }
    if (arrived === 0 && charge !== 'not-charged' && charge !== 'not-applicable')
      found.push(`${code} says ${charge} though nothing left`);
    // Whether a refused call is charged is not published, so any call that arrived may have cost something.
    if (arrived >= (target.nth ?? 1) && charge !== 'may-have-been-charged')
      found.push(`${code} says ${charge} though it may have been charged`);
  }

  // At most once.
  for (const [name, most] of Object.entries(feature.calls))
    if ((service.hits.get(name) ?? 0) > most)
      found.push(`${name} arrived ${service.hits.get(name)} times, ${most} meant`);
  if (
    service.hits.has('elsewhere') ||
    (fault.name.startsWith('redirected') && arrived > (feature.calls[target.name] ?? 1))
  )
    found.push('a redirect was followed');

  // Log and ledger.
  if (feature.logged !== false) {
    const logged = await rowsOf(program, connectionId);
    const rows = logged.filter(({ id, operation }) => !rowsBefore.has(id) && operation === target.name);
    if (rows.length === 0) found.push('the log has no row of it');
    if (rows.length > (feature.calls[target.name] ?? 1)) found.push(`the log has ${rows.length} rows of it`);
    const row = rows[0];
    for (const error of errors) {
      const named = logged.find(({ id }) => id === error.callId);
      if (!named) found.push(`${error.code} names no row of the log`);
      if (named && (named.outcome === 'unknown') !== (error.code === 'sent-no-answer'))
        found.push(`the log says ${named.outcome} of ${error.code}`);
    }
    const entry = row ? unwrap(program.core.ledger.findOfCall(row.id)) : undefined;
    if (row && feature.cost === 'nothing' && entry) found.push('what is free stands in the ledger');
    if (row && feature.cost !== 'nothing') {
      if (!entry) found.push('the ledger has no entry of it');
      else if (errors.length > 0) {
        const nothingLeft = entry.claims.some(({ kind }) => kind === 'nothing-left');
        if (nothingLeft !== (errors[0]?.charge === 'not-charged'))
          found.push(
            `the ledger says ${entry.claims.map(({ kind }) => kind)} where the error says ${errors[0]?.charge}`,
          );
      }
    }
    if (row && errors.length > 0 && (row.outcome === 'answered' || row.outcome === 'held'))
      found.push(`the log says ${row.outcome}`);
  }

  // Nothing keeps running.
  const told = program.told.slice(toldBefore);
  const lastRunning = told.findLast(({ event }) => event === 'calls.running');
  if (((lastRunning?.payload ?? []) as { requestId: string }[]).some((call) => call.requestId === requestId))
    found.push('it is still shown as running');

  // The next call works: the fault leaves nothing behind.
  await service.mend();
  const after = await within(
    program.call('credits.read-balances', {
      connectionId,
      sources: [feature.without === 'rest' ? 'service-test' : 'rest-key'],
    }),
    found,
  );
  if (after && !(after.ok && after.value.failures.length === 0))
    found.push(`the next call fails: ${JSON.stringify(after)}`);
  unwrap(await program.core.connections.remove(connectionId, () => {}));
  await service.close();
  services.delete(service);
  return { found, errors: errors.map(({ code, charge }) => `${code}, ${charge}`) };
}

/** Waits for work that must end by the program's own time limit, and reports a pair that does not. */
async function within<T>(work: Promise<T>, found: string[]): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const guard = new Promise<undefined>((done) => {
    timer = setTimeout(() => {
      found.push('it does not end');
      done(undefined);
    }, 400_000);
  });
  try {
    return await Promise.race([work, guard]);
  } catch (cause) {
    found.push(`it throws: ${String(cause)}`);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

const rowsOf = ({ core }: Program, connectionId: string): Promise<CallRecord[]> =>
  loggedCalls(core.log, { connectionId });

/** Every error anywhere in an answer. */
function errorsIn(result: unknown): AppError[] {
  const errors: AppError[] = [];
  walk(result, (value) => {
    if ('code' in value && 'charge' in value && 'next' in value) errors.push(value as unknown as AppError);
  });
  return errors;
}

const wordMembers = new Set(['message', 'money', 'next', 'text', 'conclusion', 'pause']);

/** The texts of an answer that a person reads; `detail` is technical on purpose. */
function sentencesIn(result: unknown): string[] {
  const sentences: string[] = [];
  walk(result, (value) => {
    for (const [name, text] of Object.entries(value))
      if (wordMembers.has(name) && typeof text === 'string') sentences.push(text);
  });
  return sentences;
}

function walk(value: unknown, visit: (value: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const inner of Object.values(value)) walk(inner, visit);
}

function wrongWith(sentence: string): string | undefined {
  if (/\bundefined\b|\[object|\bNaN\b|\bnull\b/.test(sentence)) return 'a hole in the words';
  if (/\w+Error\b|^\s+at |\(\S+:\d+:\d+\)|UND_ERR|\bE[A-Z]{5,}\b|HPE_|socket hang up/m.test(sentence))
    return 'an exception’s own words';
  return sentence.length > 2000 ? 'too long to read' : undefined;
}

describe('faults, through every feature that calls', () => {
  test('at least 30 faults and every channel that reaches the network', () => {
    expect(faults.length).toBeGreaterThanOrEqual(30);
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    expect(new Set(features.map(({ name }) => name)).size).toBe(features.length);
    for (const fault of faults) {
      const met = pairs.filter((pair) => pair.fault === fault).map(({ feature }) => feature);
      expect(met.length, fault.name).toBeGreaterThanOrEqual(Math.floor(features.length / oneIn));
      for (const [target, some] of ofTarget)
        if (some.some((feature) => likeOf(feature, fault) === undefined))
          expect(
            met.map((feature) => feature.target.name),
            fault.name,
          ).toContain(target);
      const same = fault.like ?? fault.likeOverSoap;
      expect(same === undefined || faults.some(({ name, like }) => name === same && !like)).toBe(true);
    }
  });

  test.each(features.map((feature) => [feature.name, feature] as const))(
    '%s',
    { timeout: 600_000 },
    async (_, feature) => {
      const own = pairs.filter((pair) => pair.feature === feature);
      expect(own.map(({ fault }) => fault.truth)).toEqual(expect.arrayContaining(['sure', 'open', 'fine']));
      const found: string[] = [];
      for (const { fault, ended } of own) {
        const end = await ended;
        for (const finding of end.found) found.push(`${fault.name}: ${finding}`);
        const name = likeOf(feature, fault);
        const like = name === undefined ? end : await pairOf(feature, name)?.ended;
        if (!like) found.push(`${fault.name}: ${name} is not met`);
        else if (end.errors.join() !== like.errors.join())
          found.push(`${fault.name}: ends with ${end.errors}, and ${name} with ${like.errors}`);
      }
      expect(found).toEqual([]);
    },
  );

  test('at the end nothing is running, nothing was lost, and no secret was shown or logged', {
    timeout: 600_000,
  }, async () => {
    await Promise.all(pairs.map(({ ended }) => ended));
    expect(unhandled).toEqual([]);
    expect(programs.length).toBeGreaterThan(1);
    for (const program of programs) {
      const running = program.told.filter(({ event }) => event === 'calls.running');
      expect(running.length).toBeGreaterThan(0);
      expect(running.at(-1)?.payload).toEqual([]);
      expect(program.logged).toEqual([]);
      const told = JSON.stringify(program.told);
      for (const secret of Object.values(beginnings)) expect(told.includes(secret), secret.slice(0, 3)).toBe(false);
    }
  });
});

test('the table has exactly the channels that reach the service, each tried', async () => {
  const program = unwrap(await startProgram());
  const service = await startFaultyService();
  try {
    const listed = new Set(features.map(({ channel }) => channel));
    expect([...Object.keys(makesNoCall), ...listed].sort(), 'a new channel says here whether it calls').toEqual(
      Object.keys(channels)
        .filter((name) => !Object.keys(testedElsewhere).some((start) => name.startsWith(start)))
        .sort(),
    );
    const connectionId = await program.connect(
      { restBaseUrl: service.restBaseUrl, soapUrl: service.soapUrl, soapNamespace: 'urn:faulty', accountName: 'WYE' },
      nextAccount(),
    );
    for (const [channel, input] of Object.entries(makesNoCall)) {
      if (input === null) continue;
      const asked = typeof input === 'function' ? input(connectionId) : input;
      const result: Result<unknown> = await program.call(channel as ChannelName, asked as never);
      if (!result.ok) expect(result.error.code, `${channel}: ${result.error.detail}`).not.toBe('bad-channel-input');
      expect(service.connections, channel).toBe(0);
    }
    for (const channel of listed) {
      const feature = features.find((one) => one.channel === channel);
      if (!feature) continue;
      const scene = await openScene(program, feature);
      const facts = (await feature.prepare?.(scene)) ?? {};
      const before = scene.service.connections;
      await feature.act({ ...scene, requestId: `good-${channel}`, facts });
      expect(scene.service.connections, channel).toBeGreaterThan(before);
    }
  } finally {
    await program.close();
    await service.close();
  }
});
