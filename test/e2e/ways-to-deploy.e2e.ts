/** Every way to bring code that docs/deploying-code.md names, typed as it is there. */

import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import type { HttpClient } from '../../src/platform/http-client/index.ts';
import { TestRepository } from '../code-manager/repositories.ts';
import { fetchCatalog, notifications } from './support/catalog-request.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const certname = 'ways.e2e.test';
const project = new URL('../..', import.meta.url).pathname;
const document = readFileSync(join(project, 'docs', 'deploying-code.md'), 'utf8');
const codePort = await freePort();
const usersPort = await freePort();

/** A block of the document: ```LANGUAGE NAME */
function block(language: string, name: string): string {
  const start = document.indexOf(`\`\`\`${language} ${name}`);
  if (start < 0) throw new Error(`docs/deploying-code.md has no block ${name}`);
  const body = document.indexOf('\n', start) + 1;
  return document.slice(body, document.indexOf('```', body));
}

const message = (text: string) => `notify { 'main': message => '${text}' }\n`;

scenarios('Code reaches every server', () => {
  const site = runningSite(
    { settings: { code_manager_port: codePort, console_services_port: usersPort } },
    (prepared) => {
      rmSync(prepared.installation.stagedEnvironment, { recursive: true, force: true });
      prepareWays(prepared);
    },
  );
  const place = () => placesOf(site());
  const connected: { client?: HttpClient } = {};
  const client = () => (connected.client ??= site().agent(certname).client());
  beforeAll(async () => {
    const agent = site().agent(certname);
    writeFileSync(
      join(site().directory, 'agents', certname, 'conf', 'csr_attributes.yaml'),
      'extension_requests:\n  pp_role: web\n',
    );
    await agent.run();
  });
  afterAll(() => connected.client?.close());

  const run = async (script: string) => {
    const { directory } = site();
    const { stdout } = await promisify(execFile)('sh', ['-euc', adapted(script, site())], {
      cwd: directory,
      env: { ...process.env, PATH: `${join(directory, 'bin')}:${process.env['PATH']}`, HOME: directory },
    });
    return stdout;
  };
  const served = async (environment = 'production') => {
    const urls = site().installation.options.ports.compileServers.map((_, index) =>
      site().installation.compileServerUrl(index),
    );
    const all = await Promise.all(urls.map((url) => fetchCatalog(client(), url, certname, environment)));
    return all.map((catalog) => notifications(catalog)['main']);
  };
  const both = (text: string) => [text, text];

  test('by the code manager', async () => {
    const output = await run(block('sh', 'code-manager'));

    expect(output).toMatch(/^production {15}complete [0-9a-f]{40}$/m);
    expect(output).toMatch(/^compile2\.bunraku\.test {4}serves all of it/m);
    expect(await served()).toEqual(both('by repository'));
    expect(await served('feature_x')).toEqual(both('by repository'));
  });

  test('and the list of services says where the code manager is', async () => {
    const services = JSON.parse(await run('bunraku infrastructure status --format json')) as readonly {
      readonly service: string;
      readonly url: string;
    }[];

    const urls = services.filter(({ service }) => service === 'code-manager-service').map(({ url }) => url);
    expect(urls).toEqual([expect.stringMatching(new RegExp(`:${codePort}/`))]);
  });

  test('by a signed webhook, not by one that is not', async () => {
    place().control.commit('production', { 'manifests/site.pp': message('pushed') });
    const body = JSON.stringify({
      ref: 'refs/heads/production',
      repository: { clone_url: 'https://elsewhere/x' },
    });
    const hook = (headers: Record<string, string>, query = 'type=github') =>
      site()
        .installation.operator()
        .send({
          method: 'POST',
          url: `https://localhost:${codePort}/code-manager/v1/webhook?${query}`,
          headers: { 'content-type': 'application/json', 'x-github-event': 'push', ...headers },
          body,
        });
    const signature = createHmac('sha256', 'the secret').update(body).digest('hex');

    expect((await hook({ 'x-hub-signature-256': `sha256=${signature.replace(/^./, 'x')}` })).status).toBe(
      403,
    );
    const accepted = await hook({ 'x-hub-signature-256': `sha256=${signature}` });

    expect([accepted.status, accepted.body.toString()]).toEqual([200, '{"status":"OK"}']);
    await until('the push is served', async () => (await served()).every((text) => text === 'pushed'));
  });

  test('validated with what the certificate of the node says', async () => {
    const role = "$trusted['extensions']['pp_role']";
    const site = `if ${role} != 'web' { fail("the role is ${'${'}${role}}") }\n${message('pushed')}`;
    place().control.commit('production', { 'manifests/site.pp': site });

    const deployed = await run(`bunraku code deploy production --wait --node ${certname}`);

    expect(deployed).toMatch(/^production {15}complete/m);
    expect(await served()).toEqual(both('pushed'));
  });

  test('validated: what does not compile is not served', async () => {
    place().control.commit('production', { 'manifests/site.pp': 'include no::such::class\n' });

    const refused = await run(`bunraku code deploy production --wait --node ${certname} || true`);

    expect(refused).toMatch(/^production {15}failed/m);
    expect(await served()).toEqual(both('pushed'));
    await run('bunraku code deploy production --wait');
    await expect(served()).rejects.toThrow('no::such::class');
  });

  test('taken back by one command', async () => {
    await run('bunraku code rollback production');

    expect(await served()).toEqual(both('pushed'));
  });

  test('by its API, with a token or the right certificate', async () => {
    const token = (await run('bunraku code token pipeline')).trim();
    const ca = join(site().installation.primaryDirectory, 'puppet', 'ssl', 'certs', 'ca.pem');
    const curl = (more: string) =>
      run(
        `curl --silent --cacert ${ca} ${more} https://localhost:${codePort}/code-manager/v1/deploys/status`,
      );
    const ownAgent = await client().send({
      method: 'GET',
      url: `https://localhost:${codePort}/code-manager/v1/deploys/status`,
    });

    expect(JSON.parse(await curl(`-H 'X-Authentication: ${token}'`))).toMatchObject({
      'deploys-status': { queued: [], deploying: [], new: [] },
      'file-sync-storage-status': { deployed: [{ environment: 'feature_x' }, { environment: 'production' }] },
      'file-sync-client-status': {
        'all-synced': true,
        'file-sync-clients': { 'compile1.bunraku.test': { 'synced-with-file-sync-storage': true } },
      },
    });
    expect(JSON.parse(await curl("-H 'X-Authentication: guess'"))).toMatchObject({
      kind: 'puppetlabs.rbac/invalid-token',
    });
    expect(JSON.parse(await curl(''))).toMatchObject({ kind: 'puppetlabs.rbac/user-unauthenticated' });
    expect(ownAgent.status).toBe(403);
    expect(await run('bunraku infrastructure status')).toContain(
      'Code Manager: Running on primary.bunraku.test',
    );
  });

  test('by the real r10k', async () => {
    place().control.commit('production', { 'manifests/site.pp': message('by r10k') });
    writeFileSync(join(site().directory, 'r10k-staging.yaml'), adapted(block('yaml', 'r10k'), site()));

    await run(block('sh', 'r10k'));

    expect(await served()).toEqual(both('by r10k'));
  });

  test('by rsync', async () => {
    const work = join(site().directory, 'control');
    mkdirSync(join(work, 'manifests'), { recursive: true });
    writeFileSync(join(work, 'manifests', 'site.pp'), message('by rsync'));

    await run(block('sh', 'rsync'));

    expect(await served()).toEqual(both('by rsync'));
  });

  test('by plain git', async () => {
    rmSync(site().installation.stagedEnvironment, { recursive: true });
    place().control.commit('production', { 'manifests/site.pp': message('by git') });
    await run(block('sh', 'git'));
    const first = await served();
    place().control.commit('production', { 'manifests/site.pp': message('by git again') });

    await run(block('sh', 'git-again'));

    expect(first).toEqual(both('by git'));
    expect(await served()).toEqual(both('by git again'));
  });

  test('by a shared file system', async () => {
    const shared = join(site().directory, 'mnt', 'environments', 'production', 'manifests');
    mkdirSync(shared, { recursive: true });
    writeFileSync(join(shared, 'site.pp'), message('by mount'));
    rmSync(site().installation.stagedEnvironment, { recursive: true });
    await run(block('sh', 'shared'));
    const first = await served();
    writeFileSync(join(shared, 'site.pp'), message('by mount again'));

    await run(block('sh', 'shared-curl'));

    expect(first).toEqual(both('by mount'));
    await until('the change is served', async () =>
      (await served()).every((text) => text === 'by mount again'),
    );
  });

  test('and an agent that asks for a new environment while it is being deployed waits for it', async () => {
    place().control.commit('feature_slow', {
      Puppetfile: 'sleep 6\n',
      'manifests/site.pp': message('it was worth it'),
    });

    await run('bunraku code deploy feature_slow');
    const { complaints, exitCode, output } = await site()
      .agent(certname)
      .run(['--environment', 'feature_slow']);

    expect(output).toContain('it was worth it');
    expect(exitCode, output).toBe(2);
    expect(complaints).toEqual([]);
  });
});

