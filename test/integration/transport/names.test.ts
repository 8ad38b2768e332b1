import { expect, test } from 'vitest';
import { runInNamespace, whyNoNamespace } from '../../helpers/namespace.ts';

const why = whyNoNamespace();

test.skipIf(why !== null)(
  `localhost is this computer, and names that hang do not block others${why === null ? '' : ` (skipped: ${why})`}`,
  async () => {
    const printed = await runInNamespace('test/helpers/names-child.ts', {
      hosts: '10.9.9.9 localhost\n127.0.0.1 ready.example\n',
      addresses: ['10.9.9.9'],
    });
    expect(JSON.parse(printed)).toEqual({
      // The key was sent to 127.0.0.1, not to the address of localhost in the hosts file.
      local: '127.0.0.1',
      bytesElsewhere: 0,
      // Its name was resolved and its certificate checked while six other names were being looked up.
      ready: 'certificate-not-trusted',
      silent: 'connect-timeout',
      said: 'The name service did not say in time which address silent-1.example has.',
    });
  },
);
