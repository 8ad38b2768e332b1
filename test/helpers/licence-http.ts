import type { Clients } from '../../electron/core/calls/clients.ts';
import type { CallProfile } from '../../electron/core/connections/profile.ts';
import type { LicenceCalls } from '../../electron/core/licences/change/licence-calls.ts';
import { licenceCallsOver } from '../../electron/core/licences/change/soap-licence-calls.ts';
import { callSoap } from '../../electron/core/soap/client.ts';
import type { Transport } from '../../electron/core/transport/transport.ts';
import type { RunningDemo } from '../../electron/demo-service/service.ts';
import { ok } from '../../shared/result.ts';
import { connectionId } from './licence-console.ts';

/** The program's licence calls with its SOAP client and transport, without activity log and ledger. */
export function licenceCallsTo(demo: RunningDemo, send: Transport, timeoutMs = 120_000): LicenceCalls {
  const profile: CallProfile = {
    connection: {
      id: connectionId,
      name: 'Wyebank',
      kind: 'test',
      colour: '#b8336a',
      restBaseUrl: demo.restBaseUrl,
      soapUrl: demo.soapUrl,
      soapNamespace: demo.soapNamespace,
      utilitiesNamespace: demo.utilitiesNamespace,
      soapVersion: '1.1',
      searchForm: 'query',
      preferredInterface: 'soap',
      accountName: demo.demo.accountName,
      machineId: '',
      ipAddress: '',
      yourReference: '',
      listSeparator: ',',
    },
    secrets: { guid: demo.demo.guid },
  };
  const soap: Clients['soap'] = async (asked) => {
    const answer = await callSoap({
      profile,
      operation: asked.operation,
      fields: asked.fields,
      transport: send,
      timeoutMs,
    });
    if (!answer.ok) return answer;
    return ok({ value: answer.value, call: { id: crypto.randomUUID(), durationMs: 1 } }) as never;
  };
  return licenceCallsOver({ soap } as Clients, profile.connection);
}
