import { addressOf, type Connection, type Protocol, protocolNames } from '../../../shared/domain/connection.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';

/** What opens a premise on each interface. */
export const premiseOperations = { rest: 'GetPremise', soap: 'GetPremiseAddress' } as const;
/** The two answers side by side, by their id; null: none is chosen. */
export type Sides = [left: string | null, right: string | null];

/** The sides to begin with: REST left and SOAP right if both are saved, else the newest two. */
export function chooseSides(answers: readonly Provenance[]): Sides {
  const of = (protocol: Protocol) =>
    answers.find((one) => one.operation === premiseOperations[protocol])?.answerId ?? null;
  const [rest, soap] = [of('rest'), of('soap')];
  if (rest && soap) return [rest, soap];
  const first = rest ?? soap ?? answers[0]?.answerId ?? null;
  return [first, answers.find(({ answerId }) => answerId !== first)?.answerId ?? null];
}

/** The interface that the connection has and over which no saved answer with the premise's address came. */
export const missingProtocol = (connection: Connection, answers: readonly Provenance[]): Protocol | undefined =>
  (['rest', 'soap'] as const).find(
    (protocol) =>
      addressOf(connection, protocol) !== '' &&
      !answers.some(({ operation }) => operation === premiseOperations[protocol]),
  );

/** A side in the copied text. */
export const sideName = (answer: Provenance | null): string =>
  answer ? `${protocolNames[answer.interface]} ${answer.operation} ${answer.at}` : '';
