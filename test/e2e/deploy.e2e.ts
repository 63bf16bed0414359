/** From a change in the staging directory to catalogs made from it. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../../src/platform/http-client/index.ts';
import { fetchCatalog, notifications } from './support/catalog-request.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';

const certname = 'watcher.e2e.test';

/** Two files that must agree in each catalog, both read for each one. */
function version(number: number): Readonly<Record<string, string>> {
  return {
    'manifests/site.pp': `notify { 'main': message => '${number}' }\ninclude pair\n`,
    'site-modules/pair/manifests/init.pp': `class pair {\n  notify { 'class': message => '${number}' }\n  notify { 'data': message => lookup('number') }\n}\n`,
    'data/common.yaml': `---\nnumber: '${number}'\n`,
  };
}

scenarios('A deploy', () => {
  const site = runningSite({}, (prepared) => prepared.stage(version(0)));
  const connected: { client?: HttpClient } = {};
  const client = () => {
    connected.client ??= site().agent(certname).client();
    return connected.client;
  };
  beforeAll(async () => {
    // Its certificate is what the requests by hand need.
    await site().agent(certname).run();
    return () => connected.client?.close();
  });

  test('is live on both compile servers when the command ends, which says how long that took', async () => {
    const before = await codeIds(site(), client());
    site().stage(version(1));

    const output = await site().installation.deploy();

    console.log(output.trim());
    const after = await catalogs(site(), client());
    expect(after.map((catalog) => notifications(catalog)['data'])).toEqual(['1', '1']);
    expect(new Set(after.map((catalog) => catalog.code_id)).size).toBe(1);
    expect(after[0]?.code_id).not.toBe(before[0]);
    expect(output).toMatch(/^production {14} [0-9a-f]{40}$/m);
    expect(output).toContain(after[0]?.code_id?.slice('urn:puppet:code-id:1:'.length).split(';')[0]);
    expect(output).toMatch(/^live on 2 of 2 compile servers after \d+ ms$/m);
  });

  test('reaches the real agent with its next run', async () => {
    const { output } = await site().agent(certname).runsCleanly(2);

    expect(output).toMatch(
      /^Notice: \/Stage\[main\]\/Pair\/Notify\[class\]\/message: defined 'message' as '1'$/m,
    );
  });

  test('never shows anybody a mixture of two versions', async () => {
    const asking = new AbortController();
    const seen = Promise.all(
      [0, 1, 0, 1].map((index) =>
        watch(site().installation.compileServerUrl(index), client(), asking.signal),
      ),
    );
    for (let number = 2; number < 12; number += 1) {
      site().stage(version(number));
      await site().installation.deploy();
    }
    asking.abort();

    const all = (await seen).flat();
    const versions = new Set(all.map((messages) => messages['main']));
    expect(all.filter((messages) => new Set(Object.values(messages)).size !== 1)).toEqual([]);
    expect(all.length).toBeGreaterThan(20);
    expect(versions.size).toBeGreaterThan(3);
  });

  test('shows in the status of all servers, where tools for Puppet Enterprise look', async () => {
    const statusOf = async (url: string, service: string) => {
      const path = `/status/v1/services/${service}?level=debug`;
      const answer = await client().send({ method: 'GET', url: `${url}${path}` });
      const { state, status } = JSON.parse(answer.body.toString('utf8')) as {
        state: string;
        status: SyncStatus;
      };
      return { state, ...status };
    };
    await site().installation.deploy();

    const storage = await statusOf(site().installation.primaryUrl, 'file-sync-storage-service');
    const followers = await Promise.all(
      [...urls(site()), site().installation.primaryUrl].map((url) =>
        statusOf(url, 'file-sync-client-service'),
      ),
    );

    const expected = storage.repos['puppet-code'];
    expect(storage.state).toBe('running');
    expect(expected?.submodules['production']?.latest_commit?.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(followers.map(({ repos }) => repos['puppet-code'])).toEqual([expected, expected, expected]);
    expect(Object.keys(storage.clients ?? {}).sort()).toEqual([
      'compile1.bunraku.test',
      'compile2.bunraku.test',
      'primary.bunraku.test',
    ]);
    for (const { repos } of Object.values(storage.clients ?? {}))
      expect(repos['puppet-code']?.submodules['production']).toEqual(expected?.submodules['production']);
  });

  test('that changes nothing is the same version', async () => {
    const before = await codeIds(site(), client());

    await site().installation.deploy();

    expect(await codeIds(site(), client())).toEqual(before);
  });

  test('brings new environments and takes those away that are staged no more', async () => {
    site().stage({ 'manifests/site.pp': `notify { 'main': message => 'testing' }\n` }, 'testing');
    await site().installation.deploy();
    const there = await Promise.all(
      urls(site()).map((url) => fetchCatalog(client(), url, certname, 'testing')),
    );
    rmSync(join(site().installation.stagedEnvironment, '..', 'testing'), { recursive: true });
    await site().installation.deploy();
    const gone = await Promise.all(
      urls(site()).map((url) =>
        client().send({ method: 'GET', url: `${url}/puppet/v3/node/${certname}?environment=testing` }),
      ),
    );

    expect(there.map((catalog) => notifications(catalog)['main'])).toEqual(['testing', 'testing']);
    expect(gone.map((answer) => answer.status)).toEqual([404, 404]);
    expect(JSON.parse(gone[0]?.body.toString('utf8') ?? '')).toEqual({
      message: "Not Found: Could not find environment 'testing'",
      issue_kind: 'RUNTIME_ERROR',
    });
  });

  test('brings modules that all environments share, with their files and data', async () => {
    const shared = {
      'manifests/init.pp': `class beside {\n  notify { 'beside': message => "\${lookup('beside::data')} \${file('beside/f')}" }\n}\n`,
      'hiera.yaml': 'version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n',
      'data/common.yaml': 'beside::data: shared data\n',
      'files/f': 'shared file',
    };
    for (const [name, text] of Object.entries(shared))
      site().stage({ [`../../modules/beside/${name}`]: text });
    site().stage({ 'manifests/beside.pp': 'include beside\n' });
    await site().installation.deploy();

    const found = await catalogs(site(), client());
    const file = await Promise.all(
      urls(site()).map((url) =>
        client().send({
          method: 'GET',
          url: `${url}/puppet/v3/file_metadata/modules/beside/f?environment=production`,
          headers: { accept: 'application/json' },
        }),
      ),
    );

    expect(found.map((catalog) => notifications(catalog)['beside'])).toEqual([
      'shared data shared file',
      'shared data shared file',
    ]);
    const paths = file.map(({ body }) => (JSON.parse(body.toString('utf8')) as { path: string }).path);
    expect(paths.map((path) => path.endsWith('/code/modules/beside/files/f'))).toEqual([true, true]);
  });

  test('leaves the files of earlier versions to agents that have their catalogs', async () => {
    const name = 'site-modules/pair/files/content';
    site().stage({ [name]: 'old' });
    await site().installation.deploy();
    const [codeId] = await codeIds(site(), client());
    for (const content of ['1', '2', '3', '4']) {
      site().stage({ [name]: content });
      await site().installation.deploy();
    }

    const query = new URLSearchParams({ environment: 'production', code_id: codeId ?? '' });
    const answers = await Promise.all(
      [...urls(site()), site().installation.primaryUrl].map((url) =>
        client().send({
          method: 'GET',
          url: `${url}/puppet/v3/static_file_content/${name}?${query.toString()}`,
        }),
      ),
    );

    expect(answers.map(({ body, status }) => [status, body.toString('utf8')])).toEqual([
      [200, 'old'],
      [200, 'old'],
      [200, 'old'],
    ]);
  });

  test('does not wait for a compile server that was killed, which has it as soon as it is back', async () => {
    const { installation } = site();
    await installation.compileServers[1]?.kill();
    site().stage(version(20));

    const output = await installation.deploy();
    await installation.startCompileServer(1);

    expect(output).toMatch(/^live on 1 of 1 compile servers after \d+ ms$/m);
    const after = await catalogs(site(), client());
    expect(after.map((catalog) => notifications(catalog)['data'])).toEqual(['20', '20']);
  });
});

interface SyncedRepository {
  readonly submodules: Readonly<Record<string, { readonly latest_commit?: { readonly commit: string } }>>;
}

interface SyncStatus {
  readonly repos: Readonly<Record<string, SyncedRepository>>;
  readonly clients?: Readonly<Record<string, { readonly repos: Readonly<Record<string, SyncedRepository>> }>>;
}

function urls({ installation }: Site): readonly string[] {
  return installation.options.ports.compileServers.map((_, index) => installation.compileServerUrl(index));
}

function catalogs(site: Site, client: HttpClient) {
  return Promise.all(urls(site).map((url) => fetchCatalog(client, url, certname)));
}

async function codeIds(site: Site, client: HttpClient): Promise<readonly (string | null)[]> {
  return (await catalogs(site, client)).map((catalog) => catalog.code_id);
}

/** Asks one server again and again; resolves to the messages of each catalog. */
async function watch(url: string, client: HttpClient, signal: AbortSignal) {
  const seen: Readonly<Record<string, unknown>>[] = [];
  while (!signal.aborted) seen.push(notifications(await fetchCatalog(client, url, certname)));
  return seen;
}
