/** What an agent gets, through HAProxy, while servers come and go. */

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isReady } from '../../demo/installation.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const certname = 'web01.e2e.test';
const patient = 'patient.e2e.test';

scenarios('An agent behind HAProxy', () => {
  const site = runningSite({}, (prepared) => {
    prepared.stage({
      'site-modules/patient/manifests/init.pp': pausingClass(prepared),
      'site-modules/patient/files/late.txt': 'fetched after the pause\n',
      'manifests/site.pp': `${prepared.staged('manifests/site.pp')}\nnode '${patient}' {\n  include patient\n}\n`,
    });
  });
  const managed = (name: string) => join(site().managed, name);

  test('gets its certificate, plugins, catalog and files on its first run', async () => {
    const agent = site().agent(certname);

    const { output } = await agent.runsCleanly(2);

    expect(output).toMatch(/^Info: Creating a new RSA SSL key for web01\.e2e\.test$/m);
    expect(output).toMatch(/^Info: Downloaded certificate for web01\.e2e\.test from https:\/\/localhost:/m);
    expect(output).toMatch(/^Info: Retrieving pluginfacts$/m);
    expect(output).toMatch(/^Info: Retrieving plugin$/m);
    expect(output).toMatch(/^Info: Loading facts$/m);
    expect(output).toMatch(/^Info: Caching catalog for web01\.e2e\.test$/m);
    expect(output).toMatch(/^Notice: Applied catalog in /m);
  });

  test('finds the files of the catalog in place', () => {
    const { installation } = site();
    const directory = managed(certname);
    const staged = join(installation.stagedEnvironment, 'site-modules', 'website');

    expect(readFileSync(join(directory, 'motd'), 'utf8')).toContain(certname);
    expect(readFileSync(join(directory, 'website', 'index.html'), 'utf8')).toContain('It works');
    for (const name of ['robots.txt', 'css/site.css'])
      expect(readFileSync(join(directory, 'website', 'assets', name))).toEqual(
        readFileSync(join(staged, 'files', 'assets', name)),
      );
    expect(readFileSync(join(directory, 'website', 'sitemap.txt'), 'utf8')).toMatch(/^index\.html$/m);
  });

  test('finds the plugins in place, executable where they were', () => {
    const { varDirectory } = site().agent(certname);

    expect(existsSync(join(varDirectory, 'lib', 'facter', 'website_pages.rb'))).toBe(true);
    expect(statSync(join(varDirectory, 'facts.d', 'site.sh')).mode & 0o111).toBe(0o111);
  });

  test('has its facts and its report on the primary, although a compile server took them', async () => {
    const reports = await until('the report is on the primary', async () => {
      const found = await site().reportsOf(certname);
      return found.length > 0 && found;
    });
    // They may come by another compile server than the report, and after it.
    const row = await until('the facts are on the primary', async () => {
      const query = `inventory[environment, facts, trusted] { certname = "${certname}" }`;
      return (await site().puppetDb(query))[0];
    });
    const facts = row['facts'] as Record<string, unknown>;

    expect(reports).toMatchObject([{ status: 'changed', environment: 'production' }]);
    expect(reports[0]?.['code_id']).toMatch(/^urn:puppet:code-id:1:[0-9a-f]{40};production$/);
    expect(row['environment']).toBe('production');
    expect(facts['demo_site']).toBe('example');
    expect(facts['website_pages']).toBeTypeOf('number');
    expect(facts['clientcert'] ?? facts['networking']).toBeDefined();
    expect(row['trusted']).toMatchObject({ authenticated: 'remote', certname, hostname: 'web01' });
  });

  test('changes nothing on its second run', async () => {
    await site().agent(certname).runsCleanly(0);

    const reports = await until('the second report is on the primary', async () => {
      const found = await site().reportsOf(certname);
      return found.length > 1 && found;
    });
    expect(reports.map((report) => report['status'])).toEqual(['changed', 'unchanged']);
  });

  test('repairs what somebody changed', async () => {
    writeFileSync(join(managed(certname), 'website', 'assets', 'robots.txt'), 'changed by hand\n');

    await site().agent(certname).runsCleanly(2);

    expect(readFileSync(join(managed(certname), 'website', 'assets', 'robots.txt'), 'utf8')).not.toContain(
      'by hand',
    );
  });

  test('does not notice that one compile server was killed before', async () => {
    const [killed] = site().installation.compileServers;
    await killed?.kill();

    await site().agent(certname).runsCleanly(0);
    await site().agent('db01.e2e.test').runsCleanly(2);
  });

  test('is served again by the one that was killed', async () => {
    const { installation } = site();
    await installation.startCompileServer(0);
    await installation.compileServers[1]?.kill();
    const linesBefore = site().logOf('compile1').length;

    await untilBalanced(site(), 0);
    await site().agent(certname).runsCleanly(0);

    await until('its log has the catalog', () =>
      site()
        .logOf('compile1')
        .slice(linesBefore)
        .some((line) => line.msg === 'compiled catalog' && line['certname'] === certname),
    );
    await installation.startCompileServer(1);
  });

  test('succeeds with the next run when its compile server is killed in the middle of one', async () => {
    const { installation, directory } = site();
    const agent = site().agent(patient);
    const running = agent.run();
    await until('the agent applies its catalog', () => existsSync(join(directory, 'paused')));
    // Logs are written a moment after what they tell of.
    const index = await until('the log of its server has the catalog', () => {
      const found = installation.compileServers.findIndex((_, candidate) =>
        site()
          .logOf(`compile${candidate + 1}`)
          .some((line) => line.msg === 'compiled catalog' && line['certname'] === patient),
      );
      return found >= 0 && found;
    });

    await installation.compileServers[index]?.kill();
    writeFileSync(join(directory, 'go-on'), '');
    const interrupted = await running;
    const next = await agent.run();

    expect([0, 2, 4, 6], interrupted.output).toContain(interrupted.exitCode);
    expect([0, 2], next.output).toContain(next.exitCode);
    expect(next.complaints).toEqual([]);
    expect(readFileSync(join(directory, 'late.txt'), 'utf8')).toBe('fetched after the pause\n');
    await installation.startCompileServer(index);
    await agent.runsCleanly(0);
  });
});

/** A node that stops in the middle of its run until it is told to go on. */
function pausingClass({ directory }: Site): string {
  return `class patient {
  exec { 'pause':
    command  => 'touch ${directory}/paused; while [ ! -e ${directory}/go-on ]; do sleep 0.1; done',
    provider => shell,
    creates  => '${directory}/go-on',
    timeout  => 600,
  }
  -> file { '${directory}/late.txt':
    ensure => file,
    source => 'puppet:///modules/patient/late.txt',
  }
}
`;
}

/** HAProxy asks for itself: only what it answers counts. */
async function untilBalanced(site: Site, index: number): Promise<void> {
  await until(`HAProxy uses compile server ${index + 1}`, () => isReady(site.installation.balancerUrl));
}
