/** Certificates that a person signs, revokes and cleans, while agents and servers wait for them. */

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isReady } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { markLog } from './support/log-mark.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const certname = 'waiting.e2e.test';

scenarios('A certificate that is signed by hand', () => {
  const site = runningSite({ compileServers: 1, autosign: ['known.e2e.test'] }, (prepared) =>
    prepared.stage({ 'manifests/site.pp': "notify { 'hello': }\n" }),
  );
  const ca = (...args: readonly string[]) => site().installation.bunraku(['ca', ...args, ...site().online]);

  test('an agent that is not signed yet is told so, again and again', async () => {
    const agent = site().agent(certname);

    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { exitCode, output } = await agent.run();

      expect(exitCode).toBe(1);
      expect(output).toMatch(
        /^Couldn't fetch certificate from CA server; you might still need to sign this agent's certificate \(waiting\.e2e\.test\)\.$/m,
      );
    }
  });

  test('the request is listed, with its fingerprint', async () => {
    const output = await ca('list');

    expect(output).toMatch(/^Requested Certificates:$/m);
    expect(output).toMatch(/^ {4}waiting\.e2e\.test +\(SHA256\) {2}[0-9A-F:]{95}$/m);
  });

  test('an agent that waits gets its certificate as soon as it is signed, and runs', async () => {
    await markLog(site());
    const askedBefore = countOfRequests(site());
    const waiting = site().agent(certname).run(['--waitforcert', '1']);
    await until('the agent has asked', () => countOfRequests(site()) > askedBefore);

    const output = await ca('sign', '--certname', certname);
    const result = await waiting;

    expect(output).toMatch(/^Successfully signed certificate request for waiting\.e2e\.test$/m);
    expect(result).toMatchObject({ exitCode: 2 });
    expect(await ca('list', '--all')).toMatch(/^ {4}waiting\.e2e\.test +\(SHA256\)/m);
  });

  test('an agent that was revoked is refused, and says why', async () => {
    const before = site().logOf('compile1').length;

    const output = await ca('revoke', '--certname', certname);
    await until('the compile server knows', () =>
      site()
        .logOf('compile1')
        .slice(before)
        .some((line) => line.msg === 'applied a new CRL'),
    );
    const { complaints, exitCode } = await site().agent(certname).run();

    expect(output).toMatch(/^Certificate for waiting\.e2e\.test has been revoked$/m);
    expect(exitCode).toBe(1);
    expect(complaints.join('\n')).toContain('certificate revoked');
  });

  test('an agent that was cleaned may begin anew', async () => {
    const output = await ca('clean', '--certname', certname);
    const again = site().agent('known.e2e.test');

    expect(output).toMatch(/^Cleaned files related to waiting\.e2e\.test$/m);
    expect(await ca('list', '--all')).not.toContain('waiting.e2e.test');
    await again.runsCleanly(2);
    await ca('clean', '--certname', again.certname);
    again.forgetCertificate();
    const anew = await again.run();
    expect(anew, anew.output).toMatchObject({ exitCode: 2, complaints: [] });
  });

  test('a compile server waits until somebody signs it, and serves then', async () => {
    const port = await freePort();
    const data = join(site().directory, 'joining');
    mkdirSync(data);
    writeFileSync(
      join(data, 'bunraku.conf'),
      `listen = "127.0.0.1"\ncertname = "joining.example"\ndns_alt_names = "localhost"\nserverport = ${port}\nwaitforcert = 1\n` +
        `primary = "localhost:${site().installation.options.ports.primary}"\n`,
    );
    const { node, project } = site().installation.options;
    const server = spawn(node, [join(project, 'dist', 'main.js'), 'compile-server', '--data', data], {
      stdio: 'ignore',
    });
    try {
      await until('it has asked', async () => (await ca('list')).includes('joining.example'));
      expect(await isReady(`https://localhost:${port}`)).toBe(false);

      await ca('sign', '--certname', 'joining.example');

      await until('it is ready', () => isReady(`https://localhost:${port}`));
      await site().agent('known.e2e.test', port).runsCleanly(2);
    } finally {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
    }
  });
});

/** How often anybody has asked the compile server for the certificate. */
function countOfRequests(site: Site): number {
  const path = `/puppet-ca/v1/certificate/${certname}`;
  return site.logOf('compile1').filter((line) => line['path'] === path).length;
}
