/** The resource types that Puppet's packages bring along, on servers that have none of their modules. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cron, fleetModules, haproxy, isPresent, puppetAgent } from '../../scripts/debian-packages.ts';
import { askForCatalog } from './support/catalog-request.ts';
import { scenariosUnless } from './support/requirements.ts';
import { runningSite } from './support/site.ts';

/** Where Debian has the modules that other packages of agents have in their `vendormoduledir`. */
const modulesOfAgents = '/usr/share/puppet/modules';
const certname = 'vendored.e2e.test';

/** Changes nothing of the machine but files in one directory. */
const applied = (directory: string): string => `
  cron { 'bunraku scenario':
    ensure  => absent,
    command => '/bin/true',
  }
  host { 'vendored.e2e.test':
    ip           => '192.0.2.7',
    host_aliases => ['vendored'],
    target       => '${directory}/hosts',
  }
  mount { '${directory}/mounted':
    ensure => present,
    device => 'tmpfs',
    fstype => 'tmpfs',
    target => '${directory}/fstab',
  }
  sshkey { 'vendored.e2e.test@ssh-rsa':
    key    => 'AAAAB3NzaC1yc2E=',
    target => '${directory}/known_hosts',
  }
  ssh_authorized_key { 'admin@example.com':
    user   => 'root',
    type   => 'ssh-rsa',
    key    => 'AAAAB3NzaC1yc2E=',
    target => '${directory}/authorized_keys',
  }
  augeas { 'shell variables':
    lens    => 'Shellvars.lns',
    incl    => '${directory}/variables',
    context => '/files${directory}/variables',
    changes => 'set GREETING hello',
  }`;

/** Needs another operating system, or SELinux. */
const elsewhere = `
  scheduled_task { 'nightly':
    command => 'C:\\\\nightly.exe',
    trigger => { 'schedule' => 'daily', 'start_time' => '03:00' },
  }
  selboolean { 'httpd_can_network_connect': value => on, persistent => true }
  selmodule { 'site': selmoduledir => '/usr/share/selinux', syncversion => true }
  yumrepo { 'site': baseurl => 'http://repo.example.com/', enabled => 1, gpgcheck => 0 }
  zfs { 'tank/home': quota => '10G' }
  zone { 'web': path => '/zones/web' }
  zpool { 'tank': disk => 'c1t0d0' }`;

const needed = [puppetAgent, haproxy, cron, ...fleetModules.filter(({ name }) => name.endsWith('-core'))];
const missing = needed.filter((entry) => !isPresent(entry)).map(({ name }) => name);

scenariosUnless(missing.join(', '), 'Types that come with packages of Puppet', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-vendored-'));
  const site = runningSite({ compileServers: 1 }, (prepared) => {
    const body = `${applied(directory)}\n  if $facts['elsewhere'] {${elsewhere}\n  }`;
    prepared.stage({ 'manifests/site.pp': `node default {${body}\n}\n` });
  });
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  beforeAll(() => writeFileSync(join(directory, 'variables'), 'OTHER=1\n'));
  afterAll(() => rmSync(directory, { recursive: true }));

  test('an agent that has the modules applies what it is given', async () => {
    const agent = site().agent(certname);

    const { exitCode, output } = await agent.run(['--vendormoduledir', modulesOfAgents]);

    expect(exitCode, output).toBe(2);
    expect(read('hosts')).toContain('192.0.2.7\tvendored.e2e.test\tvendored');
    expect(read('fstab')).toContain(`tmpfs\t${directory}/mounted\ttmpfs`);
    expect(read('known_hosts')).toContain('vendored.e2e.test ssh-rsa AAAAB3NzaC1yc2E=');
    expect(read('authorized_keys')).toContain('ssh-rsa AAAAB3NzaC1yc2E= admin@example.com');
    expect(read('variables')).toContain('GREETING=hello');
  });

  test('changes nothing the next time', async () => {
    const { exitCode, output } = await site().agent(certname).run(['--vendormoduledir', modulesOfAgents]);

    expect(exitCode, output).toBe(0);
  });

  test('a node gets those that need another system, too', async () => {
    const { ports } = site().installation.options;
    const url = `https://localhost:${ports.balancer}`;
    const client = site().agent(certname).client();

    const { status, text } = await askForCatalog(client, url, certname, { facts: { elsewhere: true } });

    expect(status, text).toBe(200);
    const { resources } = JSON.parse(text) as { resources: readonly { type: string; title: string }[] };
    expect(resources.slice(-7).map(({ type, title }) => `${type}[${title}]`)).toEqual([
      'Scheduled_task[nightly]',
      'Selboolean[httpd_can_network_connect]',
      'Selmodule[site]',
      'Yumrepo[site]',
      'Zfs[tank/home]',
      'Zone[web]',
      'Zpool[tank]',
    ]);
  });
});
