import { expect, test } from 'vitest';
import { readFailure } from '../../../electron/core/batch/run/outcome.ts';
import { appError } from '../../../shared/errors.ts';

test.each(['client-certificate-needed', 'client-certificate-refused'] as const)(
  '%s at the handshake costs nothing; after the request it may have cost',
  (code) => {
    expect(readFailure(appError(code, { charge: 'not-charged' }))).toEqual({ is: 'unsent', kind: 'refused', code });
    expect(readFailure(appError(code, { charge: 'may-have-been-charged' }))).toEqual({
      is: 'person',
      kind: 'refused',
      code,
    });
  },
);
