/** Nodes get classes from groups, also through compile servers, which are classified themselves as they come and go. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { askForCatalog } from './support/catalog-request.ts';
import { JoiningServer, run } from './support/joining.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const root = '00000000-0000-4000-8000-000000000000';
const classifierPort = await freePort();
const web = 'web1.e2e.test';

scenarios('The node classifier', () => {
  const site = runningSite(
    { compileServers: 1, settings: { classifier_port: classifierPort } },
    (prepared) => {
      const parts = {
        'manifests/site.pp': `notify { "of \${getvar('owner')}": }\n`,
        ...classOf('page', 'served'),
      };
      prepared.stage(parts);
      prepared.stage({ ...parts, ...classOf('page', 'tried') }, 'testing');
    },
  );

  test('gives classes, parameters and variables to nodes that match', async () => {
    const agent = site().agent(web);
    const { output: plain } = await agent.runsCleanly(2);
    await create(site(), {
      name: 'Web servers',
      rule: ['and', ['=', ['fact', 'kernel'], 'Linux'], ['~', ['trusted', 'certname'], '^web']],
      classes: { page: {} },
      config_data: { page: { text: 'hello' } },
      variables: { owner: 'ops' },
    });

    const { output } = await agent.runsCleanly(2);

    expect(plain).toContain('Notice: of \n');
    expect(plain).not.toContain('hello');
    expect(output).toContain('Notice: of ops\n');
    expect(output).toContain('Notice: served hello\n');
  });

  test('says which groups a node is in, why, and what each gives', async () => {
    await until('the facts are on the primary', async () =>
      (await certnames(site(), 'inventory', ['=', 'certname', web])).includes(web),
    );

    const { exitCode, output } = await bunraku(site(), 'node', 'explain', web);

    expect(exitCode, output).toBe(0);
    expect(output).toContain('fact.kernel = "Linux" and trusted.certname ~ "^web"');
    expect(output).toMatch(/^class +page +Web servers$/m);
    expect(output).toMatch(/^variable +owner +"ops" +Web servers$/m);
    expect(output).toMatch(/^data +page::text +"hello" +Web servers$/m);
  });

  test('is changed by files, which say before which nodes change', async () => {
    const file = join(site().installation.primaryDirectory, 'groups.yaml');
    const exported = await bunraku(site(), 'groups', 'export', 'Web servers');
    writeFileSync(file, exported.output);
    const unchanged = await bunraku(site(), 'groups', 'plan', file);
    writeFileSync(file, exported.output.replace('owner: ops', 'owner: files'));

    const plan = await bunraku(site(), 'groups', 'plan', file);
    const applied = await bunraku(site(), 'groups', 'apply', file);
    const { output } = await site().agent(web).runsCleanly(2);
    writeFileSync(file, exported.output);
    const back = await bunraku(site(), 'groups', 'apply', file);

    expect([unchanged.exitCode, unchanged.output]).toEqual([
      0,
      'Nothing to do: the groups are as the files have them\n',
    ]);
    expect(plan.exitCode, plan.output).toBe(2);
    expect(plan.output).toContain(`  ${web}\n    ~ variable owner: "ops" -> "files"\n`);
    expect(applied.exitCode, applied.output).toBe(0);
    expect(output).toContain('Notice: of files\n');
    expect(back.exitCode, back.output).toBe(0);
  });

  test('tells how PuppetDB is asked for the nodes that match', async () => {
    const rules: Readonly<Record<string, unknown>> = {
      facts: ['and', ['=', ['fact', 'kernel'], 'Linux'], ['=', ['fact', 'is_virtual'], 'no boolean']],
      notFacts: [
        'and',
        ['=', ['fact', 'kernel'], 'Linux'],
        ['not', ['=', ['fact', 'is_virtual'], 'no boolean']],
      ],
      numbers: ['>', ['fact', 'processorcount'], '0'],
      structured: ['and', ['~', ['fact', 'os', 'family'], '.'], ['>=', ['fact', 'processors', 'count'], '1']],
      trusted: ['=', ['trusted', 'certname'], web],
      everybody: ['~', 'name', '.*'],
    };
    // Facts reach the primary a moment after the run.
    const everybody = ['=', 'certname', web];
    await until('the facts are on the primary', async () =>
      (await certnames(site(), 'inventory', everybody)).includes(web),
    );
    const found: Record<string, unknown> = {};
    for (const [name, rule] of Object.entries(rules)) {
      const group = await create(site(), { name, rule: ['and', ['=', 'name', web], rule] });
      const { translated } = (await ask(site(), 'GET', `groups/${group}/rules`)) as {
        readonly translated: Readonly<Record<string, unknown>>;
      };
      await ask(site(), 'DELETE', `groups/${group}`);
      const { inventory_query_format: inventory, nodes_query_format: nodes } = translated;
      found[name] = {
        nodes: nodes === null ? null : await certnames(site(), 'nodes', nodes),
        inventory: await certnames(site(), 'inventory', inventory),
      };
    }

    expect(found).toEqual({
      facts: { nodes: [], inventory: [] },
      notFacts: { nodes: [web], inventory: [web] },
      numbers: { nodes: [web], inventory: [web] },
      structured: { nodes: null, inventory: [web] },
      trusted: { nodes: null, inventory: [web] },
      everybody: { nodes: [web], inventory: [web] },
    });
  });

  test('knows the classes of each environment, also after a deploy', async () => {
    const page = 'environments/testing/classes/page';

    const before = await ask(site(), 'GET', page);
    site().stage(classOf('footer', 'served'), 'testing');
    await site().installation.deploy();

    const parameters = { text: 'nothing' };
    expect(before).toEqual({ name: 'page', environment: 'testing', parameters });
    const classes = (await ask(site(), 'GET', 'environments/testing/classes')) as readonly {
      readonly name: string;
    }[];
    const ofSite = classes.filter(({ name }) => !/^(?:pe_repo|puppet_enterprise)/.test(name));
    expect(ofSite).toEqual([{ name: 'footer', environment: 'testing', parameters }, before]);
    expect(classes).toContainEqual(expect.objectContaining({ name: 'puppet_enterprise::profile::agent' }));
  });

  test('decides on the environment', async () => {
    const group = await create(site(), {
      name: 'Testing',
      parent: await idOf(site(), 'Production environment'),
      environment: 'testing',
      environment_trumps: true,
      rule: ['=', 'name', web],
    });

    const { output } = await site().agent(web).runsCleanly(2);
    await ask(site(), 'DELETE', `groups/${group}`);

    expect(output).toContain('Notice: tried hello\n');
  });

  test('leaves the environment to agents, except for those in the group of an environment', async () => {
    const production = await idOf(site(), 'Production environment');
    const testing = ['--environment', 'testing'];

    const chosen = await site().agent(web).run(testing);
    await send(site(), 'POST', `groups/${production}/pin`, { nodes: [web] });
    const pinned = await site().agent(web).run(testing);
    await send(site(), 'POST', `groups/${production}/unpin`, { nodes: [web] });

    expect(chosen.output).toContain('Notice: tried hello\n');
    expect(pinned.output).toContain('Notice: served hello\n');
  });

  test('says what its groups disagree on', async () => {
    const variables = { owner: 'somebody else' };
    const group = await create(site(), { name: 'Others', rule: ['=', 'name', web], variables });

    const { exitCode, output } = await site().agent(web).run();
    await ask(site(), 'DELETE', `groups/${group}`);

    expect(exitCode).toBe(1);
    expect(output).toContain(
      `Failed when searching for node ${web}: Classification of ${web} failed due to a classification conflict: ` +
        'The node was classified into groups named "Others" and "Web servers" that defined conflicting values for ' +
        'variables named "owner".',
    );
  });

  test('says which group names a class that no code has, on each server', async () => {
    const group = await create(site(), { name: 'Shops', rule: ['=', 'name', web], classes: { shop: {} } });
    const client = site().agent(web).client();
    const { ports } = site().installation.options;

    const answers = [];
    for (const port of [ports.primary, ...ports.compileServers])
      answers.push(await askForCatalog(client, `https://localhost:${port}`, web));
    client.close();
    await ask(site(), 'DELETE', `groups/${group}`);

    for (const { status, text } of answers) {
      expect(status).toBe(500);
      expect(text).toContain(
        `Could not find class shop for ${web} on node ${web}; it is given by the node group 'Shops'`,
      );
    }
    expect(answers).toHaveLength(2);
  });

  test('gives agents of a group what their PXP agent is told, also by configuration data', async () => {
    const file = join(site().directory, 'pxp-agent.conf');
    const group = await idOf(site(), 'PE Agent');
    const profile = 'puppet_enterprise::profile::agent';
    const before = await site().agent(web).runsCleanly(2);
    await send(site(), 'POST', `groups/${group}`, {
      classes: { [profile]: { pcp_broker_list: ['lb.e2e.test:8142'], config_file: file, ssl_dir: '/ssl' } },
      config_data: { [profile]: { master_uris: ['lb.e2e.test'] } },
    });

    const { output } = await site().agent(web).runsCleanly(2);
    await send(site(), 'POST', `groups/${group}`, {
      classes: { [profile]: { pcp_broker_list: null, config_file: null, ssl_dir: null } },
      config_data: { [profile]: { master_uris: null } },
    });

    expect(output).toContain('Puppet_enterprise::Profile::Agent');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      'broker-ws-uris': ['wss://lb.e2e.test:8142/pcp2/'],
      'master-uris': ['https://lb.e2e.test:8140'],
      'pcp-version': '2',
      'ssl-key': `/ssl/private_keys/${web}.pem`,
      'ssl-ca-cert': '/ssl/certs/ca.pem',
      'ssl-cert': `/ssl/certs/${web}.pem`,
      'ssl-crl': '/ssl/crl.pem',
    });
    // Without a value the catalog is what it was.
    expect(before.output).not.toContain('Puppet_enterprise');
    expect((await site().agent(web).runsCleanly(2)).output).not.toContain('Puppet_enterprise');
  });

  test('is closed to certificates that are not named', async () => {
    const stranger = site().agent(web).client();
    const url = `https://localhost:${classifierPort}/classifier-api/v1/groups`;

    const answers = [
      await stranger.send({ method: 'GET', url }),
      await stranger.send({
        method: 'POST',
        url: `${site().installation.primaryUrl}/classifier-api/v1/classified/nodes/${web}`,
        body: '{}',
      }),
    ];
    stranger.close();
    const anonymous = new HttpClient({});
    answers.push(await anonymous.send({ method: 'GET', url }));
    anonymous.close();

    // The last one shows neither a certificate nor a token.
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 401]);
  });

  test('has compile servers in its groups by what their certificates prove, without a change of a group', async () => {
    const before = await serialsOf(site());
    const server = await JoiningServer.create(site(), 'two.example.test');
    const data = ['--data', site().installation.primaryDirectory];
    const token = await run(site(), ['infrastructure', 'token', ...data, '--alt-name', 'DNS:*']);

    const joined = await server.join('--token', token.output.trim().split('\n').at(-1) ?? '');
    await server.start();
    const whileJoined = await serialsOf(site());
    const left = await server.leave();

    expect(joined.exitCode, joined.output).toBe(0);
    expect(left.exitCode, left.output).toBe(0);
    expect([whileJoined, await serialsOf(site())]).toEqual([before, before]);
    expect(before).toHaveProperty('PE Compiler', 1);
  });

  test('is on compile servers, also for nodes that come for the first time while the primary is away', async () => {
    const agent = site().agent('web2.e2e.test');
    expect((await agent.execute(['ssl', 'bootstrap'])).exitCode).toBe(0);
    await site().installation.primary?.kill();

    const { output } = await agent.runsCleanly(2);

    expect(output).toContain('Notice: served hello\n');
  });

  test('is the same after a restart', async () => {
    await site().installation.startPrimary();

    expect(Object.keys(await serialsOf(site()))).toEqual([
      'Agent-specified environment',
      'All Nodes',
      'PE Agent',
      'PE Certificate Authority',
      'PE Compiler',
      'PE Console',
      'PE Infrastructure',
      'PE Infrastructure Agent',
      'PE Master',
      'PE Orchestrator',
      'PE PuppetDB',
      'Production environment',
      'Web servers',
    ]);
    await until('agents are served again', async () => (await site().agent(web).run()).exitCode === 2);
  });
});

function classOf(name: string, verb: string): Readonly<Record<string, string>> {
  return {
    [`modules/${name}/manifests/init.pp`]: `class ${name}(String $text = 'nothing') { notify { "${verb} \${text}": } }\n`,
  };
}

/** @returns the id */
async function create(site: Site, group: Readonly<Record<string, unknown>>): Promise<string> {
  const { headers } = await send(site, 'POST', 'groups', { parent: root, classes: {}, ...group });
  return headers.location?.split('/').at(-1) ?? '';
}

