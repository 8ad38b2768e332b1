import { createClientAsync } from 'soap';
import { callSoap, type SoapAnswer } from '../../electron/core/soap/client.ts';
import { createHttpTransport } from '../../electron/core/transport/http/http-transport.ts';
import { buildProfile } from '../fixtures/soap/profile.ts';
import { startAnswerServer } from './support/answer-server.ts';
import { namespace, operation, recordCounts } from './support/answers.ts';
import { interleave, pair } from './support/interleave.ts';
import { type BenchOptions, compareTimes, type Row } from './support/rows.ts';

const rounds = { 1: 300, 100: 100, 10000: 12 } as const;

/**
 * A typed SOAP call over loopback, redaction and typing included, beside the `soap` package built from the service's description
 * and a bare fetch that reads the same bytes and understands nothing. Records of a long answer are read on demand, so it is measured with
 * all of them read and with none. All three keep their connection open.
 */
export async function measureSoapCall({ quick }: BenchOptions): Promise<Row[]> {
  const server = await startAnswerServer();
  const transport = createHttpTransport();
  const rows: Row[] = [];
  try {
    for (const count of recordCounts) {
      const address = server.addressOf(count);
      const profile = buildProfile({ soapUrl: address, soapNamespace: namespace });
      const other = await createClientAsync(`${address}?WSDL`);
      const fields = { Postcode: 'HR10 0DT', LicenceKey: profile.secrets.licenceKey ?? '', YourReference: '' };
      const envelope = await captureEnvelope(address);
      const call = async (): Promise<SoapAnswer> => {
        const given = { profile, operation: operation as string, fields: { Postcode: 'HR10 0DT' } };
        const answer = await callSoap({ ...given, transport: transport.send, timeoutMs: 60_000 });
        if (!answer.ok || answer.value.recordCount !== String(count))
          throw new Error(`ours: ${JSON.stringify(answer).slice(0, 200)}`);
        return answer.value;
      };
      const samples = await interleave(
        {
          ours: async () => {
            const { value } = await call();
            if ((value as { List: unknown[] }).List.length !== count) throw new Error('ours: other records');
          },
          answered: call,
          soap: async () => {
            const [result] = await other[`${operation}Async`](fields, { forever: true });
            const list = result[`${operation}Result`].List.AddressPremise;
            if (count > 1 && list.length !== count) throw new Error('soap: other records');
          },
          fetch: async () => {
            const answer = await fetch(address, {
              method: 'POST',
              body: envelope,
              headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${namespace}/${operation}"` },
            });
            await answer.arrayBuffer();
          },
        },
        { rounds: quick ? Math.ceil(rounds[count] / 6) : rounds[count], warmUp: count === 1 ? 50 : 5 },
      );
      const name = `SOAP call, ${count.toLocaleString('en-GB')} record${count === 1 ? '' : 's'}`;
      rows.push(compareTimes(name, pair(samples.ours, samples.soap), 'soap', count === 10_000 ? 0.5 : 1));
      rows.push(compareTimes(name, pair(samples.ours, samples.fetch), 'bare fetch'));
      const aim = count === 10_000 ? 4 : undefined;
      rows.push(compareTimes(`${name}, none looked at`, pair(samples.answered, samples.fetch), 'bare fetch', aim));
    }
  } finally {
    await transport.close();
    await server.stop();
  }
  return rows;

  /** The request of the program's client, which the bare fetch sends too. */
  async function captureEnvelope(soapUrl: string): Promise<string> {
    let body = '';
    await callSoap({
      profile: buildProfile({ soapUrl, soapNamespace: namespace }),
      operation,
      fields: { Postcode: 'HR10 0DT' },
      transport: (request) => {
        body = request.body ?? '';
        return transport.send(request);
      },
      timeoutMs: 60_000,
    });
    return body;
  }
}
