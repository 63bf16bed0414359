/** The unit for machines of a group, below a real systemd: they join at their start, stay through a reboot, and leave when AWS ends them. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { BootedMachine } from './support/booted-machine.ts';
import { makeDebianPackage } from './support/debian-package.ts';
import { HostedSite } from './support/hosted-site.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { until } from './support/until.ts';

const [primary, compile] = ['primary.group.test', 'compile.group.test'] as const;
const certificate = `/etc/puppetlabs/puppet/ssl/certs/${compile}.pem`;

/** The paths of the metadata service that the unit requests; /srv/target is the target state. */
const metadata = `from http.server import *
class Metadata(BaseHTTPRequestHandler):
    def answer(self, status, text):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())
    def do_PUT(self):
        self.answer(200, 'token')
    def do_GET(self):
        try:
            if self.path != '/latest/meta-data/autoscaling/target-lifecycle-state': raise OSError
            self.answer(200, open('/srv/target').read())
        except OSError:
            self.answer(404, '')
HTTPServer(('127.0.0.1', 8000), Metadata).serve_forever()
`;

const prepare = `set -e
rm -rf /etc/puppetlabs /opt/puppetlabs /var/log/puppetlabs /srv/*
mkdir -p /etc/systemd/system
cp /seed/booted.target /etc/systemd/system/
dpkg --install /seed/bunraku.deb
install -m 644 -D /seed/bunraku.conf /etc/puppetlabs/bunraku/bunraku.conf
cp /seed/metadata.py /srv/
cp /seed/settings /etc/default/bunraku-autoscaled
bunraku autoscaler template systemd > /etc/systemd/system/bunraku-autoscaled.service
bunraku autoscaler template systemd-script > /usr/local/sbin/bunraku-autoscaled
chmod 755 /usr/local/sbin/bunraku-autoscaled
`;

const obstacle = Network.obstacle() || BootedMachine.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'Machines of a group', () => {});
else
  scenarios('Machines of a group', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-group-'));
    const site = new HostedSite([primary, compile]);
    let machine: BootedMachine;

    beforeAll(async () => {
      site.network.create();
      await site.startPrimary("notify { 'from the group': }\n");
      const words = ['infrastructure', 'token', '--uses', '3', '--data', site.dataOf(primary)];
      const token = (await site.command(primary, words)).output.trim();
      cpSync(makeDebianPackage(inject('project'), directory), join(directory, 'bunraku.deb'));
      const settings = [
        `PRIMARY=https://${primary}:8140`,
        'DNS_ALT_NAMES=puppet',
        'IDENTITY=aws',
        `BUNRAKU_JOIN_TOKEN=${token}`,
        'AWS_EC2_METADATA_SERVICE_ENDPOINT=http://127.0.0.1:8000',
      ];
      writeFileSync(join(directory, 'settings'), `${settings.join('\n')}\n`);
      writeFileSync(join(directory, 'bunraku.conf'), `certname = ${compile}\ndrain_delay = 1s\n`);
      writeFileSync(join(directory, 'metadata.py'), metadata);
      writeFileSync(join(directory, 'prepare'), prepare);
      machine = new BootedMachine(site.network.on(compile), directory);
      await machine.booted();
      await machine.run('systemd-run --unit=metadata python3 /srv/metadata.py');
    });
    afterAll(async () => {
      await machine.stop();
      await site.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    test('a machine joins when it starts first', async () => {
      const started = await machine.run('systemctl enable --now bunraku-autoscaled');

      expect(started, started.output).toMatchObject({ exitCode: 0 });
      await until('it serves', () => site.isReady(compile));
    });

    test('a reboot does not remove the server', async () => {
      await machine.run('echo InService > /srv/target');
      const before = await fingerprint();

      await stopAll();
      expect(await serversKnown()).toContain(compile);
      await startAll();

      await until('it serves', () => site.isReady(compile));
      expect(await fingerprint()).toBe(before);
    });

    test('a machine that AWS ends leaves at its shutdown, and joins anew when it comes back from a warm pool', async () => {
      const before = await fingerprint();
      await machine.run('echo Terminated > /srv/target');

      await stopAll();

      expect(await serversKnown()).not.toContain(compile);
      expect((await machine.run(`test -e ${certificate}`)).exitCode).toBe(1);
      await machine.run('echo InService > /srv/target');
      await startAll();
      await until('it serves', () => site.isReady(compile));
      expect(await fingerprint()).not.toBe(before);
    });

    test('PURGE=always leaves at each stop', async () => {
      await machine.run('echo PURGE=always >> /etc/default/bunraku-autoscaled');

      await stopAll();

      expect(await serversKnown()).not.toContain(compile);
    });

    /** In the order of a shutdown. */
    async function stopAll(): Promise<void> {
      const { exitCode, output } = await machine.run(
        'systemctl stop bunraku-autoscaled bunraku-compile-server && systemctl show -p Result bunraku-autoscaled',
      );
      expect(exitCode, output).toBe(0);
      expect(output).toContain('Result=success');
    }

    /** Starts the enabled units, as a boot does. */
    async function startAll(): Promise<void> {
      const { exitCode, output } = await machine.run(
        'for unit in bunraku-compile-server bunraku-autoscaled; do ! systemctl is-enabled --quiet $unit || systemctl start $unit || exit 1; done',
      );
      expect(exitCode, output).toBe(0);
    }

    async function fingerprint(): Promise<string> {
      const words = `openssl x509 -noout -fingerprint -sha256 -in ${certificate}`;
      return (await machine.run(words)).output;
    }

    async function serversKnown(): Promise<string> {
      const words = ['infrastructure', 'status', '--data', site.dataOf(primary)];
      return (await site.command(primary, words)).output;
    }
  });
