/** The Debian package with its units below a real systemd: a primary, its signing process, a compile server. For `npm run test:peers`. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Agent } from './support/agent.ts';
import { BootedMachine } from './support/booted-machine.ts';
import { makeDebianPackage } from './support/debian-package.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { until } from './support/until.ts';

const [primary, compile, node, pinned] = [
  'primary.unit.test',
  'compile.unit.test',
  'node.unit.test',
  'pinned.unit.test',
] as const;
const key = '/etc/puppetlabs/puppetserver/ca/ca_key.pem';

const prepare = `set -e
rm -rf /etc/puppetlabs /opt/puppetlabs /var/log/puppetlabs
mkdir -p /etc/systemd/system
cp /seed/booted.target /etc/systemd/system/
dpkg --install /seed/bunraku.deb
install -m 644 -D /seed/bunraku.conf /etc/puppetlabs/bunraku/bunraku.conf
[ ! -e /seed/production ] || { mkdir -p /etc/puppetlabs/code-staging/environments
  cp -a /seed/production /etc/puppetlabs/code-staging/environments/
  chown -R puppet:puppet /etc/puppetlabs/code-staging; }
`;

/** Nothing of ours: a machine with an agent. */
const prepareAgent = `set -e
rm -rf /etc/puppetlabs /opt/puppetlabs /opt/bunraku /var/log/puppetlabs /usr/bin/bunraku /etc/puppet/*
find /var/lib/puppet -mindepth 1 -delete
cp /seed/booted.target /etc/systemd/system/
printf '[main]\nserver = ${primary}\ncertname = ${pinned}\nkeylength = 2048\n' > /etc/puppet/puppet.conf
`;

const userOf = (unit: string) => `stat -c %U /proc/$(systemctl show -p MainPID --value ${unit})`;

const manifest = `notify { "ruby: \${thief::read('${key}')}": }\n`;
const thief = `Puppet::Functions.create_function(:'thief::read') do
  dispatch(:read) { param 'String', :path }
  def read(path)
    "read by #{Process.uid}: #{\`cat #{path} 2>&1\`} #{IO.read(path)}"
  rescue SystemCallError => e
    "#{\`id -un\`.strip} #{e.class}"
  end
end
`;

