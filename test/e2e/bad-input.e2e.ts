/** Errors are answered in the words that Puppet users know, logged once, and do not affect others. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { readCredentials } from './support/agent.ts';
import { askForCatalog, fetchCatalog } from './support/catalog-request.ts';
import { markLog } from './support/log-mark.ts';
import { hang, sendRaw } from './support/raw-request.ts';
import { scenarios } from './support/requirements.ts';
import { type LogLine, runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const certname = 'careless.e2e.test';
const json = { 'content-type': 'application/json', accept: 'application/json' };

scenarios('Bad input', () => {
  const site = runningSite(
    {
      compileServers: 1,
      // Others are compiled within it, too, by workers that have to start for it.
      settings: {
        compile_timeout: '10s',
        compile_workers: 2,
        headers_timeout: '2s',
        body_idle_timeout: '2s',
      },
    },
    (prepared) => {
      prepared.stage({ 'manifests/site.pp': "notify { 'hello': }\n" });
      prepared.stage({ 'manifests/site.pp': 'class broken {\n' }, 'broken');
      prepared.stage({ 'manifests/site.pp': 'node default {\n  include nosuch\n}\n' }, 'failing');
      prepared.stage(
        { 'manifests/site.pp': 'Integer[0, 4611686018427387904].each |$number| { $double = $number * 2 }\n' },
        'endless',
      );
    },
  );
  const connected: { client?: HttpClient } = {};
  const client = () => connected.client ?? new HttpClient({});
  const url = () => site().installation.compileServerUrl(0);
  const port = () => site().installation.options.ports.compileServers[0] ?? 0;
  const credentials = () => {
    const { ca, certificate, privateKey } = site().agent(certname).credentials();
    return { ca, cert: certificate, key: privateKey };
  };
  beforeAll(async () => {
    await site().agent(certname).runsCleanly(2);
    connected.client = site().agent(certname).client();
  });
  afterAll(() => connected.client?.close());

  /** The log lines from now on. */
  const linesFromNow = async () => {
    const before = await markLog(site());
    return async () => visibleLines(site(), before, await markLog(site()));
  };
  const othersAreServed = async () => {
    const catalog = await fetchCatalog(client(), url(), certname);
    expect(catalog.resources.map((resource) => resource.title)).toContain('hello');
  };

  test('a manifest that does not parse: the agent says where, and skips the run', async () => {
    const lines = await linesFromNow();

    const { complaints, exitCode } = await site().agent(certname).run(['--environment', 'broken']);

    expect(exitCode).toBe(1);
    expect(complaints).toEqual([
      `Error: Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: Could not parse for environment broken: Syntax error at end of input (file: ${logicalPath(site(), 'broken')}) on node ${certname}`,
      'Warning: Not using cache on failed catalog',
      'Error: Could not retrieve catalog; skipping run',
    ]);
    expect((await lines()).filter((line) => line.level === 'error')).toHaveLength(1);
    await othersAreServed();
  });

  test('an undefined class', async () => {
    const { complaints, exitCode } = await site().agent(certname).run(['--environment', 'failing']);

    expect(exitCode).toBe(1);
    expect(complaints[0]).toBe(
      `Error: Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: Evaluation Error: Error while evaluating a Function Call, Could not find class ::nosuch for ${certname} (file: ${logicalPath(site(), 'failing')}, line: 2, column: 3) on node ${certname}`,
    );
    await othersAreServed();
  });

  test('an environment that is not there: the agent goes on with the default one', async () => {
    const { complaints, exitCode, output } = await site().agent(certname).run(['--environment', 'nosuch']);

    expect(output).toMatch(
      /^Notice: Environment 'nosuch' not found on server, skipping initial pluginsync\.$/m,
    );
    expect(output).toMatch(
      /^Notice: Local environment: 'nosuch' doesn't match server specified environment 'production', restarting agent run with environment 'production'$/m,
    );
    expect(complaints).toEqual([]);
    expect(exitCode).toBe(2);
  });

  test('a manifest that never ends is given up, while others are served', async () => {
    const lines = await linesFromNow();
    const endless = askForCatalog(client(), url(), certname, { environment: 'endless' });

    await othersAreServed();
    const answer = await endless;

    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.text)).toEqual({
      message: `Server Error: Compiling the catalog of ${certname} took longer than 10 seconds`,
      issue_kind: 'RUNTIME_ERROR',
    });
    await othersAreServed();
    expect((await lines()).filter((line) => line.level === 'error')).toHaveLength(1);
  });

  test('facts that are no JSON', async () => {
    const answer = await client().send({
      method: 'POST',
      url: `${url()}/puppet/v3/catalog/${certname}?environment=production`,
      headers: { ...json, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'facts_format=application/json&facts=%7B',
    });

    expect(answer.status).toBe(500);
    expect(answer.body.toString()).toBe(
      '{"message":"Server Error: Could not intern from json: unexpected token at \'{\'","issue_kind":"RUNTIME_ERROR"}',
    );
  });

  test('a report that was cut short by its sender', async () => {
    const lines = await linesFromNow();

    const answer = await client().send({
      method: 'PUT',
      url: `${url()}/puppet/v3/report/${certname}?environment=production`,
      headers: json,
      body: '{"a":1',
    });

    expect(answer.status).toBe(400);
    expect(answer.body.toString()).toBe(
      '{"message":"Bad Request: The request body is invalid: Could not intern from json: unexpected token at \'{\\"a\\":1\'","issue_kind":"RUNTIME_ERROR"}',
    );
    expect(await lines()).toHaveLength(1);
  });

  test('a body that ends before its announced length, with a client that leaves', async () => {
    const leave = await hang(
      port(),
      `PUT /puppet/v3/report/x?environment=production HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`,
      true,
    );
    leave();

    await othersAreServed();
  });

  test('a body that is larger than any report', async () => {
    const lines = await linesFromNow();

    const { status, body } = await sendRaw(
      port(),
      credentials(),
      `PUT /puppet/v3/report/${certname}?environment=production HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2000000000\r\n\r\n`,
    );

    expect(status).toBe(413);
    expect(JSON.parse(body)).toEqual({
      message: 'Payload Too Large: The request body is larger than 134217728 bytes',
      issue_kind: 'RUNTIME_ERROR',
    });
    expect(await lines()).toHaveLength(1);
  });

  test.each([
    '/puppet/v3/file_content/modules/website/../../../../etc/passwd',
    '/puppet/v3/file_content/modules/website/%2e%2e/%2e%2e/secret',
    '/puppet/v3/file_content/modules/website/assets/..%2f..%2fmanifests%2finit.pp',
  ])('a path with dots in it: %s', async (path) => {
    const lines = await linesFromNow();

    const { status, body } = await sendRaw(
      port(),
      credentials(),
      `GET ${path}?environment=production HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );

    expect(status).toBe(400);
    expect(body).toBe(`Invalid relative path (.. or .) in: ${decodeURIComponent(path)}`);
    expect(await lines()).toHaveLength(1);
  });

  test("another node's catalog", async () => {
    const lines = await linesFromNow();

    const answer = await askForCatalog(client(), url(), 'somebody.else');

    expect(answer.status).toBe(403);
    expect(answer.text).toContain('Forbidden request: ');
    expect(await lines()).toMatchObject([{ level: 'warn', msg: 'refused request', certname }]);
  });

  test('clients that hang in a handshake, in headers or in a body do not delay others', async () => {
    const leaving = await Promise.all([
      ...Array.from({ length: 20 }, () => hang(port(), '\u0016\u0003\u0001', false)),
      ...Array.from({ length: 20 }, () => hang(port(), 'GET /puppet/v3/catalog/x HTTP/1.1\r\nHost:', true)),
    ]);

    await othersAreServed();
    const { status } = await sendRaw(port(), {}, 'GET /status/v1/simple HTTP/1.1\r\nHost:');

    expect(status).toBe(408);
    await othersAreServed();
    for (const leave of leaving) leave();
  });

  test('a body that stops arriving is given up', async () => {
    const { status, body } = await sendRaw(
      port(),
      credentials(),
      `PUT /puppet/v3/report/${certname}?environment=production HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"host"`,
    );

    expect(status).toBe(408);
    expect(body).toContain('The request body did not arrive: only 7 bytes came in 2 seconds');
  });

  test('a certificate of another CA', async () => {
    const { installation, directory } = site();
    const [caDir, sslDir] = [join(directory, 'other-ca'), join(directory, 'other-ssl')];
    await installation.bunraku([
      'ca',
      'setup',
      '--ca-dir',
      caDir,
      '--ssl-dir',
      sslDir,
      '--certname',
      'other.test',
    ]);
    await installation.bunraku([
      'ca',
      'generate',
      '--ca-dir',
      caDir,
      '--ssl-dir',
      sslDir,
      '--certname',
      certname,
    ]);
    const stranger = new HttpClient({
      ...readCredentials(sslDir, certname),
      ca: site().agent(certname).credentials().ca,
    });
    const lines = await linesFromNow();

    const answer = await askForCatalog(stranger, url(), certname);
    stranger.close();

    expect(answer.status).toBe(403);
    expect(answer.text).toMatch(/^Forbidden request: /);
    expect(await lines()).toMatchObject([{ level: 'warn', msg: 'refused request' }]);
  });

  test('a certificate that was revoked, on open connections, too', async () => {
    const agent = site().agent('lost.e2e.test');
    await agent.runsCleanly(2);
    const { installation } = site();
    const [onPrimary, onCompileServer] = [agent.client(), agent.client()];
    const ask = async (asker: HttpClient, server: string) =>
      (await askForCatalog(asker, server, agent.certname).catch(() => ({ status: 0 }))).status;
    expect(await ask(onPrimary, installation.primaryUrl)).toBe(200);
    expect(await ask(onCompileServer, url())).toBe(200);

    await installation.bunraku(['ca', 'revoke', ...site().online, '--certname', agent.certname]);

    const began = performance.now();
    // The first answer may be the end of the connection; from then on it is a refusal.
    await until('the primary refuses', async () => (await ask(onPrimary, installation.primaryUrl)) === 403);
    await until('the compile server refuses', async () => (await ask(onCompileServer, url())) === 403);
    console.log(`revoked everywhere after ${Math.round(performance.now() - began)} ms`);
    const { complaints, exitCode } = await agent.run();
    expect(exitCode).toBe(1);
    expect(complaints.join('\n')).toContain('certificate revoked');
    await othersAreServed();
    onPrimary.close();
    onCompileServer.close();
  });
});

function visibleLines(site: Site, from: string, to: string): readonly LogLine[] {
  const lines = site.logOf('compile1');
  const at = (path: string) => lines.findIndex((line) => line['path'] === path);
  return lines.slice(at(from) + 1, at(to)).filter((line) => line.level !== 'debug');
}

/** Where a main manifest is, as users are told: not where this version of it happens to lie. */
function logicalPath(site: Site, environment: string): string {
  return join(site.directory, 'compile1', 'code', 'environments', environment, 'manifests', 'site.pp');
}
