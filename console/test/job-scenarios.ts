/** Jobs that run Puppet or a command on nodes, and what open pages show of them. */

import { expect, test } from 'vitest';
import { settled } from './support/browser.ts';
import { connectNode, origin, runCommand, runNode } from './support/console-site.ts';
import { type ConsoleWindow, patience } from './support/console-window.ts';

export function jobScenarios({ open, page, rows, site }: ConsoleWindow): void {
  test('run Puppet on a node as a job, which leads to its report', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    await open('/nodes/web01.e2e.test');
    await page().getByRole('button', { name: 'Run Puppet' }).click();
    await page()
      .getByLabel(/^No-op/)
      .check();
    await page().getByRole('button', { name: 'Run on 1 node' }).click();
    await page()
      .getByRole('heading', { name: /^Run Puppet, no-op \(job \d+\)$/ })
      .waitFor();

    const run = await node.next();
    const [report] = await site().puppetDb(
      'reports[transaction_uuid] { certname = "web01.e2e.test" limit 1 }',
    );
    run.end({ kind: 'apply_result', status: 'unchanged', exitcode: 0, environment: 'production', ...report });

    expect(run.params).toMatchObject({ flags: expect.arrayContaining(['--noop']) });
    await page().getByRole('link', { name: 'Report', exact: true }).click();
    await page().getByRole('heading', { name: 'Run of web01.e2e.test' }).waitFor();
    node.close();
  });

  test('follow a job, stop it, and run it again where it failed', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    const nodes = ['web01.e2e.test', 'web02.e2e.test', 'web03.e2e.test'];
    await open('/');
    await page().getByRole('link', { name: 'Jobs', exact: true }).click();
    await page().getByText('Live', { exact: true }).waitFor();
    const command = 'df -h /srv';
    const job = await runCommand(site(), { command, scope: { nodes }, batch: 1, max_failures: 3 });
    await page()
      .getByRole('link', { name: `${job} ${command}` })
      .click();
    const doing = await node.next();
    doing.write('half of it\n');
    await page().getByText('half of it').waitFor();

    await page().getByRole('button', { name: 'Stop' }).click();
    await page().getByText('2 nodes that wait are skipped').waitFor();
    await page().getByRole('button', { name: 'Stop the job' }).click();
    await page().getByText('Stopping').waitFor();
    doing.end({ exitcode: 3, stdout: 'tried\n', stderr: 'no such disk\n' });
    await page().getByText('no such disk').waitFor();
    await page().getByRole('link', { name: 'Skipped 2' }).click();
    await page().getByText('web03.e2e.test').waitFor();
    await page().getByRole('button', { name: 'Run again on failed nodes' }).click();
    await page().getByRole('button', { name: 'Run on 3 nodes' }).click();
    await expect.poll(() => page().url(), patience).toBe(`${origin}/jobs/${Number(job) + 1}`);
    (await node.next()).end({ exitcode: 0, stdout: 'enough room\n', stderr: '' });
    await page().getByText('enough room').waitFor();

    await page().getByRole('link', { name: 'Jobs', exact: true }).first().click();
    await page().getByLabel('State', { exact: true }).selectOption('Stopped');
    await expect.poll(() => rows().count(), patience).toBe(1);
    node.close();
  });
}

export function liveScenarios({ open, page, site, visitor }: ConsoleWindow): void {
  test('a run shows in every open tab, without a reload', async () => {
    await open('/');
    const second = await visitor().context.newPage();
    await second.goto(`${origin}/nodes/web03.e2e.test`);
    await settled(second);
    await page().getByText('Live', { exact: true }).waitFor();
    await second.getByText('Live', { exact: true }).waitFor();

    await runNode(site(), 'web03.e2e.test', ['failed']);

    await page()
      .getByRole('link', { name: /^Failed\s*3$/ })
      .waitFor();
    await second.getByText('No space left on device').waitFor();
    await second.close();
  });
}