async function ask(site: Site, method: string, path: string): Promise<unknown> {
  const { body } = await send(site, method, path);
  return body.length === 0 ? undefined : JSON.parse(body.toString('utf8'));
}

/** The command line on the primary. */
async function bunraku(site: Site, ...words: readonly string[]) {
  const url = `https://localhost:${classifierPort}/classifier-api`;
  return await run(site, [...words, '--service-url', url, '--data', site.installation.primaryDirectory]);
}

/** Who is found in PuppetDB. */
async function certnames(site: Site, entity: string, query: unknown): Promise<readonly unknown[]> {
  const rows = await site.puppetDb(JSON.stringify(['from', entity, query]));
  return rows.map(({ certname }) => certname);
}

/** With the primary's certificate. */
async function send(site: Site, method: string, path: string, body?: unknown) {
  const operator = site.installation.operator();
  try {
    const answer = await operator.send({
      method,
      url: `https://localhost:${classifierPort}/classifier-api/v1/${path}`,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status, answer.body.toString('utf8')).toBeLessThan(400);
    return answer;
  } finally {
    operator.close();
  }
}

/** The serial numbers of groups, by name. */
async function serialsOf(site: Site): Promise<Readonly<Record<string, number>>> {
  const groups = await groupsOf(site);
  return Object.fromEntries(groups.map(({ name, serial_number: number }) => [name, number]));
}

async function idOf(site: Site, wanted: string): Promise<string> {
  const groups = await groupsOf(site);
  return groups.find(({ name }) => name === wanted)?.id ?? '';
}

interface Group {
  readonly id: string;
  readonly name: string;
  readonly serial_number: number;
}

async function groupsOf(site: Site): Promise<readonly Group[]> {
  return (await ask(site, 'GET', 'groups')) as readonly Group[];
}
