import { expect, test } from 'vitest';
import { appError } from '../../../shared/errors.ts';

test.each([
  'credentials-refused',
  'not-permitted',
  'no-credits',
  'rate-limited',
  'not-found',
  'input-refused',
  'not-the-service',
] as const)('%s, which only an answer brings, says by itself that the request may have cost credits', (code) => {
  expect(appError(code)).toMatchObject({ charge: 'may-have-been-charged', money: 'It may have cost credits.' });
});
