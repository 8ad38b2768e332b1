import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallProfile } from '../../../electron/core/connections/profile.ts';
import { callSoap } from '../../../electron/core/soap/client.ts';
import { compareDescriptions } from '../../../electron/core/soap/description/drift.ts';
import { readDescription } from '../../../electron/core/soap/description/read-description.ts';
import type { DataSet } from '../../../electron/core/soap/message/dataset.ts';
import type { FieldValues } from '../../../electron/core/soap/message/envelope.ts';
import { createHttpTransport, type HttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import type { SoapVersion } from '../../../shared/domain/connection.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { buildProfile } from '../../fixtures/soap/profile.ts';
import { soapQuestions, startTestService } from '../../helpers/demo-process.ts';

let demo: RunningDemo;
let transport: HttpTransport;

beforeAll(async () => {
  demo = await startTestService({ premises: 6000 });
  transport = createHttpTransport();
});

afterAll(async () => {
  await transport.close();
  await demo.stop();
});

function profileOf(soapVersion: SoapVersion): CallProfile {
  const { accountName, licenceId, guid, licenceKey, webMapKey } = demo.demo;
  const { soapUrl, soapNamespace, utilitiesNamespace } = demo;
  return buildProfile(
    { soapUrl, soapNamespace, utilitiesNamespace, soapVersion, accountName },
    { licenceId, guid, licenceKey, webMapKey },
  );
}

/** Fields to which an operation returns an answer, by the name of its base operation. */
function fieldsOf(name: string): FieldValues {
  const { machines, licences } = demo.demo;
  const licence = { iLicenseID: Object.values(licences)[0], sMachineName: machines[0] };
  const fields: Record<string, FieldValues> = {
    ...soapQuestions(demo.demo),
    RegisterLicense: licence,
    UnregisterLicense: licence,
  };
  return fields[name] ?? {};
}

async function describe(soapVersion: SoapVersion): Promise<ServiceDescription> {
  const { soapUrl } = profileOf(soapVersion).connection;
  const read = await readDescription({ soapUrl, transport: transport.send, timeoutMs: 120_000 });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

test('the demo service’s description agrees with the catalogue', async () => {
  const description = await describe('1.1');
  expect(description.operations.filter((operation) => operation.callable)).toHaveLength(soapOperationNames.length);
  expect(description.utilitiesNamespace).toBe(demo.utilitiesNamespace);
  const findings = compareDescriptions(description, description, demo).findings;
  expect(findings).toEqual([]);
});

test.each([
  ['1.1', false],
  ['1.1', true],
  ['1.2', false],
  ['1.2', true],
] as const)('all operations over SOAP %s, with a description: %s', async (version, described) => {
  const description = described ? await describe(version) : undefined;
  for (const operation of soapOperationNames) {
    const dataset = operation.endsWith('_Dataset');
    const fields = fieldsOf(dataset ? operation.slice(0, -'_Dataset'.length) : operation);
    const answer = await callSoap({
      profile: profileOf(version),
      operation,
      fields,
      description,
      transport: transport.send,
      timeoutMs: 120_000,
    });
    if (!answer.ok) throw new Error(`${operation}: ${JSON.stringify(answer.error)}`);
    expect(answer.value.found, operation).toBe('something');
    expect(answer.value.unknown, operation).toEqual([]);
    if (dataset)
      expect((answer.value.value as DataSet).tables.flatMap((table) => table.rows).length, operation).toBeGreaterThan(
        0,
      );
    for (const secret of [demo.demo.guid, demo.demo.licenceId, demo.demo.licenceKey, demo.demo.webMapKey]) {
      expect(JSON.stringify(answer.value), operation).not.toContain(secret);
    }
  }
});
