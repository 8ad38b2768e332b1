import { expect, test } from 'vitest';
import { runInNamespace, whyNoNamespace } from '../../helpers/namespace.ts';

const why = whyNoNamespace();
const because = why === null ? '' : ` (skipped: ${why})`;

test.skipIf(why !== null)(`localhost is this computer, and names that hang do not block others${because}`, async () => {
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
});

test.skipIf(why !== null)(
  `a proxy on another computer gets the sign-in it asks for at the first request${because}`,
  async () => {
    const printed = await runInNamespace('test/helpers/far-proxy-child.ts', { addresses: ['10.9.9.9'] });
    expect(JSON.parse(printed)).toEqual({ outcome: 200, signIns: [false, true], requests: 1 });
  },
);
