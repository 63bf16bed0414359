import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import { LocalClassifiedNodes } from './classified-nodes.ts';
import type { CandidateServer } from './compile-server-class.ts';
import { rootGroup, rootId } from './group.ts';
import { Hierarchy } from './hierarchy.ts';

const masters = 'puppet_enterprise::profile::master';
const certname = 'compile1.test';

/** @param own - what the group says of the class; absent where the node is in no group that has it */
async function classesOf(
  own: JsonObject | undefined,
  { answer, origin }: { readonly answer?: JsonObject; readonly origin?: string } = {},
): Promise<{ readonly classes: unknown; readonly asked: readonly CandidateServer[] }> {
  const root = rootGroup(new Date(0));
  const group = { ...root, id: '11111111-1111-4111-8111-111111111111', name: 'PE Master', parent: rootId };
  const classes = own === undefined ? {} : { [masters]: own };
  const groups = new Hierarchy([root, { ...group, rule: ['or', ['=', 'name', certname]], classes }]);
  const asked: CandidateServer[] = [];
  const servers = {
    async find(candidate: CandidateServer) {
      asked.push(candidate);
      return answer;
    },
  };
  const trusted = { authenticated: 'remote', certname, extensions: { pp_role: 'pool' }, external: {} };
  const found = await new LocalClassifiedNodes({ hierarchy: groups }, servers).find({
    certname,
    facts: { values: origin === undefined ? {} : { bunraku_compile_server: origin } },
    trusted: async () => trusted,
  });
  return { classes: found.classes, asked };
}

test('what the primary says of a node reaches the class, above what its groups say', async () => {
  const answer = { ensure: 'present', program_sha256: 'abc' };
  const { asked, classes } = await classesOf(
    { settings: { serverport: 8150 }, ensure: 'absent' },
    { answer },
  );

  expect(classes).toEqual({ [masters]: { settings: { serverport: 8150 }, ...answer } });
  expect(asked).toEqual([{ certname, extensions: { pp_role: 'pool' }, isInstalled: false }]);
});

test('a node of which the primary says nothing gets the catalog that it had without the class', async () => {
  expect((await classesOf({ settings: { serverport: 8150 } })).classes).toEqual({});
});

test('the primary learns whether a Puppet run installed the server that is there', async () => {
  const { asked } = await classesOf({}, { origin: 'puppet' });

  expect(asked).toMatchObject([{ isInstalled: true }]);
});

test.each([
  ['the group says so', { manage_server: false }, undefined],
  ['people installed it', {}, 'other'],
] as const)('a server is left alone where %s', async (_, own, origin) => {
  const given = { answer: { ensure: 'present' }, ...(origin === undefined ? {} : { origin }) };
  const { asked, classes } = await classesOf(own, given);

  expect(classes).toEqual({});
  expect(asked).toEqual([]);
});

test('what a Puppet run installed is removed from a node whose groups have the class no more', async () => {
  const { asked, classes } = await classesOf(undefined, { origin: 'puppet' });

  expect(classes).toEqual({ [masters]: { ensure: 'absent' } });
  expect(asked).toEqual([]);
});

test.each([undefined, 'other'])('nothing is removed from other nodes (%s)', async (origin) => {
  expect((await classesOf(undefined, origin === undefined ? {} : { origin })).classes).toEqual({});
});
