/** The end of an autoscaled compile server, by the API alone: from its revocation on, no compile server believes it. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';

const run = promisify(execFile);

scenarios('A revocation', () => {
  const site = runningSite();

  /** As in the runbooks of sites that scale by themselves: `curl` with the primary's own certificate. */
  async function curl(...args: readonly string[]): Promise<string> {
    const sslDir = join(site().installation.primaryDirectory, 'puppet', 'ssl');
    const credentials = [
      ['--cacert', join(sslDir, 'certs', 'ca.pem')],
      ['--cert', join(sslDir, 'certs', 'primary.bunraku.test.pem')],
      ['--key', join(sslDir, 'private_keys', 'primary.bunraku.test.pem')],
    ].flat();
    const { stdout } = await run('curl', [
      '-sS',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      ...credentials,
      ...args,
    ]);
    return stdout;
  }

  /** A connection that stays open, with a request on it now and then. */
  async function openConnection(port: number, certname: string, sslDir: string): Promise<TLSSocket> {
    const read = (path: string) => readFileSync(join(sslDir, path), 'utf8');
    const socket = connect({
      host: 'localhost',
      port,
      servername: 'localhost',
      ca: read('certs/ca.pem'),
      cert: read(`certs/${certname}.pem`),
      key: read(`private_keys/${certname}.pem`),
    });
    socket.on('error', () => {
      // Ended by the server: that is what is waited for.
    });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    return socket;
  }

  test('is effective on every compile server at once, on open connections too', async () => {
    const { compileServers, primary } = site().installation.options.ports;
    const certname = 'node1.e2e.test';
    const agent = site().agent(certname);
    await agent.run();
    const ports = [primary, ...compileServers];
    const sockets = await Promise.all(
      ports.map((port) => openConnection(port, certname, agent.sslDirectory)),
    );
    const closed = sockets.map(
      (socket) => new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now()))),
    );
    const url = `https://localhost:${primary}/puppet-ca/v1/certificate_status/${certname}`;

    const began = performance.now();
    const revoked = await curl(
      '-X',
      'PUT',
      '-H',
      'Content-Type: text/pson',
      '-d',
      '{"desired_state":"revoked"}',
      url,
    );
    const times = (await Promise.all(closed)).map((at) => at - began);
    const deleted = await curl('-X', 'DELETE', '-H', 'Content-Type: text/pson', url);
    const gone = await curl(url);

    expect([revoked, deleted, gone]).toEqual(['204', '204', '404']);
    console.log(`open connections ended after ${times.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
    const client = agent.client();
    for (const port of ports) {
      const answer = await client.send({
        method: 'GET',
        url: `https://localhost:${port}/puppet/v3/node/${certname}`,
      });
      expect([port, answer.status, answer.body.toString()]).toEqual([
        port,
        403,
        expect.stringContaining('certificate revoked') as string,
      ]);
    }
    client.close();
  });
});
