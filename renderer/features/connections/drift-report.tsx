import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DriftSummary } from '../../../shared/contract/connections.ts';
import { Failure } from '../../components/failure.tsx';
import { Dot, Mono } from '../../components/marks.tsx';
import { ReadFailure } from '../../components/read-failure.tsx';
import { TableActions } from '../../components/table/table-actions.tsx';
import type { TextColumn } from '../../components/table/table-text.ts';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatWhen } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';

const driftKey = (connectionId: string) => ['connections', 'description', connectionId] as const;

/** The service's own description compared with the catalogue. Reading it is no call of an operation and has no price. */
export function DriftReport({ connectionId }: { connectionId: string }) {
  const client = useQueryClient();
  const last = useQuery({
    queryKey: driftKey(connectionId),
    queryFn: () => call('connections.last-description', { connectionId }),
    // A SOAP call reads it by itself where there is none, and so may another screen.
    refetchOnMount: 'always',
  });
  const read = useMutation({
    mutationFn: () => call('connections.read-description', { connectionId }),
    onSuccess: (drift) => client.setQueryData(driftKey(connectionId), drift),
  });
  const drift = last.data;
  return (
    <section className="pane-t pad" aria-labelledby="drift">
      <div className="row between">
        <h3 className="h" id="drift">
          Difference from the catalogue
        </h3>
        <Button size="compact-xs" variant="subtle" loading={read.isPending} onClick={() => read.mutate()}>
          {drift?.readAt ? 'Read again' : 'Read the description'}
        </Button>
      </div>
      <p className="sm t2">The service’s own description, compared with the published one.</p>
      {read.error && <Failure error={errorOf(read.error)} />}
      <ReadFailure of={last} />
      {drift && (drift.readAt ? <Findings drift={drift} /> : <p className="sm t3">Not read yet.</p>)}
    </section>
  );
}

const findingColumns: readonly TextColumn<DriftSummary['findings'][number]>[] = [
  { id: 'subject', head: 'What', value: ({ subject }) => subject },
  { id: 'text', head: 'Difference', value: ({ text }) => text },
  { id: 'touches', head: 'Touches', value: ({ touches }) => touches },
];

function Findings({ drift }: { drift: DriftSummary }) {
  const { operationsFound, operationsPublished, twinsFound, twinsPublished, onlyInDescription, findings } = drift;
  return (
    <>
      <p className="xs t3">{drift.readAt !== null && `read ${formatWhen(drift.readAt)}`}</p>
      <Row good={operationsFound === operationsPublished} figure={`${operationsFound} of ${operationsPublished}`}>
        operations found
      </Row>
      <Row good={twinsFound === twinsPublished} figure={`${twinsFound} of ${twinsPublished}`}>
        data-set twins found
      </Row>
      <Row good={onlyInDescription.length === 0} figure={String(onlyInDescription.length)}>
        {onlyInDescription.length === 1 ? 'operation' : 'operations'} only in the description
      </Row>
      <Row good={findings.length === 0} figure={String(findings.length)}>
        {findings.length === 1 ? 'difference' : 'differences'} in all
      </Row>
      {onlyInDescription.map((name) => (
        <div key={name} className="sm">
          <Mono>{name}</Mono>
          <div className="t3">can be called as the description says</div>
        </div>
      ))}
      {findings.length > 0 && (
        <details>
          <summary className="sm">Full report: {countOf(findings.length, 'difference')}</summary>
          <p className="sm">
            <TableActions label="Differences from the catalogue" columns={findingColumns} rows={findings} link />
          </p>
          <ul className="findings">
            {findings.map((finding) => (
              <li key={finding.kind + finding.subject + finding.text} className="sm">
                <Mono>{finding.subject}</Mono>
                <div>{legible(finding.text)}</div>
                <div className="t3">{finding.touches}</div>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Row({ good, figure, children }: { good: boolean; figure: string; children: React.ReactNode }) {
  return (
    <div className="drift-row">
      <Dot tone={good ? 'good' : 'warn'} />
      <span className="m nowrap">{figure}</span>
      <span className="t2">{children}</span>
    </div>
  );
}
