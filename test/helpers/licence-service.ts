import type { LicenceAnswer, LicenceCalls } from '../../electron/core/licences/change/licence-calls.ts';
import type { RecordValue } from '../../shared/catalogue/records.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

export type Write = 'register' | 'unregister';
/** How the service treats a write: what it does, and what it answers. */
export type Manner =
  | 'honest'
  | 'says-yes-does-nothing'
  | 'says-no-does-it'
  | 'fault-does-it'
  | 'silent-does-it'
  | 'silent-does-nothing';

/** A licence service in memory. It knows which licence is on which machine, records what it is sent, and can answer falsely. */
export class LicenceService {
  readonly licences: RecordValue<'License'>[];
  readonly bound = new Map<string, Set<string>>();
  /** Every write that arrived, oldest first. */
  readonly writes: { write: Write; licenceNumber: string; machine: string }[] = [];
  readonly manner: Record<Write, Manner> = { register: 'honest', unregister: 'honest' };
  /** Machines for which reading fails. */
  readonly unreadable = new Set<string>();
  /** Called with each write before it is carried out. */
  onWrite: (write: Write) => void = () => {};
  reads = 0;

  constructor(licences: RecordValue<'License'>[] = [makeLicence('20418')]) {
    this.licences = licences;
  }

  bind(licenceNumber: string, machine: string): void {
    const held = this.bound.get(machine) ?? new Set();
    this.bound.set(machine, held.add(licenceNumber));
  }

  holds(machine: string, licenceNumber = '20418'): boolean {
    return this.bound.get(machine)?.has(licenceNumber) ?? false;
  }

  list(): Result<RecordValue<'License'>[]> {
    this.reads += 1;
    return ok(this.licences);
  }

  details(machine: string): Result<RecordValue<'License'>[]> {
    this.reads += 1;
    if (this.unreadable.has(machine)) return fail(appError('connect-timeout'));
    const held = [...(this.bound.get(machine) ?? [])];
    return ok(held.map((id) => this.licences.find((licence) => licence.LicenseID === id) ?? makeLicence(id)));
  }

  write(write: Write, licenceNumber: string, machine: string): Result<string> {
    this.writes.push({ write, licenceNumber, machine });
    this.onWrite(write);
    const manner = this.manner[write];
    if (manner !== 'says-yes-does-nothing' && manner !== 'silent-does-nothing') {
      if (write === 'register') this.bind(licenceNumber, machine);
      else this.bound.get(machine)?.delete(licenceNumber);
    }
    if (manner === 'honest' || manner === 'says-yes-does-nothing') return ok(`OK ${licenceNumber}`);
    if (manner === 'says-no-does-it') return ok('ERR no seat');
    if (manner === 'fault-does-it')
      return fail(appError('soap-fault', { detail: 'Server was unable to process request.' }));
    return fail(appError('sent-no-answer'));
  }
}

export const makeLicence = (id: string, more: Partial<RecordValue<'License'>> = {}): RecordValue<'License'> => ({
  ReferenceNo: `WY-${id}`,
  AcccountName: 'WYEBANKUT01',
  GUID: '6f9619ff-8b86-d011-b42d-00c04fc9a93c',
  LicenseID: id,
  LicenseTypeName: 'Premises Desktop',
  LicenseTypeDesc: 'One seat, premises',
  ExpiryDate: '31/03/2099',
  CurrentCreditsAvailable: '388',
  AllowedIpAddress: '',
  LicenseInUse: '0',
  Available: '1',
  Status: 'A',
  Return_Code: '1',
  ...more,
});

/** The calls of one connection to the service, in the same process. */
export function callService(service: LicenceService): LicenceCalls {
  const answer = async <T>(result: Result<T>): Promise<Result<LicenceAnswer<T>>> =>
    result.ok ? ok({ value: result.value, callId: 'call', durationMs: 12 }) : result;
  return {
    list: () => answer(service.list()),
    details: (machine) => answer(service.details(machine)),
    register: (licenceNumber, machine) => answer(service.write('register', licenceNumber, machine)),
    unregister: (licenceNumber, machine) => answer(service.write('unregister', licenceNumber, machine)),
  };
}
