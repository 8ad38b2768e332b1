import { createClientAsync } from 'soap';
import {
  type DecodedValue,
  type DecodeJob,
  decodeAnswer,
  readAnswer,
} from '../../electron/core/soap/message/answer.ts';
import { createRedactor } from '../../electron/core/transport/redact/redact.ts';
import type { Result } from '../../shared/result.ts';
import { buildProfile } from '../fixtures/soap/profile.ts';
import { startAnswerServer } from './support/answer-server.ts';
import { namespace, operation, recordCounts, writeAnswer } from './support/answers.ts';
import { interleave, pair } from './support/interleave.ts';
import { type BenchOptions, compareTimes, type Row } from './support/rows.ts';

const rounds = { 1: 200, 100: 60, 10000: 12 } as const;
const batches = { 1: 50, 100: 2, 10000: 1 } as const;

/** Counts the records by going through all of them, so that each is read. */
const countRecords = (result: Result<DecodedValue>): number =>
  result.ok ? (result.value.value as { List: unknown[] }).List.length : 0;

/**
 * From the bytes of an answer to typed records, no network, beside the `soap` package's way from bytes to object. Ours is
 * measured twice: the reading alone, and with the masking of every secret, which `soap` does not do. As in a call,
 * the redactor exists already, since it is made for the request, and its time counts in the call. Beside JSON.parse of the same
 * records: with all of them read, and with none, as right after the answer's arrival.
 */
export async function measureDecode({ quick }: BenchOptions): Promise<Row[]> {
  const server = await startAnswerServer();
  const { wsdl } = await createClientAsync(`${server.addressOf(1)}?WSDL`);
  await server.stop();
  const secrets = Object.values(buildProfile().secrets).filter((value) => value !== undefined);
  const redactor = createRedactor(secrets);
  const rows: Row[] = [];
  for (const count of recordCounts) {
    const body = Buffer.from(writeAnswer(count));
    const job: DecodeJob = {
      body,
      status: 200,
      contentType: 'text/xml; charset=utf-8',
      operation,
      namespace,
      result: 'ListAllAddressPremises',
      secrets,
    };
    const json = JSON.stringify(decodeAnswer(job, redactor).result);
    const samples = await interleave(
      {
        reading: () => {
          if (countRecords(readAnswer(job, body.toString())) !== count) throw new Error('not read');
        },
        masking: () => {
          if (countRecords(decodeAnswer(job, redactor).result) !== count) throw new Error('not decoded');
        },
        answered: () => {
          if (!decodeAnswer(job, redactor).result.ok) throw new Error('not decoded');
        },
        json: () => {
          JSON.parse(json);
        },
        soap: () => {
          wsdl.xmlToObject(body.toString());
        },
      },
      { rounds: quick ? Math.ceil(rounds[count] / 6) : rounds[count], batch: batches[count] },
    );
    const name = `decode ${count.toLocaleString('en-GB')} record${count === 1 ? '' : 's'}`;
    const atMost = count === 10_000 ? 0.5 : 1;
    rows.push(compareTimes(`${name}, reading`, pair(samples.reading, samples.soap), 'soap', atMost));
    rows.push(compareTimes(`${name}, masked`, pair(samples.masking, samples.soap), 'soap', atMost));
    const ofJson = count === 10_000 ? 3 : undefined;
    rows.push(compareTimes(`${name}, masked`, pair(samples.masking, samples.json), 'JSON.parse'));
    rows.push(compareTimes(`${name}, none looked at`, pair(samples.answered, samples.json), 'JSON.parse', ofJson));
  }
  return rows;
}