interface Places {
  readonly control: TestRepository;
}

const places = new WeakMap<Site, Places>();

function placesOf(site: Site): Places {
  const found = places.get(site);
  if (found === undefined) throw new Error('the site was not prepared');
  return found;
}

/** The control repository, the configuration, and programs that stand for those of the document. */
function prepareWays(site: Site): void {
  const { directory, installation } = site;
  const control = new TestRepository(join(directory, 'git', 'control'));
  const module = new TestRepository(join(directory, 'git', 'module'));
  module.commit('master', { 'manifests/init.pp': 'class mod {}\n' });
  const files = {
    'manifests/site.pp': `include mod\n${message('by repository')}`,
    Puppetfile: `mod 'mod', git: '${module.directory}'\n`,
  };
  control.commit('production', files);
  control.commit('feature/x', files);
  places.set(site, { control });
  mkdirSync(installation.primaryDirectory, { recursive: true });
  writeFileSync(
    join(installation.primaryDirectory, 'r10k.yaml'),
    adapted(document.slice(document.indexOf('```yaml\n') + 8).split('```')[0] ?? '', site),
  );
  writeFileSync(join(installation.primaryDirectory, 'webhook-secret'), 'the secret\n');
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  const main = join(installation.options.project, 'dist', 'main.js');
  const programs = {
    // `bunraku COMMAND ...` finds its settings by itself where they are in /etc.
    bunraku: `exec ${process.execPath} ${main} "$@" --data ${installation.primaryDirectory}`,
    // No sshd here: the command runs where it would have been sent.
    ssh: '[ "$1" = -l ] && shift 2; shift; exec sh -c "$*"',
  };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
}

/** The document's paths and hosts are those of production. */
function adapted(text: string, { directory, installation }: Site): string {
  const data = installation.primaryDirectory;
  const { primary } = installation.options.ports;
  return text
    .replaceAll('git@git.example.com:ops/control.git', join(directory, 'git', 'control'))
    .replaceAll('/etc/puppetlabs/code-staging', join(data, 'code-staging'))
    .replaceAll('/etc/r10k-staging.yaml', join(directory, 'r10k-staging.yaml'))
    .replaceAll('/var/cache/r10k', join(directory, 'r10k-cache'))
    .replaceAll('/mnt/code', join(directory, 'mnt'))
    .replaceAll('/etc/puppetlabs/puppet/ssl', join(data, 'puppet', 'ssl'))
    .replaceAll('certs/primary.example.com.pem', 'certs/primary.bunraku.test.pem')
    .replaceAll('private_keys/primary.example.com.pem', 'private_keys/primary.bunraku.test.pem')
    .replaceAll('https://primary.example.com:8140', `https://localhost:${primary}`);
}
