/** What goes on while the primary is down, and what it finds when it is back. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isReady } from '../../demo/installation.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const certname = 'db01.e2e.test';

scenarios('While the primary is down', () => {
  const site = runningSite();
  const removeManaged = () => rmSync(join(site().managed, certname), { recursive: true });
  beforeAll(async () => {
    await site().agent(certname).runsCleanly(2);
    await reportsArrive(site(), 1);
    await site().installation.primary?.kill();
  });

  test('agents get their plugins, catalogs and files, and their reports are accepted', async () => {
    removeManaged();

    await site().agent(certname).runsCleanly(2);
    await site().agent(certname).runsCleanly(0);

    expect(await isReady(site().installation.balancerUrl)).toBe(true);
  });

  test('what was accepted outlives the compile servers', async () => {
    const { installation } = site();
    for (const server of installation.compileServers) await server?.kill();

    await Promise.all([installation.startCompileServer(0), installation.startCompileServer(1)]);
    await until('HAProxy uses the compile servers', () => isReady(installation.balancerUrl));
    await site().agent(certname).runsCleanly(0);
  });

  test('an agent without a certificate is told that it must wait', async () => {
    const { complaints, exitCode } = await site().agent('new.e2e.test').run();

    expect(exitCode).toBe(1);
    expect(complaints.join('\n')).toMatch(/Error 503 on SERVER|503/);
  });

  test('the primary has everything when it is back', async () => {
    await site().installation.startPrimary();

    const reports = await reportsArrive(site(), 4);

    const statuses = reports.map((report) => report['status']);
    // Those that two compile servers held arrive in any order.
    expect(statuses.filter((status) => status === 'changed')).toHaveLength(2);
    expect(statuses.filter((status) => status === 'unchanged')).toHaveLength(2);
    expect(new Set(reports.map((report) => report['transaction_uuid'])).size).toBe(4);
    expect(await site().puppetDb('factsets[certname] {}')).toEqual([{ certname }]);
    await until('the outboxes are empty', () =>
      site()
        .outboxSizes()
        .every((size) => size === 0),
    );
  });

  test('each interruption is one warning and one line of relief on a compile server', () => {
    for (const server of ['compile1', 'compile2']) {
      const lines = site().logOf(server);
      const warnings = lines.filter((line) => line.level === 'warn').map((line) => line.msg);
      expect(lines.filter((line) => line.level === 'error')).toEqual([]);
      expect(
        warnings.filter((message) => message === 'could not synchronise code, trying again').length,
      ).toBeLessThan(4);
      expect(warnings.filter((message) => message.includes('CRL')).length).toBeLessThan(4);
    }
  });

  test('the new agent gets its certificate now', async () => {
    await site().agent('new.e2e.test').runsCleanly(2);
  });
});

function reportsArrive(site: Site, count: number) {
  return until(`${count} reports are on the primary`, async () => {
    const found = await site.reportsOf(certname);
    return found.length >= count && found;
  });
}
