/** What users may do who have permissions for single groups. */

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createHttpServer, type IdentityAccess } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Client, closeAll, create, open } from './classifier.testing.ts';
import { rootId } from './group.ts';
import { changingActions } from './group-rights.ts';
import { classifierRoutes } from './index.ts';

/** `team` and `site` are below the root, `web` below `team`, `blog` below `web`. */
let ids: { readonly team: string; readonly site: string; readonly web: string; readonly blog: string };
let operator: Client;

beforeAll(async () => {
  operator = await open();
});
beforeEach(async () => {
  for (const { id } of operator.classifier.hierarchy.childrenOf(rootId)) await removeBranch(id);
  const team = await create(operator, { name: 'team' });
  const web = await create(operator, { name: 'web', parent: team, classes: { ntp: {} } });
  ids = {
    team,
    web,
    site: await create(operator, { name: 'site' }),
    blog: await create(operator, { name: 'blog', parent: web }),
  };
});
afterAll(closeAll);

async function removeBranch(id: string): Promise<void> {
  for (const child of operator.classifier.hierarchy.childrenOf(id)) await removeBranch(child.id);
  expect((await operator.ask('DELETE', `groups/${id}`)).status).toBe(204);
}

/** Asks as a user with these permissions: `ACTION GROUP`. */
async function asking(...granted: readonly string[]) {
  const some = (...actions: readonly string[]): IdentityAccess => ({
    kind: 'any-of',
    of: actions.map((action) => ({ kind: 'permission', permission: { objectType: 'node_groups', action } })),
  });
  const all: IdentityAccess = {
    kind: 'permission',
    permission: { objectType: 'node_groups', action: 'view', instance: '*' },
  };
  const http = createHttpServer({
    routes: classifierRoutes(operator.classifier, {
      view: all,
      viewSome: some('view'),
      modify: some(...changingActions),
      servers: { kind: 'any-of', of: [] },
    }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: async (_, address) => ({
      kind: 'user',
      id: 'u',
      login: 'ann',
      address,
      permits: ({ action, instance }) =>
        granted.some((each) => {
          const [name, place = ''] = each.split(' ');
          const id = place === '*' ? '*' : ids[place as keyof typeof ids];
          return name === action && (instance === undefined || id === '*' || id === instance);
        }),
    }),
    log: silentLogger,
  });
  const port = await http.listen(0, '127.0.0.1');
  onTestFinished(() => http.drain(0));
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}/classifier-api/v1/${path}`, {
      method,
      redirect: 'manual',
      headers: { 'x-authentication': 'x' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
}

const changes = {
  rename: { name: 'renamed' },
  describe: { description: 'x' },
  rule: { rule: ['=', 'name', 'a'] },
  environment: { environment: 'testing' },
  class: { classes: { apache: {} } },
  'no class': { classes: { ntp: null } },
  parameter: { classes: { ntp: { servers: ['a'] } } },
  variable: { variables: { a: 1 } },
  data: { config_data: { ntp: { servers: ['a'] } } },
};
type ChangeName = keyof typeof changes;
const everything = Object.keys(changes) as ChangeName[];

/** Which of the changes a permission for `team` allows on `team` itself, and on `web`, which is below it. */
test.each<readonly [action: string, itself: readonly ChangeName[], below: readonly ChangeName[]]>([
  ['modify_children', [], everything],
  ['edit_child_rules', [], ['rule']],
  [
    'edit_classification',
    ['class', 'no class', 'parameter', 'variable'],
    ['class', 'no class', 'parameter', 'variable'],
  ],
  ['edit_params_and_vars', ['parameter', 'variable'], ['parameter', 'variable']],
  ['edit_config_data', ['data'], ['data']],
  ['set_environment', ['environment'], ['environment']],
])(
  '%s of a group allows what it says, there and below, and nothing elsewhere',
  async (action, itself, below) => {
    const ask = await asking(`${action} team`);
    await operator.ask('POST', `groups/${ids.team}`, { classes: { ntp: {} } });
    await operator.ask('POST', `groups/${ids.site}`, { classes: { ntp: {} } });
    const allowed = async (group: keyof typeof ids) => {
      const names: ChangeName[] = [];
      for (const name of everything) {
        const before = operator.classifier.get(ids[group]);
        const { status } = await ask('POST', `groups/${ids[group]}`, changes[name]);
        if (status === 200) names.push(name);
        else expect([name, status]).toEqual([name, 403]);
        await operator.classifier.replace(before.id, before);
      }
      return names;
    };

    expect(await allowed('team')).toEqual(itself);
    expect(await allowed('web')).toEqual(below);
    expect(await allowed('site')).toEqual([]);
  },
);

test('who may modify the children of a group makes and removes groups below it, and nowhere else', async () => {
  const ask = await asking('modify_children team');
  const definition = (parent: string) => ({ name: `below ${parent}`, parent, classes: {} });

  expect((await ask('POST', 'groups', definition(ids.team))).status).toBe(303);
  expect((await ask('POST', 'groups', definition(ids.site))).status).toBe(403);
  expect((await ask('POST', 'groups', definition(rootId))).status).toBe(403);
  expect((await ask('DELETE', `groups/${ids.blog}`)).status).toBe(204);
  expect((await ask('DELETE', `groups/${ids.site}`)).status).toBe(403);
  expect((await ask('POST', `groups/${ids.web}/pin`, { nodes: ['a'] })).status).toBe(204);
  expect((await ask('POST', `groups/${ids.site}/pin`, { nodes: ['a'] })).status).toBe(403);
});

test('to move a group one needs the right at both ends', async () => {
  const ask = await asking('modify_children team');
  const both = await asking('modify_children team', 'modify_children site');

  expect((await ask('POST', `groups/${ids.blog}`, { parent: ids.team })).status).toBe(200);
  expect((await ask('POST', `groups/${ids.blog}`, { parent: ids.site })).status).toBe(403);
  expect((await both('POST', `groups/${ids.blog}`, { parent: ids.site })).status).toBe(200);
  expect((await ask('POST', `groups/${ids.blog}`, { parent: ids.team })).status).toBe(403);
});

test('an import of all groups is held to the same rights', async () => {
  const { body } = await operator.ask('GET', 'groups');
  const groups = body as unknown as readonly { readonly id: string }[];
  const ask = await asking('modify_children team', 'view *');
  const renamed = (id: string) =>
    groups.map((each) => (each.id === id ? { ...each, name: 'renamed' } : each));

  expect((await ask('POST', 'import-hierarchy', renamed(ids.site))).status).toBe(403);
  expect((await ask('POST', 'import-hierarchy', renamed(ids.web))).status).toBe(204);
});

test('a refusal names the group and the permission', async () => {
  const ask = await asking('edit_child_rules team');

  const { body } = await ask('POST', `groups/${ids.site}`, { environment: 'testing' });

  expect(body).toMatchObject({
    kind: 'puppetlabs.rbac/permission-denied',
    msg: 'You may not change the environment of the group site: the permission node_groups:set_environment for it or a group above it is missing',
  });
});

test('who may see one group sees those below it, and no others', async () => {
  const ask = await asking('view web');
  const { body } = await ask('GET', 'groups');

  expect((body as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual(['blog', 'web']);
  expect((await ask('GET', `groups/${ids.blog}`)).status).toBe(200);
  expect((await ask('GET', `groups/${ids.team}`)).status).toBe(403);
  expect((await ask('GET', `group-children/${ids.web}`)).status).toBe(200);
  expect((await ask('GET', `group-children/${rootId}`)).status).toBe(403);
  expect((await ask('POST', 'classified/nodes/a', {})).status).toBe(403);
});
