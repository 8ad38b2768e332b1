import { datasetSuffix, soapOperationNames, soapOperations } from '../../../shared/catalogue/soap-operations.ts';
import type { DriftSummary } from '../../../shared/contract/connections.ts';
import { type Connection, serviceAt } from '../../../shared/domain/connection.ts';
import type { DriftFinding } from '../../../shared/domain/drift.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Decoder } from '../decode/decoder.ts';
import { compareDescriptions } from '../soap/description/drift.ts';
import { descriptionUrl, readDescription } from '../soap/description/read-description.ts';
import { findDescribed } from '../soap/operation.ts';
import type { openServiceDescriptions } from '../storage/service-descriptions.ts';
import type { Transport } from '../transport/transport.ts';

const limitMs = 15_000;
/** A description that could not be read is not requested again for this long, so that not every call waits for it. */
const retryAfterMs = 60_000;

export type Descriptions = ReturnType<typeof createDescriptions>;

/** The service's own description for each connection: read at run time, kept for offline use, compared with the catalogue. */
export function createDescriptions(
  stored: ReturnType<typeof openServiceDescriptions>,
  transport: Transport,
  /** What one call may take: its description does not take longer. */
  callLimitMs: () => number = () => limitMs,
  decoder?: Pick<Decoder, 'run'>,
) {
  /** By address, on the running clock (ms). */
  const failedAt = new Map<string, number>();

  /**
   * The one kept from the last read; undefined: none, or it cannot be read, or it is that of another service than the connection leads to
   * now.
   */
  function lastSeen({ id, soapUrl }: Connection): ServiceDescription | undefined {
    const row = stored.find(id);
    if (!row.ok || !row.value) return undefined;
    const description = row.value.description as ServiceDescription;
    const address = descriptionUrl(soapUrl);
    const isItsOwn = address.ok && serviceAt(address.value.href) === serviceAt(description.source);
    return isItsOwn && Array.isArray(description.operations) ? description : undefined;
  }

  /**
   * Reads it now. Free: no operation is called and no credential is sent. Errors: those of `readDescription`; one that cannot be stored is
   * returned all the same.
   */
  async function read(connection: Connection, signal?: AbortSignal): Promise<Result<ServiceDescription>> {
    const description = await readDescription({
      soapUrl: connection.soapUrl,
      transport,
      timeoutMs: Math.min(limitMs, callLimitMs()),
      signal,
      decoder,
    });
    if (description.ok) {
      failedAt.delete(connection.soapUrl);
      stored.save(connection.id, description.value, description.value.readAt);
    } else if (!signal?.aborted) failedAt.set(connection.soapUrl, performance.now());
    return description;
  }

  /**
   * What calls go by: the last one seen, else read now, else nothing, in which case the published rules apply. Errors: those of `read`, if
   * the connection leaves its namespace to the description, so that no call can be made without one.
   */
  async function forCalls(
    connection: Connection,
    signal?: AbortSignal,
  ): Promise<Result<ServiceDescription | undefined>> {
    const known = lastSeen(connection);
    if (known && known.targetNamespace !== '') return ok(known);
    const isNeeded = connection.soapNamespace === '';
    const failed = failedAt.get(connection.soapUrl);
    if (!isNeeded && failed !== undefined && performance.now() - failed < retryAfterMs) return ok(undefined);
    const description = await read(connection, signal);
    return description.ok || isNeeded ? description : ok(undefined);
  }

  /** The description compared with the catalogue and with the one seen before. `before` undefined: only with the catalogue. */
  function summarise(
    connection: Connection,
    live: ServiceDescription | undefined,
    before?: ServiceDescription,
  ): DriftSummary {
    if (!live) return { ...nothingRead };
    const { findings } = compareDescriptions(live, before, {
      soapNamespace: connection.soapNamespace,
      utilitiesNamespace: connection.utilitiesNamespace,
    });
    const found = (name: string) => findDescribed(live, name) !== undefined;
    const published = new Set(soapOperationNames);
    const matched = new Set(soapOperationNames.map((name) => findDescribed(live, name)?.name));
    return {
      readAt: live.readAt,
      operationsFound: soapOperations.filter(({ name }) => found(name)).length,
      operationsPublished: soapOperations.length,
      twinsFound: twins.filter(found).length,
      twinsPublished: twins.length,
      onlyInDescription: live.operations
        .map(({ name }) => name)
        .filter((name) => !published.has(name) && !matched.has(name)),
      findings: shown(findings).map(({ kind, operation, field, message, touches, against }) => ({
        kind,
        subject: [operation, field].filter(Boolean).join(' · ') || 'the service',
        text: message,
        touches: `Touches ${touches.join(', ') || 'nothing'}; against ${against === 'catalogue' ? 'the catalogue' : 'the description last seen'}.`,
      })),
    };
  }

  return {
    read,
    /** Makes no network call. */
    lastSeen,
    forCalls,
    lastSummary: (connection: Connection): DriftSummary => summarise(connection, lastSeen(connection)),
    /** Reads it now, and compares it with the one before as well. */
    async readSummary(connection: Connection, signal?: AbortSignal): Promise<Result<DriftSummary>> {
      const before = lastSeen(connection);
      const live = await read(connection, signal);
      return live.ok ? ok(summarise(connection, live.value, before)) : live;
    },
    forget: (connectionId: string): void => void stored.remove(connectionId),
  };
}

/** The window lists the differences; another service’s description differs in everything. */
const mostFindings = 500;

const shown = (findings: readonly DriftFinding[]): readonly DriftFinding[] =>
  findings.length <= mostFindings
    ? findings
    : [
        ...findings.slice(0, mostFindings),
        {
          against: 'catalogue',
          kind: 'result-not-compared',
          touches: [],
          message: `… and ${findings.length - mostFindings} more differences: this may be another service’s description.`,
        },
      ];

const twins = soapOperationNames.filter((name) => name.endsWith(datasetSuffix));
const nothingRead: DriftSummary = {
  readAt: null,
  operationsFound: 0,
  operationsPublished: soapOperations.length,
  twinsFound: 0,
  twinsPublished: twins.length,
  onlyInDescription: [],
  findings: [],
};
