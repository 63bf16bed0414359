import { afterEach, expect, test } from 'vitest';
import { closeAll, create, open } from './classifier.testing.ts';
import type { Group } from './group.ts';
import { rootGroup, rootId } from './group.ts';
import { Hierarchy } from './hierarchy.ts';
import type { KnownNodes } from './known-nodes.ts';
import { MemberCounts } from './member-counts.ts';

afterEach(closeAll);

const pinned = '22222222-2222-4222-8222-222222222222';
const linux = '33333333-3333-4333-8333-333333333333';

function group(id: string, rule: NonNullable<Group['rule']>, parent = rootId): Group {
  return { ...rootGroup(new Date(0)), id, name: id, parent, rule };
}

/** Nodes of which every second has Linux. */
function fleet(count: number): KnownNodes & { readonly reads: readonly (readonly string[])[] } {
  const reads: (readonly string[])[] = [];
  return {
    reads,
    names: async () => Array.from({ length: count }, (_, index) => `web${index}.test`),
    read: () => Promise.reject(new Error('the facts of rules are enough')),
    readFacts: async (names, facts) => {
      reads.push(facts);
      return names.map((name) => ({
        name,
        fact: { kernel: Number(/\d+/.exec(name)?.[0]) % 2 === 0 ? 'Linux' : 'windows' },
        trusted: {},
      }));
    },
  };
}

const groups = [
  rootGroup(new Date(0)),
  group(linux, ['=', ['fact', 'kernel'], 'Linux']),
  group(
    pinned,
    ['or', ['=', 'name', 'web0.test'], ['=', 'name', 'web1.test'], ['=', 'name', 'later.test']],
    linux,
  ),
];

function counter(known: KnownNodes, times: number[]) {
  return new MemberCounts(known, { now: () => new Date(7), steadyMs: () => times.shift() ?? 0 });
}

test('a group counts nodes that match it and all groups above it', async () => {
  const known = fleet(2501);

  const counted = await counter(known, []).find(new Hierarchy(groups), new AbortController().signal);

  expect(counted.asOf).toEqual(new Date(7));
  expect(counted.total).toBe(2501);
  // Nodes without facts are not among the matching nodes either.
  expect(Object.fromEntries(counted.groups)).toEqual({ [rootId]: 2501, [linux]: 1251, [pinned]: 1 });
  expect(known.reads).toEqual([['kernel'], ['kernel'], ['kernel']]);
});

test('counts are shared; a change of a group or twenty times their duration renews them', async () => {
  const known = fleet(1);
  // Begun at 0 and done at 1000; looked at later.
  const times = [0, 1000, 20_999, 21_000, 21_000, 21_001];
  const counts = counter(known, times);
  const hierarchy = new Hierarchy(groups);
  const { signal } = new AbortController();

  await Promise.all([counts.find(hierarchy, signal), counts.find(hierarchy, signal)]);
  expect(known.reads).toHaveLength(1);
  await counts.find(hierarchy, signal);
  expect(known.reads).toHaveLength(1);
  await counts.find(hierarchy, signal);
  expect(known.reads).toHaveLength(2);
  await counts.find(new Hierarchy(groups.slice(0, 1)), signal);
  expect(known.reads).toHaveLength(3);
});

test('a failed count is not cached', async () => {
  const known = fleet(1);
  let isBroken = true;
  const names = async () => (isBroken ? Promise.reject(new Error('PuppetDB is away')) : ['web0.test']);
  const counts = counter({ ...known, names }, []);
  const { signal } = new AbortController();

  await expect(counts.find(new Hierarchy(groups), signal)).rejects.toThrow('PuppetDB is away');
  isBroken = false;
  expect((await counts.find(new Hierarchy(groups), signal)).total).toBe(1);
});

test('the API counts the groups that the user may see', async () => {
  const client = await open(undefined, undefined, undefined, fleet(4));
  const id = await create(client, { name: 'Linux', rule: ['=', ['fact', 'kernel'], 'Linux'] });

  const { body, status } = await client.ask('GET', 'member-counts');

  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 4, groups: { [rootId]: 4, [id]: 2 } });
});
