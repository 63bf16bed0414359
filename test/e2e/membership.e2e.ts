/** Compile servers that join, stay, stop for a while, vanish and leave. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { readCredentials } from './support/agent.ts';
import { fetchCatalog } from './support/catalog-request.ts';
import { heldManifest, releaseCompiles, untilHeld } from './support/held-compile.ts';
import { hasAsked, JoiningServer, type Outcome, run, stateOf } from './support/joining.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const node = 'member.e2e.test';
/** Nothing is signed that the operator does not sign, except for `*.e2e.test`. */
const strict = { allow_subject_alt_names: false, allow_authorization_extensions: false };
const puppetDbPort = await freePort();
const classifierPort = await freePort();

scenarios('A compile server', () => {
  const site = runningSite(
    {
      compileServers: 0,
      settings: {
        ...strict,
        puppetdb_port: puppetDbPort,
        node_terminus: 'classifier',
        classifier_port: classifierPort,
      },
    },
    (prepared) => {
      prepared.stage({ 'manifests/site.pp': "notify { 'hello': }\n" });
      prepared.stage({ 'manifests/site.pp': heldManifest(prepared) }, 'slow');
    },
  );

  test('joins with a token, although it is killed on the way again and again', async () => {
    const server = await JoiningServer.create(site(), 'one.example.test');
    const token = await tokenOf(site());
    for (const afterMs of [150, 300, 450, 600, 900]) await server.joinUntilKilled(afterMs, '--token', token);

    const joined = await server.join('--token', token);

    expect(joined.output).toContain('one.example.test has joined https://localhost:');
    expect(joined.exitCode).toBe(0);
    const listed = await online(site(), 'list', '--all');
    expect(listed.output).toMatch(
      /one\.example\.test .*alt names: .*authorization extensions: \[pp_auth_role: pe_compiler\]/,
    );
    expect(await stateOf(site(), 'one.example.test')).toBe('joining');

    await server.start();
    await until('it is known to run', async () => (await stateOf(site(), 'one.example.test')) === 'running');
    const again = await server.join('--token', token);
    expect(again.exitCode).toBe(0);
    await site().agent(node, server.port).runsCleanly(2);
    await server.stop();
    // Its last check-in reports the catalogs that it compiled.
    expect((await scalingOf(site())).nodes).toEqual({ known: 1, waiting: 0 });
  });

  test('is refused in words with a token that does not fit, and leaves no request behind', async () => {
    const used = await tokenOf(site());
    const first = await JoiningServer.create(site(), 'first.example.test');
    const second = await JoiningServer.create(site(), 'second.example.test');
    await first.join('--token', used);
    const narrow = await tokenOf(site(), '--certname', '*.other.test');
    const stranger = await tokenOf(site(), '--alt-name', 'DNS:puppet');

    const outcomes: readonly Outcome[] = [
      await second.join('--token', used),
      await second.join('--token', narrow),
      await second.join('--token', stranger),
      await second.join('--token', used.slice(0, -4)),
      await second.join(),
    ];

    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 2, 2]);
    expect(outcomes[0]?.output).toContain('The token to join with has been used up');
    expect(outcomes[1]?.output).toContain('does not allow what second.example.test asks for');
    expect(outcomes[2]?.output).toContain('alternative name DNS:localhost is not in the list');
    expect(outcomes[3]?.output).toContain('this is no token');
    expect(outcomes[4]?.output).toContain('--ca-fingerprint is needed without a token');
    expect((await online(site(), 'list')).output).toContain('No certificates to list');
    await forget(site(), 'first.example.test');
  });

  test('joins when a person signs, and believes only the CA that was named', async () => {
    const server = await JoiningServer.create(site(), 'signed.example.test');
    const wrong = await server.join('--ca-fingerprint', 'ab'.repeat(32));
    const joining = server.join(
      '--ca-fingerprint',
      fingerprintOf(site()),
      '--extension',
      'pp_role=compile_server',
    );
    await until('it has asked', () => hasAsked(site(), server.certname));

    const refused = await online(site(), 'sign', '--certname', server.certname);
    const allowing = ['--allow-dns-alt-names', '--allow-authorization-extensions'];
    const signed = await online(site(), 'sign', '--certname', server.certname, ...allowing);

    expect(wrong.output).toContain('it is not the one to trust');
    expect(refused.exitCode).toBe(1);
    expect(signed.output).toContain('Successfully signed certificate request for signed.example.test');
    expect((await joining).exitCode).toBe(0);
    await forget(site(), server.certname);
  });

  test('joins through another one, which says where the primary is', async () => {
    const first = await joinedServer(site(), 'guide.example.test');
    const server = await JoiningServer.create(site(), 'guided.example.test');

    const joined = await server.joinThrough(first.url, '--token', await tokenOf(site()));
    await first.stop();
    await server.start();

    expect(joined.output).toContain(`has joined ${site().installation.primaryUrl}`);
    await until('it is known to run', async () => (await stateOf(site(), server.certname)) === 'running');
    await server.leave();
    await forget(site(), first.certname);
  });

  test('that is stopped for a while comes back with the certificate that it has', async () => {
    const server = await joinedServer(site(), 'steady.example.test');
    const before = readCredentials(server.sslDirectory, server.certname).certificate;

    expect(await server.stop()).toBe(0);
    const stopped = await stateOf(site(), server.certname);
    await server.start();

    expect(stopped).toBe('stopped');
    await until('it is known to run', async () => (await stateOf(site(), server.certname)) === 'running');
    expect(readCredentials(server.sslDirectory, server.certname).certificate).toBe(before);
    await server.leave();
  });

  test('leaves: unhealthy first, running requests end, then it is revoked and forgotten', async () => {
    const server = await joinedServer(site(), 'leaver.example.test');
    const client = site().agent(node).client();
    const compiling = fetchCatalog(client, server.url, node, 'slow');
    await untilHeld(site());

    const leaving = server.leave();
    const health = await until('it is unhealthy', async () => {
      const status = await healthOf(server.url);
      return status === 200 ? undefined : status;
    });
    releaseCompiles(site());
    const catalog = await compiling;
    const { exitCode, output } = await leaving;
    client.close();

    expect(health).toBe(503);
    expect(catalog.resources.map(({ title }) => title)).toContain('done');
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output:
        'leaver.example.test has drained\n' +
        'Certificate of leaver.example.test has been revoked and removed\n' +
        'leaver.example.test is deactivated in PuppetDB\n' +
        'leaver.example.test has left the installation\n',
    });
    expect(await stateOf(site(), server.certname)).toBeUndefined();
    expect((await online(site(), 'list', '--all')).output).not.toContain('leaver.example.test');
    await until('it has ended', () => !server.isRunning);
    const back = await server.join('--token', await tokenOf(site()));
    expect(back.exitCode).toBe(0);
    await forget(site(), server.certname);
  });

  test('that vanishes is missed, and forgotten when somebody says so', async () => {
    const server = await joinedServer(site(), 'lost.example.test');

    await server.kill();
    await until('it is missed', async () => (await stateOf(site(), server.certname)) === 'unreachable');
    const text = await run(site(), ['infrastructure', 'status', ...primaryData(site())]);
    const json = await run(site(), ['infrastructure', 'status', '--format=json', ...primaryData(site())]);
    const { output } = await forget(site(), server.certname);

    expect(text.exitCode).toBe(1);
    expect(text.output).toMatch(/^lost\.example\.test +compile server +unreachable +\d+ s ago/m);
    expect(text.output).toContain('Puppet Server: Unreachable on lost.example.test');
    expect(text.output).toMatch(new RegExp(`^PuppetDB: Running on .*:${puppetDbPort}/pdb$`, 'm'));
    expect(JSON.parse(json.output)).toContainEqual(
      expect.objectContaining({
        service: 'pe-master',
        server: server.certname,
        state: 'unreachable',
        status: null,
      }),
    );
    expect(output).toContain('lost.example.test is not running: there was nothing to drain');
    expect(await stateOf(site(), server.certname)).toBeUndefined();
  });

  test('leaves by curl alone, and knows it', async () => {
    const server = await joinedServer(site(), 'curled.example.test');
    const { primaryDirectory, primaryUrl } = site().installation;
    const ssl = join(primaryDirectory, 'puppet', 'ssl');
    const name = 'primary.bunraku.test.pem';
    const identity = ['--cert', join(ssl, 'certs', name), '--key', join(ssl, 'private_keys', name)];
    const curl = (...args: readonly string[]) =>
      execFileSync('curl', ['-sS', '--fail', '--cacert', join(ssl, 'certs', 'ca.pem'), ...identity, ...args]);
    const url = `${primaryUrl}/puppet-ca/v1/certificate_status/${server.certname}`;

    const json = ['-H', 'Content-Type: application/json'];
    curl('-X', 'PUT', ...json, '-d', '{"desired_state":"revoked"}', url);
    curl('-X', 'DELETE', url);
    const puppetDb = `https://localhost:${puppetDbPort}/pdb`;
    const payload = { certname: server.certname, producer_timestamp: new Date().toISOString() };
    const command = JSON.stringify({ command: 'deactivate node', version: 3, payload });
    curl('-X', 'POST', ...json, '-d', command, `${puppetDb}/cmd/v1`);

    await until('it is unhealthy', async () => (await healthOf(server.url)) === 503);
    await until('it is deactivated', () => {
      const known = curl(`${puppetDb}/query/v4/nodes/${server.certname}`).toString();
      return typeof (JSON.parse(known) as { readonly deactivated: unknown }).deactivated === 'string';
    });
    expect(await stateOf(site(), server.certname)).toBeUndefined();
    await server.stop();
  });

  test('may be a node that was set up by hand: alternative names, signed, pinned', async () => {
    const name = 'classic.example.test';
    const agent = site().agent(name, site().installation.options.ports.primary);
    writeFileSync(
      join(site().directory, 'agents', name, 'conf', 'csr_attributes.yaml'),
      'extension_requests:\n  pp_role: compile_master\n',
    );
    const waiting = agent.run([
      '--dns_alt_names',
      'puppet,localhost',
      '--keylength',
      '2048',
      '--waitforcert',
      '1',
    ]);
    await until('it has asked', () => hasAsked(site(), name));
    await online(site(), 'sign', '--certname', name, '--allow-dns-alt-names');
    expect((await waiting).exitCode).toBe(2);

    const server = await JoiningServer.create(site(), name);
    mkdirSync(server.data, { recursive: true });
    const { ports } = site().installation.options;
    const identity = ['--certname', name, '--ssldir', agent.sslDirectory];
    const place = ['--listen', '127.0.0.1', '--serverport', String(server.port), '--drain-delay', '1s'];
    const words = ['--primary', `localhost:${ports.primary}`, ...identity, ...place];
    const started = server.start(...words);
    await until('it says what is missing', async () => (await statusOf(server)).includes('PE Master'));
    await pinCompileServer(site(), name);
    await started;

    await until('it is known to run', async () => (await stateOf(site(), name)) === 'running');
    await site().agent(node, server.port).runsCleanly(2);
    await forget(site(), name);
  });

  test('is not what anybody may call himself', async () => {
    const name = 'poser.e2e.test';
    const agent = site().agent(name, site().installation.options.ports.primary);
    writeFileSync(
      join(site().directory, 'agents', name, 'conf', 'csr_attributes.yaml'),
      'extension_requests:\n  pp_role: compile_master\n',
    );
    await agent.run();
    const client = agent.client();

    const answers = await Promise.all(
      ['/infrastructure/v1/check-in', '/infrastructure/v1/leave', '/outbox/v1/commands'].map((path) =>
        client.send({ method: 'POST', url: `${site().installation.primaryUrl}${path}`, body: '{}' }),
      ),
    );
    client.close();

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

function primaryData(site: Site): readonly string[] {
  return ['--data', site.installation.primaryDirectory];
}

async function tokenOf(site: Site, ...more: readonly string[]): Promise<string> {
  const { output } = await run(site, ['infrastructure', 'token', ...primaryData(site), ...more]);
  return output.trim();
}

async function joinedServer(site: Site, certname: string): Promise<JoiningServer> {
  const server = await JoiningServer.create(site, certname);
  // Agents get the environment that they ask for: the primary's classifier would choose.
  const joined = await server.join('--token', await tokenOf(site), '--node-terminus', 'plain');
  expect(joined.exitCode, joined.output).toBe(0);
  await server.start();
  await until('it is known to run', async () => (await stateOf(site, certname)) === 'running');
  return server;
}

function forget(site: Site, certname: string): Promise<Outcome> {
  return run(site, ['infrastructure', 'forget', certname, ...primaryData(site)]);
}

function online(site: Site, ...args: readonly string[]): Promise<Outcome> {
  return run(site, ['ca', ...args, ...primaryData(site)]);
}

function fingerprintOf(site: Site): string {
  const file = join(site.installation.primaryDirectory, 'ca', 'ca_crt.pem');
  const text = execFileSync('openssl', ['x509', '-noout', '-fingerprint', '-sha256', '-in', file], {
    encoding: 'utf8',
  });
  return text.trim().split('=')[1] ?? '';
}

async function healthOf(url: string): Promise<number> {
  const client = new HttpClient({});
  try {
    return (await client.send({ method: 'GET', url: `${url}/status/v1/simple`, timeoutMs: 60_000 })).status;
  } finally {
    client.close();
  }
}

/** What a server says of itself; nothing before it listens. */
async function statusOf({ url }: JoiningServer): Promise<string> {
  const client = new HttpClient({});
  try {
    const path = '/status/v1/services/server?level=info';
    return (await client.send({ method: 'GET', url: `${url}${path}` })).body.toString('utf8');
  } catch {
    return ''; // it does not listen yet
  } finally {
    client.close();
  }
}

async function scalingOf(site: Site): Promise<{ readonly nodes: unknown }> {
  const { primaryDirectory } = site.installation;
  const { output } = await run(site, [
    'autoscaler',
    'status',
    '--format',
    'json',
    '--data',
    primaryDirectory,
  ]);
  return JSON.parse(output) as { readonly nodes: unknown };
}

/** Pins a node to the group of compile servers, as the operator does in the console. */
async function pinCompileServer(site: Site, certname: string): Promise<void> {
  const operator = site.installation.operator();
  const api = `https://localhost:${classifierPort}/classifier-api/v1/groups`;
  try {
    const { body } = await operator.send({ method: 'GET', url: api });
    const groups = JSON.parse(body.toString('utf8')) as readonly {
      readonly id: string;
      readonly name: string;
    }[];
    const { id } = groups.find(({ name }) => name === 'PE Master') ?? {};
    const pinned = await operator.send({
      method: 'POST',
      url: `${api}/${id}/pin`,
      body: JSON.stringify({ nodes: [certname] }),
    });
    expect(pinned.status).toBe(204);
  } finally {
    operator.close();
  }
}
