import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { runChange } from '../../electron/core/licences/change/change-states.ts';
import type { LicenceCalls } from '../../electron/core/licences/change/licence-calls.ts';
import { planChange } from '../../electron/core/licences/change/plan.ts';
import { request } from '../../electron/core/transport/connect/request.ts';
import type { ChangeKind } from '../../shared/domain/licences/licence-change.ts';
import { appError } from '../../shared/errors.ts';
import { fail, type Result } from '../../shared/result.ts';
import { connectionId, here, openLicenceConsole, there } from './licence-console.ts';
import { withKillPoints } from './licence-kill-points.ts';
import { unwrap } from './temp-database.ts';

// Runs as a separate process: plans and runs one change against a service over HTTP, and kills itself at the given point.
const [folder = '', url = '', kind = 'register', killAt = '0'] = process.argv.slice(2);

async function post<T>(path: string, body: object): Promise<Result<T>> {
  try {
    const asked = request(`${url}/${path}`, { method: 'POST' }).end(JSON.stringify(body));
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return (await json(response)) as Result<T>;
  } catch {
    return fail(appError('sent-no-answer'));
  }
}

const calls: LicenceCalls = {
  list: () => post('list', {}),
  details: (machine) => post('details', { machine }),
  register: (licenceNumber, machine) => post('register', { licenceNumber, machine }),
  unregister: (licenceNumber, machine) => post('unregister', { licenceNumber, machine }),
};

const console = await openLicenceConsole(folder, calls);
const { deps, database } = console;
const order = { connectionId, kind: kind as ChangeKind, licenceNumber: '20418', machine: here };
const plan = unwrap(
  await planChange(kind === 'move' ? { ...order, fromMachine: there } : order, deps.calls, deps.store, deps.ctx),
);
process.send?.({ changeId: plan.id });
let point = 0;
const change = unwrap(
  await runChange(
    plan.id,
    { name: here },
    withKillPoints(console, () => {
      point += 1;
      if (point === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    }),
  ),
);
database.close();
process.send?.({ verdict: change.verdict, points: point });
process.disconnect?.();
