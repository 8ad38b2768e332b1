import { expect, test } from 'vitest';
import { keyNamed } from '../../../renderer/features/batch/money.ts';

const key = (label: string, preferred: boolean) => ({ label, lastFour: '0aab', preferred, sample: null });

test('a batch whose key was removed names no other in its place: the other would not be used', () => {
  const keys = [key('Desk', false), key('Back office', true)];
  expect(keyNamed(keys, 'Desk')?.label).toBe('Desk');
  expect(keyNamed(keys, null)?.label).toBe('Back office');
  expect(keyNamed(keys, 'Removed')).toBeNull();
});
