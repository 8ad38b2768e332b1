import { expect, test } from 'vitest';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { startDemo } from '../../helpers/demo-process.ts';
import { startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

test.each([
  ['with a REST address', true, ['GetCredits']],
  ['without one, whatever keys it has', false, []],
])('a connection %s: the free reading after a burst of calls', async (_, hasRest, operations) => {
  const service = await startDemo('--seed', '42', '--premises', '2000');
  const program = unwrap(await startProgram());
  try {
    const { restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, demo } = service;
    const connectionId = await program.connect(
      {
        restBaseUrl: hasRest ? restBaseUrl : '',
        soapUrl,
        soapNamespace,
        utilitiesNamespace,
        accountName: demo.accountName,
      },
      { 'lookup-key': demo.lookupKey, 'account-guid': demo.guid, 'licence-id': demo.licenceId },
    );
    await program.core.credits.reader.readFree(connectionId);
    const listed = await program.call('activity.list', { filter: wholeTable, before: null, limit: 10, fold: false });
    expect(unwrap(listed).calls.map(({ operation }) => operation)).toEqual(operations);
  } finally {
    await program.close();
    await service.stop();
  }
});
