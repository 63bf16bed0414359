/** What people do with requests and certificates. */

import { expect, test } from 'vitest';
import { requestCertificate } from './support/console-site.ts';
import { type ConsoleWindow, patience } from './support/console-window.ts';

export function certificateScenarios({ open, page, rows, site, tab }: ConsoleWindow): void {
  test('G1: accept an agent with alternative names; reject, revoke and clean others', async () => {
    await open('/');
    await page().getByRole('link', { name: 'Certificates' }).click();
    await page().getByText('No certificate requests').waitFor();
    await requestCertificate(site(), 'add.master.example.com', ['puppet.example.com']);
    await requestCertificate(site(), 'plain.example.com');
    await requestCertificate(site(), 'stranger.example.com');
    await page().getByText('DNS:puppet.example.com').waitFor();
    await page().getByText('not in autosign.conf').first().waitFor();

    await page().getByRole('button', { name: 'Accept plain.example.com' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await page().getByRole('button', { name: 'Reject stranger.example.com' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await expect.poll(() => rows().count(), patience).toBe(1);
    await page().getByRole('button', { name: 'Accept add.master.example.com' }).click();
    const accept = page().getByRole('button', { name: 'Accept with alternative names' });
    expect(await accept.isDisabled()).toBe(true);
    await page().getByLabel('Type the certname').fill('add.master.example.com');
    await accept.click();
    await page().getByText('No certificate requests').waitFor();

    await tab('Signed');
    await page().getByLabel('Search certificates').fill('puppet.example.com');
    await expect.poll(() => rows().count(), patience).toBe(1);
    await page().getByLabel('Search certificates').fill('plain');
    await page().getByRole('button', { name: 'Revoke plain.example.com' }).click();
    await page().getByLabel('Type the certname').fill('plain.example.com');
    await page().getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await tab('Revoked');
    await page().getByRole('button', { name: 'Clean plain.example.com' }).click();
    await page().getByLabel('Type the certname').fill('plain.example.com');
    await page().getByRole('dialog').getByRole('button', { name: 'Clean' }).click();
    await page().getByText('No certificate matches').waitFor();
  });
}
