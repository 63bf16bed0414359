import { expect, test } from 'vitest';
import { revertWay } from './revert-way.ts';

interface Case {
  readonly of: string;
  readonly action: string;
  readonly states?: string;
  readonly what?: string;
}

function wayOf({ action, of, states = '', what }: Case) {
  const [service = '', type = ''] = of.split(':');
  return revertWay({
    service,
    object: { type },
    events: [{ action, what: what ?? type }],
    has_before: states.includes('before'),
    has_after: states.includes('after'),
  });
}

test.each([
  [{ of: 'classifier:node_groups', action: 'edit', states: 'before after' }, 'edit'],
  [{ of: 'classifier:node_groups', action: 'create', states: 'after' }, 'delete'],
  [{ of: 'classifier:node_groups', action: 'delete', states: 'before' }, 'create'],
  [{ of: 'rbac:users', action: 'edit', states: 'before after' }, 'edit'],
  [{ of: 'rbac:users', action: 'delete', states: 'before' }, 'none'],
  [{ of: 'rbac:roles', action: 'delete', states: 'before' }, 'create'],
  [{ of: 'rbac:tokens', action: 'create', states: '' }, 'page'],
  [{ of: 'rbac:tokens', action: 'revoke', states: '' }, 'none'],
  [{ of: 'code-manager:environments', action: 'deploy', states: '' }, 'page'],
  [{ of: 'code-manager:environments', action: 'deploy_failed', states: '' }, 'none'],
  [{ of: 'ca:certificates', action: 'sign', states: '' }, 'page'],
  [{ of: 'ca:certificates', action: 'revoke', states: '' }, 'none'],
  [{ of: 'orchestrator:jobs', action: 'start', states: 'after' }, 'none'],
  [{ of: 'something:new', action: 'edit', states: '' }, 'none'],
] as const)('%j: %s', (change, kind) => {
  const way = wayOf(change);

  expect(way.kind).toBe(kind);
  if (way.kind === 'none') expect(way.reason).not.toBe('');
});

test('a log-in has its own reason, although it is of a user', () => {
  expect(wayOf({ of: 'rbac:users', action: 'login', what: 'user' })).toEqual({
    kind: 'none',
    reason: 'A log-in changes nothing.',
  });
});
