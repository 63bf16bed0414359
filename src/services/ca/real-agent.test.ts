import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaServer, startCaServer } from '../../../test/ca/ca-server.ts';
import { quickRuby } from '../../../test/support/quick-ruby.ts';

/** Debian's package puppet-agent. */
const puppet = '/usr/bin/puppet';

interface Outcome {
  readonly exitCode: number;
  readonly output: string;
}

describe.skipIf(!existsSync(puppet))('the real puppet (skipped without /usr/bin/puppet)', () => {
  let server: CaServer;

  beforeAll(async () => {
    server = await startCaServer();
  });

  afterAll(() => server.close());

  function run(certname: string, ...args: readonly string[]): Promise<Outcome> {
    const directory = join(server.base, certname);
    const port = String(server.port);
    const settings = {
      confdir: join(directory, 'conf'),
      vardir: join(directory, 'var'),
      // Debian's package has it outside of vardir.
      ssldir: join(directory, 'ssl'),
      certname,
      server: 'localhost',
      masterport: port,
      ca_port: port,
      color: 'false',
      keylength: '2048',
      waitforcert: '0',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    return new Promise((resolve) => {
      execFile(
        puppet,
        [...args, ...options],
        { env: { ...process.env, ...quickRuby() } },
        (error, stdout, stderr) => {
          resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
        },
      );
    });
  }

  test('asks, waits, gets its certificate, and finds it good until it is revoked', async () => {
    const certname = 'agent.example.net';
    const asked = await run(certname, 'ssl', 'bootstrap');
    expect(asked.output).toContain('Certificate for agent.example.net has not been signed yet');

    await server.ca.sign(certname);
    const bootstrapped = await run(certname, 'ssl', 'bootstrap');
    expect(bootstrapped.output).toContain('Notice: Completed SSL initialization');
    expect(bootstrapped.exitCode).toBe(0);

    const verified = await run(certname, 'ssl', 'verify');
    expect(verified.output).toContain('Verified client certificate');
    expect(verified.exitCode).toBe(0);

    const shown = await run(certname, 'ssl', 'show');
    expect(shown.output).toContain('DNS:agent.example.net');
    expect(shown.output).toContain('Puppet Server Internal Certificate');

    await server.ca.revoke([certname]);
    const downloaded = await run(certname, 'ssl', 'download_cert');
    expect(downloaded.exitCode).toBe(0);
    expect(downloaded.output).not.toContain('Error');
    const saved = await readFile(join(server.base, certname, 'ssl/certs', `${certname}.pem`), 'utf8');
    expect(saved).toBe((await server.ca.findCertificate(certname))?.content);
  });

  test('is told when its name is taken', async () => {
    const refused = await run('localhost', 'ssl', 'submit_request');

    expect(refused.output).toContain("Could not submit certificate request for 'localhost'");
    expect(refused.exitCode).toBe(1);
  });
});
