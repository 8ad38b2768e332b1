import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UpdatePlan } from '../../../electron/core/updates/plan-updates.ts';
import type { Seen, UpdateEngine } from '../../../electron/core/updates/update-engine.ts';
import { createUpdates, type Updates } from '../../../electron/core/updates/updates.ts';
import { type UpdateState, updateStateSchema } from '../../../shared/contract/updates.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

// The states of an update with a simulated engine; test/integration/updates/feed.test.ts tests the real one.

const hour = 60 * 60_000;
const at = (version: string, is: Seen['is'] = 'newer'): Result<Seen> =>
  ok({ feed: { version, date: null, notes: '' }, is });

let plan: UpdatePlan;
let answers: Result<Seen>[];
let looks: string[];
let downloads: ((result: Result<void>) => void)[];
let percent: (now: number) => void;
let installed: Parameters<UpdateEngine['install']>[];
let closed: number;
let busy: boolean;
let quits: number;
let putAway: string | null;
let states: UpdateState[];
let updates: Updates;
let load: (address: string) => Promise<UpdateEngine>;
let systemInstalls: boolean;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 9) });
  plan = {
    mode: 'notify',
    why: '',
    chosen: 'notify',
    most: 'automatic',
    address: 'https://a.example',
    addressLocked: false,
    installs: '',
  };
  answers = [];
  looks = [];
  downloads = [];
  installed = [];
  closed = 0;
  busy = false;
  quits = 0;
  putAway = null;
  states = [];
  systemInstalls = false;
  load = async (address) => ({
    look: async () => {
      looks.push(address);
      return answers.shift() ?? at('1.0.0', 'not-newer');
    },
    download: (onPercent) => {
      percent = onPercent;
      return new Promise((done) => downloads.push(done));
    },
    install: (restart, startedAgain) => {
      installed.push([restart, startedAgain]);
      return 'installer';
    },
    close: () => {
      closed += 1;
    },
  });
  updates = createUpdates({
    version: '1.0.0',
    clock: { now: () => Date.now() },
    plan: () => plan,
    loadEngine: (address) => load(address),
    systemInstalls: () => systemInstalls,
    putAway: {
      read: () => putAway,
      write: (version) => {
        putAway = version;
        return ok(undefined);
      },
    },
    isBusy: () => busy,
    quit: () => {
      quits += 1;
    },
    onChange: (state) => states.push(updateStateSchema.parse(state)),
  });
});
afterEach(() => {
  updates.close();
  vi.useRealTimers();
});
/** Lets promises that have settled continue. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('when it looks', () => {
  it('does not look if the plan says off: not at the start, not in a month, not on request', async () => {
    plan = { ...plan, mode: 'off' };
    updates.start();
    await updates.look();
    await vi.advanceTimersByTimeAsync(31 * 24 * hour);
    expect(looks).toEqual([]);
    expect(updates.state()).toMatchObject({ mode: 'off', lastLooked: null, latest: null });
  });

  it('looks at the start and once a day from then on', async () => {
    updates.start();
    await settle();
    expect(looks).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(23 * hour);
    expect(looks).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2 * hour);
    expect(looks).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(3 * 24 * hour);
    expect(looks).toHaveLength(5);
  });

  it('looks once for simultaneous requests', async () => {
    await Promise.all([updates.look(), updates.look(), updates.look()]);
    expect(looks).toHaveLength(1);
    expect(states.map(({ stage }) => stage)).toEqual(['looking', 'resting']);
  });

  it('stops with the program', async () => {
    updates.start();
    await settle();
    updates.close();
    states = [];
    await vi.advanceTimersByTimeAsync(72 * hour);
    expect(looks).toHaveLength(1);
    expect(closed).toBe(1);
    expect(states).toEqual([]);
  });
});

describe('notify', () => {
  it('says that there is a newer version, fetches none and installs none', async () => {
    answers = [at('2.0.0')];
    await updates.look();
    await settle();
    expect(updates.state()).toMatchObject({
      latest: { version: '2.0.0', is: 'newer' },
      stage: 'resting',
      notice: '2.0.0',
    });
    expect(downloads).toEqual([]);
    expect(updates.install()).toMatchObject({ ok: false });
    expect(updates.close()).toBeNull();
  });

  it('announces a version once: dismissed, it stays dismissed until there is another', async () => {
    answers = [at('2.0.0'), at('2.0.0'), at('2.1.0')];
    await updates.look();
    updates.putAway('2.0.0');
    expect(updates.state().notice).toBeNull();
    await updates.look();
    expect(updates.state().notice).toBeNull();
    await updates.look();
    expect(updates.state().notice).toBe('2.1.0');
  });

  it.each(['not-newer', 'too-new'] as const)('has no notice of what is %s', async (is) => {
    answers = [at('2.0.0', is)];
    await updates.look();
    expect(updates.state()).toMatchObject({ latest: { is }, notice: null });
  });

  it('keeps the last error for Settings, with what was found before', async () => {
    answers = [at('2.0.0'), fail(appError('name-not-found'))];
    await updates.look();
    await updates.look();
    expect(updates.state()).toMatchObject({ error: { code: 'name-not-found' }, latest: { version: '2.0.0' } });
    await updates.look();
    expect(updates.state().error).toBeNull();
  });

  it('survives a module that cannot be loaded, and tries again', async () => {
    const works = load;
    load = () => Promise.reject(new Error('no such part'));
    await updates.look();
    expect(updates.state()).toMatchObject({ stage: 'resting', error: { code: 'internal', charge: 'not-applicable' } });
    load = works;
    await updates.look();
    expect(updates.state().error).toBeNull();
  });
});

describe('automatic', () => {
  beforeEach(() => {
    plan = { ...plan, mode: 'automatic' };
  });

  it('fetches, reports progress, and hands over at the end of the program', async () => {
    answers = [at('2.0.0'), at('2.0.0')];
    await updates.look();
    expect(updates.state().stage).toBe('downloading');
    percent(40);
    expect(states.at(-1)).toMatchObject({ stage: 'downloading', percent: 40, notice: null });
    await updates.look();
    expect(looks).toHaveLength(1);
    downloads[0]?.(ok(undefined));
    await settle();
    expect(updates.state()).toMatchObject({ stage: 'ready', percent: null, notice: '2.0.0' });
    await updates.look();
    expect(downloads).toHaveLength(1);
    expect(updates.state().stage).toBe('ready');
    const handOver = updates.close();
    expect(installed).toEqual([]);
    expect(handOver?.(true)).toBe('installer');
    expect(installed).toEqual([[false, true]]);
  });

  it('restarts when asked, and not while something is under way', async () => {
    answers = [at('2.0.0')];
    await updates.look();
    expect(updates.install()).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    downloads[0]?.(ok(undefined));
    await settle();
    busy = true;
    expect(updates.install()).toMatchObject({ ok: false, error: { code: 'unfinished-change' } });
    expect(quits).toBe(0);
    busy = false;
    expect(updates.install()).toEqual(ok(undefined));
    expect(quits).toBe(1);
    updates.close()?.(false);
    expect(installed).toEqual([[true, false]]);
  });

  it('installs nothing that failed, and tries again at the next look', async () => {
    answers = [at('2.0.0'), at('2.0.0')];
    await updates.look();
    downloads[0]?.(fail(appError('unsafe-answer')));
    await settle();
    expect(updates.state()).toMatchObject({ stage: 'resting', error: { code: 'unsafe-answer' } });
    await updates.look();
    expect(downloads).toHaveLength(2);
    expect(updates.close()).toBeNull();
  });

  it('does not install a version withdrawn since', async () => {
    answers = [at('2.0.0'), at('1.0.0', 'not-newer')];
    await updates.look();
    downloads[0]?.(ok(undefined));
    await settle();
    await updates.look();
    expect(updates.state()).toMatchObject({ stage: 'resting' });
    expect(updates.close()).toBeNull();
  });

  it('fetches what has replaced it since', async () => {
    answers = [at('2.0.0'), at('2.0.1')];
    await updates.look();
    downloads[0]?.(ok(undefined));
    await settle();
    await updates.look();
    expect(downloads).toHaveLength(2);
    expect(updates.close()).toBeNull();
  });

  it.each([
    ['off', { mode: 'off' }],
    ['another address', { address: 'https://b.example' }],
  ] as const)('drops what it had when the choice becomes %s', async (_name, change) => {
    answers = [at('2.0.0'), at('1.0.0', 'not-newer')];
    await updates.look();
    downloads[0]?.(ok(undefined));
    await settle();
    const before = plan;
    plan = { ...plan, ...change };
    updates.replan(before);
    await settle();
    expect(closed).toBe(1);
    expect(looks).toEqual('address' in change ? ['https://a.example', 'https://b.example'] : ['https://a.example']);
    expect(updates.state()).toMatchObject({ stage: 'resting', notice: null });
    expect(updates.close()).toBeNull();
  });

  it('says of what macOS already has that it will install it, whatever is chosen or withdrawn afterwards', async () => {
    systemInstalls = true;
    const had = 'But macOS already has version 2.0.0 and installs it when the program is closed.';
    plan = { ...plan, why: 'As chosen.' };
    answers = [at('2.0.0'), at('1.0.0', 'not-newer'), at('2.0.1'), at('2.0.1')];
    await updates.look();
    downloads[0]?.(ok(undefined));
    await settle();
    expect(updates.state()).toMatchObject({ stage: 'ready', why: 'As chosen.' });
    await updates.look();
    expect(updates.state()).toMatchObject({ stage: 'resting', why: `As chosen. ${had}` });
    await updates.look();
    expect(states.at(-1)).toMatchObject({ stage: 'downloading', why: `As chosen. ${had}` });
    // It is switched off while macOS receives the next one.
    const before = plan;
    plan = { ...plan, mode: 'off' };
    updates.replan(before);
    expect(states.at(-1)).toMatchObject({ mode: 'off', why: `As chosen. ${had}` });
    downloads[1]?.(ok(undefined));
    await settle();
    expect(states.at(-1)?.why).toBe(`As chosen. ${had.replace('2.0.0', '2.0.1')}`);
    expect(updates.close()).toBeNull();
  });

  it('ignores a late answer of another address', async () => {
    answers = [at('2.0.0')];
    await updates.look();
    const before = plan;
    plan = { ...plan, address: 'https://b.example' };
    updates.replan(before);
    await settle();
    percent(90);
    downloads[0]?.(ok(undefined));
    await settle();
    expect(updates.state()).toMatchObject({ stage: 'resting', percent: null, latest: { version: '1.0.0' } });
    expect(updates.close()).toBeNull();
  });
});
