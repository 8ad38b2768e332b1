import { expect, test } from 'vitest';
import { drawSteps } from '../../../electron/core/licences/change/change-steps.ts';
import { describeUnread } from '../../../renderer/features/licences/change/machine-boxes.tsx';

test.each([
  ['DESK-12', 'DESK-1'],
  ['DESK-1', 'DESK-12'],
])(
  'of a move from %s to %s only the machine that a step is about is said to be asked or read',
  (fromMachine, machine) => {
    const subject = { kind: 'move', licenceNumber: '20418', machine, fromMachine } as const;
    const saidAt = (number: number) => {
      const steps = drawSteps(subject, []).map((step) =>
        step.number === number ? { ...step, state: 'running' as const } : step,
      );
      return [fromMachine, machine].map((one) => describeUnread({ ...subject, steps }, one, true));
    };
    expect([2, 3, 4, 5].map(saidAt)).toEqual([
      ['being asked', 'not asked yet'],
      ['being read', 'not asked yet'],
      ['not asked yet', 'being asked'],
      ['not asked yet', 'being read'],
    ]);
  },
);
