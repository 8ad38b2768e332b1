import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { authorityCertificate, signedCertificate } from '../integration/transport/certificates.ts';
import { clientPfx, passphrase, staffAuthority } from '../integration/transport/client-certificates.ts';
import { answerText, startAskingProxy, startTlsServer } from '../integration/transport/servers.ts';
import { connectOwn, expect, expectCleanInBoth, openPalette, press, screenOf, test } from './fixtures.ts';
import { call, selectedConnection } from './own-service.ts';

// From a failing connection to a working one, by keyboard: the proxy and the certificate on the way are asked for, reported and saved.

const password = 'a proxy’s word 7f3e';

const cleaners: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const clean of cleaners.splice(0)) await clean();
});

test('through a proxy that asks for a password, to a server of a private authority', async ({ launch, folder }) => {
  const dataFolder = join(folder, 'data');
  const recordFile = join(folder, 'to-the-window.jsonl');
  const caFile = join(folder, 'company.pem');
  writeFileSync(caFile, authorityCertificate);
  const server = await startTlsServer((socket) => socket.write(answerText('[]')), signedCertificate);
  const proxy = await startAskingProxy({ accepts: `kim:${password}` });
  cleaners.push(proxy.close, server.close);
  const running = await launch({
    dataFolder,
    recordFile,
    env: {
      ADDRESS_CONSOLE_HOST_PROXY: `SOCKS socks.example:1080; PROXY 127.0.0.1:${proxy.port}`,
      ADDRESS_CONSOLE_HOST_OPEN_FILE: caFile,
    },
  });
  const { page } = running;
  const address = `https://service.example:${server.port}`;
  await connectOwn(page, { restBaseUrl: `${address}/v1`, soapUrl: '' }, '0123456789abcdef0123456789abcdef');

  // The failed connection test offers the network check, which runs at once and names the failing step.
  await press(page, /Check the network · free/);
  const settings = screenOf(page, 'settings');
  const way = settings.getByRole('region', { name: `The way to ${address}` });
  await expect(settings.getByText('Not reached: 1 of 1 address.')).toBeVisible();
  await expect(settings.getByRole('heading', { name: 'Network check' })).toBeFocused();
  await expect(way.getByText(/The system’s answer, as it came: “SOCKS socks\.example:1080; PROXY/)).toBeVisible();
  await expect(way.getByRole('alert').getByText('The proxy asks for a user name and password.')).toBeVisible();
  await expectCleanInBoth(page);

  await settings.getByRole('button', { name: 'Add a sign-in' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign-in to a proxy' });
  await expect(dialog.getByRole('textbox', { name: 'Proxy' })).toBeFocused();
  await page.keyboard.type(`127.0.0.1:${proxy.port}`);
  await page.keyboard.press('Tab');
  await page.keyboard.type('kim');
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await expectCleanInBoth(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(settings.getByRole('list', { name: 'Sign-ins' })).toContainText(`http://127.0.0.1:${proxy.port} as kim`);

  // The palette has the check too. The proxy now lets it through, and the certificate is not trusted.
  await openPalette(page);
  await page.keyboard.type('check the network');
  await page.keyboard.press('Enter');
  await expect(
    way.getByRole('alert').getByText(/the authority that signed it is not known on this computer/),
  ).toBeVisible();
  await expect(way.getByText('Chain failed')).toBeVisible();

  await settings.getByRole('button', { name: 'Choose a file…' }).press('Enter');
  // The check names the authority too, so the list of the file's certificates is what shows that it is now trusted.
  await expect(settings.getByRole('list', { name: 'Certificates of company.pem' })).toBeVisible();
  await settings.getByRole('button', { name: 'Check the network · free' }).press('Enter');
  await expect(settings.getByText('All reached: 1 address.')).toBeVisible();
  await expect(way.getByText(/trusted root from your file/)).toBeVisible();
  await expectCleanInBoth(page);
  expect(server.hits.filter((hit) => !/^GET \/v1\/(?:GetCredits|Credits)/i.test(hit))).toEqual([]);

  await settings.getByRole('button', { name: 'Copy as text' }).press('Enter');
  await expect(page.getByRole('status').getByText('Copied the check as text')).toBeAttached();
  await running.close();

  const forms = [password, Buffer.from(`kim:${password}`).toString('base64'), Buffer.from(password).toString('base64')];
  const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const written = [...files.map((entry) => join(entry.parentPath, entry.name)), recordFile].filter((file) => {
    const bytes = readFileSync(file);
    return forms.some((form) => bytes.includes(form));
  });
  expect(written).toEqual([]);
  expect(files.length).toBeGreaterThan(0);
  expect(server.hits.join()).not.toContain(forms[1]);
});

test('a service that asks for a client certificate: its lack is named as the cause, then it is shown', async ({
  launch,
  folder,
}) => {
  const dataFolder = join(folder, 'data');
  const recordFile = join(folder, 'to-the-window.jsonl');
  // The file that the system's dialog returns; its content changes between two choices.
  const file = join(folder, 'kim.p12');
  writeFileSync(file, authorityCertificate);
  const callers: (string | undefined)[] = [];
  const server = await startTlsServer(
    (socket) => {
      callers.push((socket as TLSSocket).getPeerX509Certificate()?.subject);
      socket.write(answerText('[]'));
    },
    signedCertificate,
    { ca: staffAuthority, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' },
  );
  cleaners.push(server.close);
  const running = await launch({ dataFolder, recordFile, env: { ADDRESS_CONSOLE_HOST_OPEN_FILE: file } });
  const { page } = running;
  const address = `https://localhost:${server.port}`;
  await connectOwn(page, { restBaseUrl: `${address}/v1`, soapUrl: '' }, '0123456789abcdef0123456789abcdef');
  await press(page, /Check the network · free/);
  const settings = screenOf(page, 'settings');
  const way = settings.getByRole('region', { name: `The way to ${address}` });
  await settings.getByRole('button', { name: 'Choose a file…' }).press('Enter');
  await expect(settings.getByRole('list', { name: /^Certificates of/ })).toBeVisible();
  await settings.getByRole('button', { name: 'Check the network · free' }).press('Enter');
  await expect(way.getByRole('alert').getByText(/asks for a client certificate, and none was shown/)).toBeVisible();

  writeFileSync(file, clientPfx);
  await settings.getByRole('button', { name: 'Add a client certificate' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Client certificate' });
  await expect(dialog.getByRole('textbox', { name: 'Address of the service' })).toHaveValue(address);
  await expect(dialog.getByLabel('Passphrase of the file')).toBeFocused();
  await page.keyboard.type('open barley');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The passphrase does not open the file.')).toBeVisible();
  await expectCleanInBoth(page);
  await dialog.getByLabel('Passphrase of the file').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(passphrase);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const list = settings.getByRole('list', { name: 'Client certificates' });
  await expect(list).toContainText(`${address} O=Wyebank, CN=Kim Price, until 2120-01-01, from kim.p12`);
  await settings.getByRole('button', { name: 'Check the network · free' }).press('Enter');
  await expect(settings.getByText('All reached: 1 address.')).toBeVisible();
  await expect(
    way.getByText(/The client certificate set for this address was (?:shown|there to be shown)\./),
  ).toBeVisible();
  await expectCleanInBoth(page);
  // The check sends no request, whose caller the server would see.
  await call(page, 'connections.test', { connectionId: await selectedConnection(page) });
  await list.getByRole('button', { name: `Remove the client certificate for ${address}` }).press('Enter');
  await expect(list).toBeHidden();
  await running.close();
  expect([...new Set(callers)]).toEqual(['O=Wyebank\nCN=Kim Price']);

  const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const written = [...files.map((entry) => join(entry.parentPath, entry.name)), recordFile].filter((one) => {
    const bytes = readFileSync(one);
    return [passphrase, 'open barley'].some((form) => bytes.includes(form));
  });
  expect(written).toEqual([]);
});
