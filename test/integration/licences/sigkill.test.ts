import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChangeKind } from '../../../shared/domain/licences/licence-change.ts';
import { ok } from '../../../shared/result.ts';
import { bundleChild } from '../../helpers/bundled-child.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { openLicenceConsole } from '../../helpers/licence-console.ts';
import { expectAgreement, expectStart, resumeAs } from '../../helpers/licence-kill-checks.ts';
import { callService, type LicenceService, type Write } from '../../helpers/licence-service.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { putReadyDatabase } from '../../helpers/ready-database.ts';

let service: LicenceService;
let server: Server;
let url: string;

beforeEach(async () => {
  server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { machine: string; licenceNumber: string };
    const answer = answerTo(request.url ?? '', body);
    response.end(JSON.stringify(answer.ok ? ok({ value: answer.value, callId: 'call', durationMs: 1 }) : answer));
  });
  url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
afterEach(() => void server.close());

function answerTo(path: string, { machine, licenceNumber }: { machine: string; licenceNumber: string }) {
  if (path === '/list') return service.list();
  if (path === '/details') return service.details(machine);
  return service.write(path.slice(1) as Write, licenceNumber, machine);
}

/** Windows has no signals: a process that is killed there ends with exit code 1. */
const killed = process.platform === 'win32' ? 1 : 'SIGKILL';

interface Ended {
  changeId: string;
  /** The signal that ended it, or its exit code on a system without signals. */
  by: string | number | null;
  /** The number of points that it passed, if it ended by itself. */
  points: number;
}

/** Runs the program to its end. `onPid` is called with its process id at once. */
async function runProgram(folder: string, kind: ChangeKind, killAt: number, onPid = (_: number) => {}): Promise<Ended> {
  putReadyDatabase(folder);
  const program = fork(await bundleChild('test/helpers/licence-kill-child.ts'), [folder, url, kind, String(killAt)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onPid(program.pid ?? 0);
  const told: { changeId?: string; points?: number } = {};
  program.on('message', (message) => Object.assign(told, message));
  const [code, signal] = (await once(program, 'close')) as [number | null, string | null];
  return { changeId: told.changeId ?? '', by: signal ?? code, points: told.points ?? 0 };
}

async function expectToSurvive(folder: string, changeId: string, what: string): Promise<void> {
  const console = await openLicenceConsole(folder, callService(service));
  const change = expectAgreement(console, service, changeId, what);
  if (change) await resumeAs('finish', console, service, change, what);
  console.database.close();
}

const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'licences-'));
  try {
    return await work(folder);
  } finally {
    removeFolder(folder);
  }
};

// The three kinds of change run the same steps, of which a move has all: each kind stops at each of its points in memory (kill.test.ts).
it('a move killed with SIGKILL at every point is found as it was and finished once', async () => {
  service = expectStart('move');
  const { points } = await inFolder((folder) => runProgram(folder, 'move', 0));
  expect(points).toBeGreaterThan(8);
  for (let point = 1; point <= points; point++) {
    await inFolder(async (folder) => {
      service = expectStart('move');
      const { changeId, by } = await runProgram(folder, 'move', point);
      expect(by).toBe(killed);
      await expectToSurvive(folder, changeId, `move, SIGKILL at point ${point}`);
    });
  }
});

it.each([
  ['register', 'register'],
  ['unregister', 'unregister'],
  ['move', 'unregister'],
  ['move', 'register'],
] as const)(
  'a %s killed with SIGKILL while its %s is on its way is found as it was and finished once',
  async (kind, write) => {
    await inFolder(async (folder) => {
      service = expectStart(kind);
      let pid = 0;
      service.onWrite = (arrived) => {
        if (arrived === write) process.kill(pid, 'SIGKILL');
      };
      const ended = await runProgram(folder, kind, 0, (started) => {
        pid = started;
      });
      expect(ended.by).toBe(killed);
      service.onWrite = () => {};
      await expectToSurvive(folder, ended.changeId, `${kind}, SIGKILL during ${write}`);
    });
  },
);
