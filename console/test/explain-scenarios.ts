/** Scenarios: finding out where a value comes from. */

import { expect, test } from 'vitest';
import { origin } from './support/console-site.ts';
import type { ConsoleWindow } from './support/console-window.ts';

export function explainScenarios({ open, page }: ConsoleWindow): void {
  test('D2: where a value comes from, from the node and from a resource', async () => {
    await open('/nodes/web04.e2e.test');
    await page().getByRole('tab', { name: 'Groups' }).click();
    await page().getByLabel('Look up a value').last().fill('profile::base::contact');
    await page().getByRole('button', { name: 'Look up', exact: true }).click();
    const answer = page().getByRole('region', { name: 'Where it comes from' });
    await answer.getByText('operations@example.com').first().waitFor();
    const steps = answer.getByRole('listitem');
    await steps.filter({ hasText: 'One node' }).getByText('no such file').waitFor();
    await steps.filter({ hasText: 'Everything else' }).getByText('used').waitFor();
    await answer.getByRole('link', { name: /^data\/common\.yaml:\d+$/ }).click();
    await page().getByRole('listitem').filter({ hasText: 'profile::base::contact' }).first().waitFor();
    const at = new URL(page().url());
    expect(at.pathname).toBe('/code/production');
    expect(at.searchParams.get('commit')).toMatch(/^[0-9a-f]{40}$/);

    await open('/nodes/web04.e2e.test?tab=catalog&find=Base&resource=Class[Profile::Base]');
    await page().getByRole('link', { name: 'Why is this here?' }).click();
    const why = page().getByRole('region', { name: 'Why it is here' });
    await why
      .getByText(/role\/manifests\/base\.pp:3/)
      .first()
      .waitFor();
    await why.getByText('Class[Role::Webserver]').first().waitFor();
    await why.getByRole('link', { name: 'contact', exact: true }).click();
    await answer.getByText('operations@example.com').first().waitFor();
    expect(page().url()).toContain('lookup=profile%3A%3Abase%3A%3Acontact');
  });

  test('the data that an environment gives a node', async () => {
    await open('/code/production');
    await page().getByRole('tab', { name: 'Data lookup' }).click();
    await page().getByLabel('Node', { exact: false }).fill('web04.e2e.test');
    await page().getByLabel('Key', { exact: false }).fill('website::pages');
    await page().getByRole('button', { name: 'Look up' }).click();
    const answer = page().getByRole('region', { name: 'Where it comes from' });
    await answer.getByText('merged with strategy deep (from lookup_options)').waitFor();
    expect(page().url()).toBe(
      `${origin}/code/production?tab=lookup&node=web04.e2e.test&key=website%3A%3Apages`,
    );
  });
}
