/** Nodes get classes from groups, also through compile servers, which are classified themselves as they come and go. */

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
    { compileServers: 1, settings: { node_terminus: 'classifier', classifier_port: classifierPort } },
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
    expect(await ask(site(), 'GET', 'environments/testing/classes')).toEqual([
      { name: 'footer', environment: 'testing', parameters },
      before,
    ]);
  });

  test('decides on the environment', async () => {
    const group = await create(site(), {
      name: 'Testing',
      environment: 'testing',
      environment_trumps: true,
      rule: ['=', 'name', web],
    });

    const { output } = await site().agent(web).runsCleanly(2);
    await ask(site(), 'DELETE', `groups/${group}`);

    expect(output).toContain('Notice: tried hello\n');
  });

  test('leaves the environment to agents in an agent-specified group', async () => {
    const group = await create(site(), {
      name: 'Own choice',
      environment: 'agent-specified',
      environment_trumps: true,
      rule: ['=', 'name', web],
    });

    const chosen = await site().agent(web).run(['--environment', 'testing']);
    await ask(site(), 'DELETE', `groups/${group}`);
    const refused = await site().agent(web).run(['--environment', 'testing']);

    expect(chosen.output).toContain('Notice: tried hello\n');
    expect(refused.output).toContain('Notice: served hello\n');
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

  test('refuses clients that are not named', async () => {
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

  test('has compile servers in its group from when they join until they leave', async () => {
    const [first] = await pinned(site());
    const server = await JoiningServer.create(site(), 'two.example.test');
    const data = ['--data', site().installation.primaryDirectory];
    const token = await run(site(), ['infrastructure', 'token', ...data, '--alt-name', 'DNS:*']);

    const joined = await server.join('--token', token.output.trim().split('\n').at(-1) ?? '');
    const whileJoined = await pinned(site());
    await server.start();
    const left = await server.leave();

    expect(first).toBe('compile1.bunraku.test');
    expect(joined.exitCode, joined.output).toBe(0);
    expect(whileJoined).toEqual([first, server.certname]);
    expect(left.exitCode, left.output).toBe(0);
    expect(await pinned(site())).toEqual([first]);
  });

  test('is remembered by compile servers while the primary is away', async () => {
    await site().agent(web).runsCleanly(2);
    await site().installation.primary?.kill();

    const { output } = await site().agent(web).runsCleanly(2);

    expect(output).toContain('Notice: served hello\n');
    // Logs are written a moment after what they tell of.
    await until('the log says so', () => {
      const told = site().compileServerLogs.find(
        ({ msg }) => msg === 'the classifier is away, using its last answer',
      );
      return typeof told?.['ageSeconds'] === 'number';
    });
  });

  test('is the same after a restart', async () => {
    await site().installation.startPrimary();

    const groups = (await ask(site(), 'GET', 'groups')) as readonly { readonly name: string }[];

    expect(groups.map(({ name }) => name)).toEqual(['All Nodes', 'Compile servers', 'Web servers']);
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

async function pinned(site: Site): Promise<readonly string[]> {
  const groups = (await ask(site, 'GET', 'groups')) as readonly {
    readonly name: string;
    readonly rule: unknown[];
  }[];
  const { rule = [] } = groups.find(({ name }) => name === 'Compile servers') ?? {};
  return rule.flatMap((part) => (Array.isArray(part) && part[1] === 'name' ? [String(part[2])] : []));
}
