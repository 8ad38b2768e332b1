import type { GivenField } from '../../../shared/contract/operations.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Descriptions } from '../calls/descriptions.ts';
import type { Connections } from '../connections/connections.ts';
import { type Given, readGiven } from './given.ts';
import { type PreparedQuestion, questionOf } from './question.ts';
import { type Callable, resolveCallable } from './resolve.ts';

/** A form as the window gives it. */
export interface FilledForm {
  connectionId: string;
  operation: string;
  dataset: boolean;
  fields: readonly GivenField[];
}

/** A filled form that can be sent: which operation it calls, with what, and the question that it asks. */
export interface Prepared {
  connection: Connection;
  callable: Callable;
  given: Given;
  asked: PreparedQuestion;
}

/** Reads a filled form. Makes no network call. Errors: 'no-connection', 'unknown-operation', 'bad-input' with the field. */
export function prepare(
  { connectionId, operation, dataset, fields }: FilledForm,
  {
    connections,
    descriptions,
  }: { connections: Pick<Connections, 'find'>; descriptions: Pick<Descriptions, 'lastSeen'> },
): Result<Prepared> {
  const connection = connections.find(connectionId);
  if (!connection.ok) return connection;
  const callable = resolveCallable(connection.value, operation, dataset, descriptions.lastSeen(connection.value));
  if (!callable.ok) return callable;
  const given = readGiven(callable.value, fields);
  if (!given.ok) return given;
  return ok({
    connection: connection.value,
    callable: callable.value,
    given: given.value,
    asked: questionOf(connection.value, callable.value, given.value),
  });
}
