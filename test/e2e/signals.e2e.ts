/** Signals, restarts, and two servers where there may be one. */

import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { isReady } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { readCredentials } from './support/agent.ts';
import { fetchCatalog } from './support/catalog-request.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const certname = 'steady.e2e.test';

scenarios('A server that is told something', () => {
  const site = runningSite({ compileServers: 1, settings: { allow_auto_renewal: true } }, (prepared) => {
    prepared.stage({ 'manifests/site.pp': "notify { 'hello': }\n" });
    prepared.stage({ 'manifests/site.pp': slowManifest(prepared) }, 'slow');
  });
  const compileServer = () => site().installation.compileServerUrl(0);

  test('finishes the compile that runs when SIGTERM comes, and takes no new ones', async () => {
    await site().agent(certname).runsCleanly(2);
    const { installation, directory } = site();
    const client = site().agent(certname).client();
    const compiling = fetchCatalog(client, compileServer(), certname, 'slow');
    await until('it compiles', () => existsSync(join(directory, 'compiling')));

    const stopped = installation.compileServers[0]?.stop();
    await until('it stops', () =>
      site()
        .logOf('compile1')
        .some((line) => line.msg === 'stopping'),
    );
    await until('it takes no new requests', async () => !(await isReady(compileServer())));
    writeFileSync(join(directory, 'finish'), '');
    const catalog = await compiling;
    const exitCode = await stopped;
    client.close();

    expect(catalog.resources.map((resource) => resource.title)).toContain('done');
    expect(exitCode).toBe(0);
    // Logs are written a moment after what they tell of.
    const last = await until('its log is complete', () => {
      const line = site().logOf('compile1').at(-1);
      return line?.msg === 'stopped' && line;
    });
    expect(last.level).toBe('info');
    expect(complaintsOf(site(), 'compile1')).toEqual([]);
    await installation.startCompileServer(0);
  });

  test('reads its log level again on SIGHUP', async () => {
    const { installation, directory } = site();
    const config = join(directory, 'compile1', 'bunraku.conf');
    const before = readFileSync(config, 'utf8');
    const isVerbose = () =>
      site()
        .logOf('compile1')
        .some((line) => line.level === 'debug');
    expect(isVerbose()).toBe(false);

    writeFileSync(config, `${before}log_level = "debug"\n`);
    installation.compileServers[0]?.signal('SIGHUP');

    await until('details are logged', async () => (await isReady(compileServer())) && isVerbose());
    writeFileSync(config, before);
    installation.compileServers[0]?.signal('SIGHUP');
    await until('details are logged no more', () => {
      const reloads = site()
        .logOf('compile1')
        .filter((line) => line.msg.startsWith('reloaded'));
      return reloads.length === 2;
    });
  });

  test('shows a renewed certificate after SIGHUP, without losing a request', async () => {
    const { installation, directory } = site();
    const name = 'compile1.bunraku.test';
    const sslDirectory = join(directory, 'compile1', 'puppet', 'ssl');
    const own = new HttpClient(readCredentials(sslDirectory, name));
    const before = await serialOf(installation.options.ports.compileServers[0] ?? 0);
    const renewed = await own.send({
      method: 'POST',
      url: `${installation.primaryUrl}/puppet-ca/v1/certificate_renewal`,
    });
    own.close();
    expect(renewed.status, renewed.body.toString()).toBe(200);

    writeFileSync(join(sslDirectory, 'certs', `${name}.pem`), renewed.body);
    installation.compileServers[0]?.signal('SIGHUP');

    await until(
      'the new certificate is shown',
      async () => (await serialOf(installation.options.ports.compileServers[0] ?? 0)) !== before,
    );
    await site().agent(certname).runsCleanly(2);
  });

  test('keeps going as before when what SIGHUP makes it read is broken', async () => {
    const { installation, directory } = site();
    const config = join(directory, 'compile1', 'bunraku.conf');
    const before = readFileSync(config, 'utf8');

    writeFileSync(config, `${before}log_level = "chatty"\n`);
    installation.compileServers[0]?.signal('SIGHUP');

    const line = await until('it complains', () =>
      site()
        .logOf('compile1')
        .find((candidate) => candidate.msg === 'could not reload, going on as before'),
    );
    writeFileSync(config, before);
    expect(JSON.stringify(line)).toContain('log_level');
    await site().agent(certname).runsCleanly(2);
  });

  test('a primary that was stopped and started knows everything', async () => {
    const { installation } = site();
    const reports = await until('all reports have arrived', async () => {
      const found = await site().reportsOf(certname);
      return (
        found.length >= 2 &&
        site()
          .outboxSizes()
          .every((size) => size === 0) &&
        found
      );
    });
    const client = site().agent(certname).client();
    const before = await fetchCatalog(client, installation.primaryUrl, certname);

    expect(await installation.primary?.stop()).toBe(0);
    await installation.startPrimary();

    const after = await fetchCatalog(client, installation.primaryUrl, certname);
    client.close();
    expect(after.code_id).toBe(before.code_id);
    expect(await site().reportsOf(certname)).toEqual(reports);
    expect(complaintsOf(site(), 'primary')).toEqual([]);
    await site().agent(certname, installation.options.ports.primary).runsCleanly(2);
  });

  test('a second primary on the same directory refuses to start, and says why', async () => {
    const { installation } = site();

    const { code, output } = await runToEnd(site(), [
      'primary',
      '--data',
      installation.primaryDirectory,
      '--serverport',
      String(await freePort()),
    ]);

    expect(code).toBe(1);
    expect(output).toContain('is in use by another process');
    expect(await isReady(installation.primaryUrl)).toBe(true);
  });

  test('a server whose port is taken refuses to start, and says which', async () => {
    const { directory, installation } = site();
    const { primary } = installation.options.ports;

    const { code, output } = await runToEnd(site(), [
      'primary',
      '--data',
      join(directory, 'second'),
      '--listen',
      '127.0.0.1',
      '--serverport',
      String(primary),
    ]);

    expect(code).toBe(1);
    expect(output).toContain(`Port ${primary} is in use`);
  });

  test('settings that make no sense are refused before anything starts', async () => {
    const { directory } = site();

    const { code, output } = await runToEnd(site(), [
      'primary',
      '--data',
      join(directory, 'third'),
      '--serverport',
      'many',
      '--log-level',
      'chatty',
    ]);

    expect(code).toBe(2);
    expect(output).toContain('serverport');
    expect(output).toContain('log_level');
    expect(existsSync(join(directory, 'third'))).toBe(false);
  });
});

/** Compiles until it is told to finish. */
function slowManifest({ directory }: Site): string {
  const script = `touch ${directory}/compiling; while [ ! -e ${directory}/finish ]; do sleep 0.05; done`;
  return `generate('/bin/sh', '-c', '${script}')\nnotify { 'done': }\n`;
}

function complaintsOf(site: Site, server: string) {
  return site.logOf(server).filter((line) => !['debug', 'info'].includes(line.level));
}

/** The serial number of the certificate that a server shows. */
function serialOf(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

function runToEnd(site: Site, args: readonly string[]) {
  const { node, project } = site.installation.options;
  return new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    execFile(
      node,
      [join(project, 'dist', 'main.js'), ...args],
      { timeout: 300_000, killSignal: 'SIGKILL' },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}
