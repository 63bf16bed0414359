import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { Condition } from './condition.ts';
import { rootGroup, rootId } from './group.ts';
import { Hierarchy } from './hierarchy.ts';
import { effectiveClasses, InfrastructureValues } from './infrastructure-classes.ts';

const agent = 'puppet_enterprise::profile::agent';
const repository = 'pe_repo';

test('classes of the installation that manage nothing are not declared, other classes are', () => {
  const classes = {
    puppet_enterprise: { puppet_master_host: 'primary.test' },
    [agent]: {},
    'pe_repo::platform::el_7_x86_64': {},
    'puppet_enterprise::profile::mcollective::peadmin': { unknown: 1 },
    pe_repository: {},
    apache: { port: 80 },
  };

  expect(effectiveClasses(classes)).toEqual({ pe_repository: {}, apache: { port: 80 } });
});

test('a value makes the class of agents count, without what has no effect', () => {
  const brokers = ['lb.test:8142'];

  expect(effectiveClasses({ [agent]: { pcp_broker_list: brokers, pcp_broker_ws_uris: [] } })).toEqual({
    [agent]: { pcp_broker_list: brokers },
  });
  expect(effectiveClasses({ [agent]: {} }, { [agent]: { master_uris: ['lb.test'] } })).toEqual({
    [agent]: {},
  });
  expect(effectiveClasses({ [agent]: { pcp_broker_list: null } })).toEqual({});
});

test('a server reads values of its groups: parameters of classes, then configuration data', () => {
  const groups = {
    current: hierarchyOf({ classes: {}, configData: { [repository]: { master: 'lb1.test' } } }),
  };
  const values = new InfrastructureValues(() => groups.current, { name: 'primary.test', trusted: {} });
  const other = new InfrastructureValues(() => groups.current, { name: 'other.test', trusted: {} });
  const seen = [values.text(repository, 'master'), other.text(repository, 'master')];

  groups.current = hierarchyOf({
    classes: { [repository]: { master: 'lb2.test' }, list: { names: ['One.test', 2] } },
    configData: { [repository]: { master: 'lb1.test' } },
  });
  seen.push(values.text(repository, 'master'));

  expect(seen).toEqual(['lb1.test', '', 'lb2.test']);
  expect(values.lists('list', 'names', 'one.test')).toBe(true);
  expect([values.lists('list', 'names', '2'), values.lists('list', 'absent', 'undefined')]).toEqual([
    false,
    false,
  ]);
});

test('a server without groups has no values', () => {
  const values = new InfrastructureValues(() => undefined, { name: 'primary.test', trusted: {} });

  expect(values.find(repository, 'master')).toBeUndefined();
});

/** With a group that the primary is pinned to. */
function hierarchyOf(
  given: Readonly<Record<'classes' | 'configData', Readonly<Record<string, JsonObject>>>>,
): Hierarchy {
  const root = rootGroup(new Date(0));
  const rule: Condition = ['or', ['=', 'name', 'primary.test']];
  const own = {
    ...root,
    ...given,
    id: '11111111-1111-4111-8111-111111111111',
    name: 'Own',
    parent: rootId,
    rule,
  };
  return new Hierarchy([root, own]);
}
