/** A compile server by the steps of the classic guides: install script, signature with alternative names, agent run. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { hasAsked, run, stateOf } from './support/joining.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { runningSite } from './support/site.ts';
import { machineObstacle, runInMachine } from './support/throwaway-machine.ts';
import { until } from './support/until.ts';

const certname = 'classic.example.test';
const obstacle = machineObstacle();
const settings = ({ primary }: { readonly primary: number }) => ({
  allow_subject_alt_names: false,
  allow_authorization_extensions: false,
  compile_server_roles: 'compile_master',
  // A name that this machine finds.
  compile_master_pool_address: `localhost:${primary}`,
});

if (obstacle !== '') scenariosUnless(obstacle, 'A compile server that is set up by hand', () => {});
else
  scenarios('A compile server that is set up by hand', () => {
    const site = runningSite({ compileServers: 0, settings }, (prepared) =>
      prepared.stage({
        'manifests/site.pp': "notify { \"role ${trusted['extensions']['pp_role']}\": }\n",
      }),
    );

    test('installs, is signed, runs its agent, serves, and is known', async () => {
      const { installation } = site();
      const { node, ports, project } = installation.options;
      const data = ['--data', installation.primaryDirectory];
      const names = [
        `main:certname=${certname}`,
        'main:dns_alt_names=puppet,localhost',
        'main:keylength=2048',
      ];
      const service = ['--puppet-service-ensure', 'stopped', '--puppet-service-enable', 'false'];
      const words = [...names, 'extension_requests:pp_role=compile_master', '--', ...service];
      const line = await installation.bunraku(['packages', 'one-liner', ...data, ...words]);
      const port = await freePort();
      const program = `${node} ${join(project, 'dist', 'main.js')}`;
      const url = `https://localhost:${port}`;

      const machine = runInMachine(`set -e
# Whatever this machine is in real life.
rm -rf /etc/puppet/* /var/lib/puppet/* /var/cache/puppet/*
${line}
set +e
puppet agent --test --color=false --waitforcert 1
echo "--- first run: $?"
ssl=$(puppet config print ssldir --section agent)
${program} compile-server --primary localhost:${ports.primary} --certname ${certname} --ssldir $ssl \\
  --statedir /var/lib/bunraku --listen 127.0.0.1 --serverport ${port} --drain-delay 0s > /tmp/server.log 2>&1 &
for attempt in $(seq 600); do
  curl --silent --fail --cacert $ssl/certs/ca.pem ${url}/status/v1/simple && break
  sleep 0.1
done
puppet agent --test --color=false --serverport ${port}
echo "--- run through it: $?"
sleep 6
kill %1
wait %1
echo "--- server: $?"
`);
      await until('it has asked', () => hasAsked(site(), certname), 300_000);
      const listed = await run(site(), ['ca', 'list', ...data]);
      const unsigned = await run(site(), ['ca', 'sign', '--certname', certname, ...data]);
      const signed = await run(site(), [
        'ca',
        'sign',
        '--certname',
        certname,
        '--allow-dns-alt-names',
        '--allow-authorization-extensions',
        ...data,
      ]);
      await until('it is known to run', async () => (await stateOf(site(), certname)) === 'running', 300_000);
      const status = await run(site(), ['infrastructure', 'status', ...data]);
      const { output } = await machine;

      expect(listed.output).toContain('alt names: ["DNS:');
      expect(unsigned.exitCode).toBe(1);
      expect(signed.output).toContain(`Successfully signed certificate request for ${certname}`);
      expect(output).toContain('--- first run: 2\n');
      expect(output).toContain('--- run through it: 2\n');
      expect(output.match(/Notice: role compile_master/g)).toHaveLength(2);
      expect(output).toContain('--- server: 0\n');
      expect(status.output).toContain(`Puppet Server: Running on ${certname}, https://${certname}:${port}/`);
      // Without a port of its own it is at the primary's.
      const primaryPort = installation.options.ports.primary;
      expect(status.output).toMatch(new RegExp(`^PuppetDB: Running on .*:${primaryPort}/pdb$`, 'm'));
      const file = join(installation.primaryDirectory, 'ca', 'signed', `${certname}.pem`);
      const altNames = execFileSync('openssl', ['x509', '-noout', '-ext', 'subjectAltName', '-in', file]);
      expect(altNames.toString()).toContain('DNS:puppet');
    });
  });
