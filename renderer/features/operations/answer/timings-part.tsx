import type { OperationAnswer, ShownTimings } from '../../../../shared/contract/operations.ts';
import { formatBytes, formatDuration } from '../../../lib/text/format.ts';

const phases: readonly [keyof ShownTimings, string][] = [
  ['queued', 'Wait in queue'],
  ['name', 'Name'],
  ['tcp', 'TCP'],
  ['tls', 'TLS'],
  ['sent', 'Sent'],
  ['waiting', 'Waiting'],
  ['received', 'Received'],
  ['decoded', 'Parsed'],
];

/** How long each part of the call took, one after the other. Phases that did not happen are not drawn. */
export function TimingsPart({ answer }: { answer: OperationAnswer }) {
  const { timings, bytes } = answer;
  if (!timings)
    return (
      <section className="ops-timings pane-t" aria-label="Timings">
        <span className="h">Timings</span>{' '}
        <span className="xs t3">
          {formatDuration(answer.provenance.durationMs)} in all, {formatBytes(bytes)}; the parts were not kept.
        </span>
      </section>
    );
  let start = 0;
  const bars = phases.flatMap(([phase, label]) => {
    const took = timings[phase];
    if (typeof took !== 'number') return [];
    const bar = { phase, label, start, took };
    start += took;
    return [bar];
  });
  const total = Math.max(start, timings.total, 0.001);
  return (
    <section className="ops-timings pane-t" aria-label="Timings">
      <div className="row between">
        <span className="h">Timings</span>
        <span className="xs t3">
          {formatDuration(timings.total)}, {timings.reusedConnection ? 'reused connection' : 'new connection'},{' '}
          {formatBytes(bytes)}
        </span>
      </div>
      <dl>
        {bars.map((bar) => (
          <div key={bar.phase} className="row xs">
            <dt className="t2">{bar.label}</dt>
            <dd className="grow row">
              <span className="timing" aria-hidden="true">
                <i
                  className={bar.phase === 'waiting' ? 'wait' : undefined}
                  style={{ left: `${(bar.start / total) * 100}%`, width: `${(bar.took / total) * 100}%` }}
                />
              </span>
              <span className="t2 num ops-took">{bar.took < 1 ? '< 1 ms' : formatDuration(bar.took)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
