import type { Page } from 'playwright/test';
import type { MeterState } from '../../electron/demo-service/meter.ts';
import type { ConnectionDraft } from '../../shared/domain/connection.ts';
import { expect, type Service } from './fixtures.ts';

/** The meter of a service that was started with --admin. */
export async function readMeter(service: Service): Promise<MeterState> {
  return (await fetch(new URL('/__demo/meter', service.restBaseUrl))).json() as Promise<MeterState>;
}

export const hitsOf = async (service: Service, name: string): Promise<number> =>
  (await readMeter(service)).calls[name]?.hits ?? 0;

/** Arms a fault in the service. */
export async function armFault(service: Service, fault: object): Promise<void> {
  const response = await fetch(new URL('/__demo/faults', service.restBaseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (!response.ok) throw new Error(`The fault was not taken: ${await response.text()}`);
}

let connections = 0;

/**
 * Sets up a connection to a service with the keys of both interfaces, through the window's channels because other tests cover the
 * screens for that, and shows the search box. In a shared window each test has its own connection and service, so that it does not show
 * what an earlier test searched for, saved, opened or typed.
 */
export async function connectBoth(page: Page, service: Service, changes: Partial<ConnectionDraft> = {}): Promise<void> {
  const { restBaseUrl, soapUrl, demo } = service;
  connections += 1;
  const draft: ConnectionDraft = {
    name: `Wyebank ${connections}`,
    kind: 'test',
    colour: '#c2306a',
    restBaseUrl,
    soapUrl,
    soapNamespace: 'http://address-demo.example/service19/',
    utilitiesNamespace: 'http://address-demo.example/PostcodeUtilities.xsd',
    soapVersion: '1.1',
    searchForm: 'query',
    preferredInterface: 'rest',
    accountName: demo.accountName,
    machineId: '',
    ipAddress: '',
    yourReference: '',
    listSeparator: ',',
    ...changes,
  };
  const keys = { 'lookup-key': demo.lookupKey, 'licence-id': demo.licenceId, 'account-guid': demo.guid } as const;
  await page.evaluate(
    async ({ draft, keys }) => {
      const id = () => `setup-${Math.random()}`;
      const { call } = window.api;
      const saved = await call['connections.save'](id(), { id: null, draft });
      if (!saved.ok) throw new Error(saved.error.message);
      const connectionId = saved.value.connection.id;
      for (const [role, value] of Object.entries(keys)) {
        const put = await call['secrets.put'](id(), { connectionId, role: role as never, label: 'test', value });
        if (!put.ok) throw new Error(`${put.error.message} ${put.error.detail ?? ''}`);
      }
      await call['connections.select'](id(), { connectionId });
      // Reports the change to the window as another window's, because reloading it would take as long as a start.
      const line = new BroadcastChannel('changed');
      line.postMessage(['connections']);
      line.close();
    },
    { draft, keys },
  );
  const banner = page.getByRole('banner');
  await expect(banner.getByRole('button', { name: `Connection: ${draft.name}` })).toBeVisible();
  // The program reads the balance by itself, free of charge. Waits for that, so that it is not among what the test counts or breaks.
  await expect(banner.getByRole('button', { name: /^Balance: \d/ })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+l');
  await expect(page.getByRole('textbox', { name: 'Postcode, street, business or building' })).toBeFocused();
}
