import type { LicenceChange } from '../../../../shared/domain/licence-change.ts';
import { Dot } from '../../../components/marks.tsx';
import { Tick } from '../../../components/steps.tsx';

const names = ['Plan', 'Confirm', 'Write', 'Read back', 'Receipt'] as const;
type Stage = 'past' | 'here' | 'ahead' | 'unproved';

/** How far a change has come: five words, each past, here or ahead; what was not seen is never ticked. */
export function Stages({ change, running }: { change: LicenceChange; running: boolean }) {
  const here = stageOf(change, running);
  const unproved =
    change.state !== 'planned' && !running && change.verdict !== 'seen' && change.verdict !== 'confirmed';
  return (
    <ol className="plain stages" aria-label="Progress">
      {names.map((name, index) => {
        const stage: Stage =
          unproved && index === Math.min(here, 3)
            ? 'unproved'
            : here > index
              ? 'past'
              : here === index
                ? 'here'
                : 'ahead';
        return (
          <li key={name} className={classes[stage]} aria-current={stage === 'here' ? 'step' : undefined}>
            {stage === 'past' ? (
              <Tick />
            ) : (
              <Dot tone={stage === 'here' ? 'accent' : stage === 'unproved' ? 'warn' : 'hollow'} />
            )}
            {name}
            <span className="spoken">, {words[stage]}</span>
          </li>
        );
      })}
    </ol>
  );
}

const classes: Record<Stage, string> = { past: 'held', here: 'm', ahead: 't3', unproved: 'warn m' };
const words: Record<Stage, string> = { past: 'done', here: 'now', ahead: 'to come', unproved: 'not seen yet' };

function stageOf(change: LicenceChange, running: boolean): number {
  if (running) {
    const step = change.steps.find(({ state }) => state === 'running');
    return step?.effect === 'reads' && step.number > 1 ? 3 : 2;
  }
  if (change.state === 'planned') return 1;
  if (change.state !== 'interrupted') return names.length;
  return change.steps.some((step) => step.effect === 'writes' && step.state === 'planned') ? 2 : 3;
}
