import { expect, test } from 'vitest';
import type { Session } from '../api/session.ts';
import { visibleSections } from './navigation.ts';

function session(features: readonly string[], ...permissions: readonly string[]): Session {
  return {
    user: { id: '1', login: 'ann', display_name: 'Ann', is_superuser: false },
    permissions: permissions.map((each) => {
      const [objectType = '', action = ''] = each.split(':');
      return { object_type: objectType, action, instance: '*' };
    }),
    begun: null,
    ends: null,
    features,
    version: '1',
  };
}

const placesOf = (who: Session) =>
  visibleSections(who).flatMap(({ places }) => places.map(({ title }) => title));

test.each([
  ['nodes:view_data', ['Overview', 'Nodes', 'Events', 'Reports', 'Facts', 'Packages', 'Query', 'Activity']],
  ['orchestrator:view', ['Jobs', 'Tasks', 'Plans', 'Schedules', 'Live Management', 'Activity']],
  ['node_groups:view', ['Classification', 'Activity']],
  ['certificates:revoke', ['Certificates']],
  ['puppet_agent:run', []],
])('who has %s alone sees %j', (permission, places) => {
  expect(placesOf(session(['classifier', 'orchestrator'], permission))).toEqual(places);
});

test('pages of services that are not installed are hidden from everyone', () => {
  expect(placesOf(session([], 'orchestrator:view', 'node_groups:view'))).toEqual(['Activity']);
});

test('each page has a key of its own', () => {
  const all = {
    ...session(['classifier', 'orchestrator']),
    user: { ...session([]).user, is_superuser: true },
  };
  const keys = visibleSections(all).flatMap(({ places }) => places.map(({ key }) => key));

  expect(new Set(keys).size).toBe(keys.length);
});