const obstacle = Network.obstacle() || BootedMachine.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'Machines with our package', () => {});
else
  scenarios('Machines with our package', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-units-'));
    const debianPackage = makeDebianPackage(inject('project'), directory);
    const network = new Network([primary, compile, node, pinned]);
    const machines = new Map<string, BootedMachine>();
    const on = (host: string, script: string) =>
      machines.get(host)?.run(script) ?? Promise.reject(new Error(host));

    async function bootMachine(
      host: string,
      settings: string,
      code?: (production: string) => void,
    ): Promise<void> {
      const seed = join(directory, host);
      mkdirSync(seed, { recursive: true });
      writeFileSync(join(seed, 'prepare'), host === pinned ? prepareAgent : prepare);
      cpSync(debianPackage, join(seed, 'bunraku.deb'));
      writeFileSync(join(seed, 'bunraku.conf'), `certname = ${host}\n${settings}`);
      code?.(join(seed, 'production'));
      const machine = new BootedMachine(network.on(host), seed);
      machines.set(host, machine);
      await machine.booted();
    }

    const isWell = (host: string) =>
      until(`${host} is well`, async () => {
        const { exitCode } = await on(host, `curl -skf -m 2 https://${host}:8140/status/v1/simple`);
        return exitCode === 0;
      });
    const agent = (server: string, certname: string) =>
      new Agent({
        certname,
        directory: join(directory, 'agents', certname),
        server,
        port: 8140,
        prefix: network.on(node),
      });

    beforeAll(async () => {
      network.create();
      await bootMachine(
        primary,
        `autosign = true\nkeylength = 2048\ndns_alt_names = puppet\n`,
        (production) => {
          const functions = join(production, 'modules/thief/lib/puppet/functions/thief');
          mkdirSync(functions, { recursive: true });
          mkdirSync(join(production, 'manifests'));
          writeFileSync(join(functions, 'read.rb'), thief);
          writeFileSync(join(production, 'manifests/site.pp'), manifest);
        },
      );
      await bootMachine(compile, '');
      await bootMachine(pinned, '');
    });
    afterAll(async () => {
      for (const machine of machines.values()) await machine.stop();
      network.remove();
      rmSync(directory, { recursive: true, force: true });
    });

    test('systemd starts the primary and its signing process, each as its user', async () => {
      const started = await on(primary, 'systemctl start bunraku-ca bunraku-primary');
      expect(started, started.output).toMatchObject({ exitCode: 0 });
      await isWell(primary);

      const users = await on(primary, `${userOf('bunraku-ca')}; ${userOf('bunraku-primary')}`);
      expect(users.output.trim().split(/\s+/)).toEqual(['puppet-ca', 'puppet']);
      expect((await on(primary, `stat -c '%U %a' ${key}`)).output.trim()).toBe('puppet-ca 600');
      expect((await on(primary, 'bunraku infrastructure status')).output).not.toContain(
        'under the same user',
      );
    });

    test('an agent gets its certificate and its catalog, and code of modules cannot read the key', async () => {
      const { output, exitCode } = await agent(primary, node).run();

      expect({ exitCode, output }).toMatchObject({ exitCode: 2 });
      expect(output).toContain('ruby: puppet Errno::EACCES');
      expect(output).not.toContain('PRIVATE KEY');
    });

    test('a compile server joins, is started by systemd as its user, and serves an agent', async () => {
      const token = (await on(primary, 'bunraku infrastructure token')).output.trim();
      const joined = await on(compile, `bunraku compile-server join https://${primary} --token '${token}'`);
      expect(joined, joined.output).toMatchObject({ exitCode: 0 });
      await isWell(compile);

      const user = await on(compile, userOf('bunraku-compile-server'));
      expect(user.output.trim()).toBe('puppet');
      const { output, exitCode } = await agent(compile, `other.${node}`).run();
      expect({ exitCode, output }).toMatchObject({ exitCode: 2 });
    });

    test('a Puppet run makes a compile server of a pinned node, and another one ends it', async () => {
      const run = () => on(pinned, 'puppet agent --test --detailed-exitcodes --color=false --waitforcert 1');
      const first = await run();
      expect(first, first.output).toMatchObject({ exitCode: 2 });
      expect((await on(primary, `bunraku node pin 'PE Master' ${pinned}`)).exitCode).toBe(0);
      const installed = await run();
      expect(installed, installed.output).toMatchObject({ exitCode: 2 });
      await isWell(pinned);

      const unit = 'bunraku-compile-server';
      const state = await on(
        pinned,
        `systemctl is-enabled ${unit}; systemctl is-active ${unit}; ${userOf(unit)}`,
      );
      expect(state.output.trim().split('\n')).toEqual(['enabled', 'active', 'puppet']);
      const served = await agent(pinned, `served.${node}`).run();
      expect(served, served.output).toMatchObject({ exitCode: 2 });

      expect((await on(primary, `bunraku node unpin 'PE Master' ${pinned}`)).exitCode).toBe(0);
      const last = await run();
      expect(last, last.output).toMatchObject({ exitCode: 2 });
      const left = `systemctl cat ${unit}; ls -d /opt/bunraku/* /usr/bin/bunraku; ps -eo args= | grep '[ ]compile-server'`;
      expect((await on(pinned, `(${left}) 2> /dev/null`)).output).toBe('');
    });

    test('the primary gets an agent by the same line as other machines, with its own certificate', async () => {
      const words = `main:certname=${primary} -- --puppet-service-ensure stopped --puppet-service-enable false`;
      const install = `bunraku packages one-liner ${words} > /tmp/line && rm -rf /etc/puppet/* && bash /tmp/line`;
      const installed = await on(primary, install);
      expect(installed, installed.output).toMatchObject({ exitCode: 0 });

      const run = await on(primary, 'puppet agent --test --detailed-exitcodes --color=false');

      expect(run, run.output).toMatchObject({ exitCode: 2 });
      expect(run.output).not.toContain('Creating a new');
      await isWell(primary);
    });

    test('what is killed is started again; what is stopped ends in order', async () => {
      for (const [host, unit] of [
        [primary, 'bunraku-ca'],
        [compile, 'bunraku-compile-server'],
      ] as const) {
        const killed = await on(
          host,
          `systemctl kill -s KILL ${unit}; sleep 0.1; systemctl show -p NRestarts --value ${unit}`,
        );
        expect(killed.exitCode, killed.output).toBe(0);
        await until(
          `${unit} is there again`,
          async () =>
            (
              await on(
                host,
                `systemctl is-active ${unit} && [ $(systemctl show -p NRestarts --value ${unit}) = 1 ]`,
              )
            ).exitCode === 0,
        );
      }
      await isWell(compile);
      const { exitCode, output } = await agent(compile, `third.${node}`).run();
      expect({ exitCode, output }).toMatchObject({ exitCode: 2 });

      await on(compile, 'systemctl stop bunraku-compile-server');
      const { output: result } = await on(
        compile,
        'systemctl show -p Result,ExecMainStatus bunraku-compile-server',
      );
      expect(result.trim().split('\n').toSorted()).toEqual(['ExecMainStatus=0', 'Result=success']);
    });
  });
