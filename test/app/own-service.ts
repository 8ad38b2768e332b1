import type { Page } from 'playwright/test';
import type { ChannelInput, ChannelName, ChannelOutput } from '../../shared/contract.ts';
import { type ConnectionDraft, emptyConnectionDraft } from '../../shared/domain/connection.ts';
import { expect, type Service } from './fixtures.ts';

/** How often the service was asked for an operation. */
export const hitsOf = (service: Service, name: string): number => service.meter.read().calls[name]?.hits ?? 0;

/** Makes a call of the contract through the window's bridge. Throws if the answer is an error. */
export async function call<C extends ChannelName>(
  page: Page,
  channel: C,
  input: ChannelInput<C>,
): Promise<ChannelOutput<C>> {
  const result = await page.evaluate(
    // `evaluate` loses that the input is this channel's.
    ([wanted, given]) => window.api.call[wanted as C](`test-${Math.random()}`, given as ChannelInput<C>),
    [channel as string, input as unknown] as const,
  );
  if (!result.ok) throw new Error(`${channel}: ${result.error.message} ${result.error.detail ?? ''}`);
  return result.value;
}

/** The id of the connection in use. */
export const selectedConnection = async (page: Page): Promise<string> =>
  (await call(page, 'connections.list', {})).selectedId ?? '';

/** Reports a change to the window as another window's, by the key of what shows it, because reloading it would take as long as a start. */
export const reportChange = (page: Page, key: readonly string[]): Promise<void> =>
  page.evaluate((changed) => {
    const line = new BroadcastChannel('changed');
    line.postMessage(changed);
    line.close();
  }, key);

export const reportConnections = (page: Page): Promise<void> => reportChange(page, ['connections']);

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
    ...emptyConnectionDraft,
    name: `Wyebank ${connections}`,
    kind: 'test',
    colour: '#c2306a',
    restBaseUrl,
    soapUrl,
    soapNamespace: 'http://address-demo.example/service19/',
    utilitiesNamespace: 'http://address-demo.example/PostcodeUtilities.xsd',
    accountName: demo.accountName,
    ...changes,
  };
  const keys = { 'lookup-key': demo.lookupKey, 'licence-id': demo.licenceId, 'account-guid': demo.guid } as const;
  const { connection } = await call(page, 'connections.save', { id: null, draft });
  const connectionId = connection.id;
  for (const [role, value] of Object.entries(keys) as [keyof typeof keys, string][])
    await call(page, 'secrets.put', { connectionId, role, label: 'test', value });
  await call(page, 'connections.select', { connectionId });
  await reportConnections(page);
  const banner = page.getByRole('banner');
  await expect(banner.getByRole('button', { name: `Connection: ${draft.name}` })).toBeVisible();
  // The program reads the balance by itself, free of charge. Waits for that, so that it is not among what the test counts or breaks.
  await expect(banner.getByRole('button', { name: /^Balance: \d/ })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+l');
  await expect(page.getByRole('textbox', { name: 'Postcode, street, business or building' })).toBeFocused();
}
