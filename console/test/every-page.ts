/** Every page in both themes, wide and narrow: axe, what overflows, and a picture of each. */

import { expect, test } from 'vitest';
import { actPages } from './act-scenarios.ts';
import { adminPages } from './admin-scenarios.ts';
import { causePages } from './cause-scenarios.ts';
import { fleetPages } from './fleet-scenarios.ts';
import { inspectPages } from './inspect-scenarios.ts';
import { looks } from './support/browser.ts';
import { connectNode, fleet, requestCertificate, runCommand, stopJob } from './support/console-site.ts';
import type { ConsoleWindow } from './support/console-window.ts';
import { groupAddress } from './support/group-links.ts';
import { lookAt } from './support/page-looks.ts';

export function everyPage(window: ConsoleWindow): void {
  const { site, visitor } = window;

  test('every page, in both themes, wide and narrow', async () => {
    const pages = await allPages(window);
    await requestCertificate(site(), 'waiting.example.com', ['puppet.example.com', 'compile.example.com']);
    const found = await lookAt(window, pages, (name) =>
      name in adminPages ? looks.filter(({ hasAxe }) => hasAxe) : looks,
    );
    visitor().complaints.splice(0); // a filter was refused

    expect(found).toEqual({});
  });
}

/** The addresses of all pages, by the names of their pictures. */
export async function allPages(window: ConsoleWindow): Promise<Readonly<Record<string, string>>> {
  const report = await firstReport(window);
  const group = await groupAddress(window, 'PE Master');
  return {
    overview: '/',
    nodes: '/nodes',
    'nodes-filtered': '/nodes?q=status:failed+colour:red&facts=os.name',
    'nodes-none': '/nodes?q=nothing-has-this-name',
    'node-summary': '/nodes/web01.e2e.test',
    'node-facts': '/nodes/web01.e2e.test?tab=facts&find=os',
    'node-catalog': '/nodes/web01.e2e.test?tab=catalog',
    'node-resource': '/nodes/web01.e2e.test?tab=catalog&find=motd&resource=Class[Profile::Base]',
    'node-groups': '/nodes/web01.e2e.test?tab=groups',
    'node-reports': '/nodes/web01.e2e.test?tab=reports',
    'node-unknown': '/nodes/web77.e2e.test',
    classification: '/groups',
    'group-rules': group,
    'group-nodes': `${group}?tab=nodes`,
    'group-configuration': `${group}?tab=configuration`,
    'group-variables': `${group}?tab=variables`,
    'certificates-requested': '/certificates',
    'certificates-signed': '/certificates?state=signed',
    reports: '/reports',
    'report-changes': report,
    'report-log': `${report}?tab=log`,
    'report-metrics': `${report}?tab=metrics`,
    jobs: '/jobs',
    'job-stopped': `/jobs/${await stoppedJob(window)}`,
    ...inspectPages,
    ...adminPages,
    ...causePages,
    ...fleetPages,
    missing: '/no-such-page',
    ...(await actPages(window.page(), window.open)),
  };
}

async function firstReport({ open, page }: ConsoleWindow): Promise<string> {
  await open('/reports?status=failed');
  const href = await page().locator('a[href^="/reports/"]').first().getAttribute('href');
  if (href === null) throw new Error('the list of reports has no link');
  return href;
}

/** One that an earlier scenario has stopped, or a new one. */
async function stoppedJob({ open, page, site }: ConsoleWindow): Promise<string> {
  await open('/jobs?state=stopped');
  const links = page().locator('main a[href^="/jobs/"]');
  if ((await links.count()) > 0) {
    const href = (await links.first().getAttribute('href')) ?? '';
    return href.slice('/jobs/'.length);
  }
  const [first = '', second = ''] = Object.keys(fleet);
  const node = await connectNode(site(), first);
  const job = await runCommand(site(), { command: 'df', scope: { nodes: [first, second] }, batch: 1 });
  const doing = await node.next();
  await stopJob(site(), job);
  doing.end({ exitcode: 0, stdout: '', stderr: '' });
  node.close();
  return job;
}
