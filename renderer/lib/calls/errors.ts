import type { ChannelName } from '../../../shared/contract.ts';
import { type AppError, appError } from '../../../shared/errors.ts';

/** What a failed call rejects with, so that TanStack Query can carry it; `error` is the value from the closed list. */
export class CallError extends Error {
  readonly error: AppError;
  constructor(error: AppError) {
    super(error.message);
    this.name = 'CallError';
    this.error = error;
  }
}

/** Channels behind which the main process asks the service: if one breaks off, it is not known whether anything was charged. */
const askTheService: ReadonlySet<ChannelName> = new Set<ChannelName>([
  'connections.select',
  'connections.test',
  'connections.read-description',
  'secrets.try',
  'lookup.search',
  'lookup.open',
  'lookup.uprn',
  'lookup.distances',
  'operations.run',
  'credits.read-balances',
  'credits.read-evidence',
  'credits.measure',
  'licences.read',
  'licences.ask-machine',
  'licences.copy-guid',
  'licences.plan',
  'licences.run',
  'licences.resume',
  'machines.scan',
  'bulk.plan',
  'bulk.run',
  'batch.run',
  'batch.run-not-done',
]);

/** The error of a channel that broke off without main's own statement, after the request may have been passed on. */
export const brokenOff = (channel: ChannelName, thrown: unknown): CallError =>
  new CallError(
    appError('internal', {
      charge: askTheService.has(channel) ? 'may-have-been-charged' : 'not-applicable',
      detail: messageOf(thrown),
    }),
  );

/**
 * What was thrown, as an error of the closed list. A failed call carries main's own statement about the charge; anything else is a fault of
 * the window itself, which sends nothing.
 */
export const errorOf = (thrown: unknown): AppError =>
  thrown instanceof CallError
    ? thrown.error
    : appError('internal', { charge: 'not-applicable', detail: messageOf(thrown) });

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Whether a credit may have gone without a usable answer: the case that needs evidence before anything is asked again. */
export const isUnknownOutcome = (error: AppError): boolean => error.charge === 'may-have-been-charged';

/** The same error, saying first what it is about: two parts of a screen may fail for one reason. */
export const about = (subject: string, error: AppError): AppError => ({
  ...error,
  message: `${subject}: ${error.message}`,
});
