import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SourceConfiguration } from '../configuration/configuration.ts';
import { findWebhookKind, webhookNames } from './kinds.ts';
import { isProved } from './proof.ts';
import type { WebhookHeaders } from './push.ts';
import { pushedEnvironments } from './pushed-environments.ts';

const decode = (type: string, body: unknown, headers: WebhookHeaders = {}) =>
  findWebhookKind(type)?.decode(body, headers);

test('GitHub tells of branches, deleted ones too, and of much that does not concern us', () => {
  const repository = { clone_url: 'https://github.com/o/r.git', ssh_url: 'git@github.com:o/r.git', id: 1 };

  expect(decode('github', { ref: 'refs/heads/feature/x', repository }, { 'x-github-event': 'push' })).toEqual(
    {
      branches: ['feature/x'],
      remotes: ['https://github.com/o/r.git', 'git@github.com:o/r.git'],
    },
  );
  expect(decode('github', { ref: 'refs/heads/old', deleted: true, after: '0'.repeat(40) })?.branches).toEqual(
    ['old'],
  );
  expect(decode('github', { ref: 'refs/tags/v1' }, { 'x-github-event': 'push' })).toBeUndefined();
  expect(decode('github', { zen: 'x' }, { 'x-github-event': 'ping' })).toBeUndefined();
  expect(() => decode('github', { reference: 1 })).toThrow();
});

test('GitLab, Gitea, Bitbucket and Azure DevOps tell the same in their ways', () => {
  expect(
    decode('gitlab', {
      object_kind: 'push',
      ref: 'refs/heads/main',
      project: { git_http_url: 'http://g/o/r.git', git_ssh_url: 'git@g:o/r.git' },
    }),
  ).toEqual({ branches: ['main'], remotes: ['http://g/o/r.git', 'git@g:o/r.git'] });
  expect(decode('gitlab', { object_kind: 'tag_push', ref: 'refs/tags/v1' })).toBeUndefined();
  expect(decode('gitlab', { object_kind: 'merge_request' })).toBeUndefined();
  expect(decode('gitea', { ref: 'refs/heads/main' }, { 'x-gitea-event': 'push' })?.branches).toEqual([
    'main',
  ]);
  expect(
    decode('bitbucket', {
      push: {
        changes: [
          { new: { type: 'branch', name: 'main' }, old: { type: 'branch', name: 'main' } },
          { new: null, old: { type: 'branch', name: 'gone' } },
          { new: { type: 'tag', name: 'v1' }, old: null },
        ],
      },
      repository: { links: { html: { href: 'https://bitbucket.org/o/r' } } },
    }),
  ).toEqual({ branches: ['main', 'gone'], remotes: ['https://bitbucket.org/o/r'] });
  expect(
    decode('bitbucket-server', {
      eventKey: 'repo:refs_changed',
      changes: [
        {
          ref: { id: 'refs/heads/main', displayId: 'main', type: 'BRANCH' },
          refId: 'refs/heads/main',
          type: 'UPDATE',
        },
      ],
    })?.branches,
  ).toEqual(['main']);
  expect(decode('stash', { refChanges: [{ refId: 'refs/heads/main' }] })?.branches).toEqual(['main']);
  expect(decode('bitbucket-server', { test: true })).toBeUndefined();
  expect(
    decode('tfs-git', {
      eventType: 'git.push',
      resource: {
        refUpdates: [{ name: 'refs/heads/main', oldObjectId: 'a', newObjectId: 'b' }],
        repository: { remoteUrl: 'https://dev.azure.com/o/p/_git/r' },
      },
    }),
  ).toEqual({ branches: ['main'], remotes: ['https://dev.azure.com/o/p/_git/r'] });
});

test('types that are not known are told', () => {
  expect(findWebhookKind('githubby')).toBeUndefined();
  expect(webhookNames()).toContain('github gitlab');
});

test('signatures, secrets and passwords are checked', () => {
  const body = Buffer.from('{"ref":"refs/heads/main"}');
  const hex = createHmac('sha256', 'secret').update(body).digest('hex');
  const proved = (type: string, headers: WebhookHeaders) => {
    const kind = findWebhookKind(type);
    return kind === undefined ? undefined : isProved(kind.proof, headers, body, 'secret');
  };

  expect(proved('github', { 'x-hub-signature-256': `sha256=${hex}` })).toBe(true);
  expect(proved('github', { 'x-hub-signature-256': `sha256=${hex.replace(/.$/, 'x')}` })).toBe(false);
  expect(proved('github', { 'x-hub-signature-256': '' })).toBe(false);
  expect(proved('github', { 'x-hub-signature': `sha1=${hex}` })).toBeUndefined();
  expect(proved('gitea', { 'x-gitea-signature': hex })).toBe(true);
  expect(proved('bitbucket', { 'x-hub-signature': `sha256=${hex}` })).toBe(true);
  expect(proved('gitlab', { 'x-gitlab-token': 'secret' })).toBe(true);
  expect(proved('gitlab', { 'x-gitlab-token': 'secret2' })).toBe(false);
  expect(proved('tfs-git', { authorization: `Basic ${Buffer.from('u:secret').toString('base64')}` })).toBe(
    true,
  );
  expect(proved('tfs-git', { authorization: `Basic ${Buffer.from('u:no').toString('base64')}` })).toBe(false);
  expect(proved('tfs-git', {})).toBeUndefined();
});

function source(name: string, remote: string, prefix: boolean | string): SourceConfiguration {
  return {
    kind: 'git',
    name,
    remote,
    prefix,
    basedir: undefined,
    stripComponent: undefined,
    puppetfileName: 'Puppetfile',
    invalidBranches: 'correct_and_warn',
    ignoreBranchPrefixes: [],
    filterCommand: undefined,
  };
}

test('a push is of the environments of the sources with that repository', () => {
  const sources = [
    source('main', 'git@git.example.com:ops/control.git', false),
    source('qa', 'https://git.example.com/qa/control', true),
  ];
  const push = { branches: ['feature/x'], remotes: ['https://git.example.com/ops/control.git'] };

  expect(pushedEnvironments(push, sources, undefined)).toEqual(['feature_x']);
  expect(
    pushedEnvironments(
      { ...push, remotes: ['ssh://git@git.example.com:7999/qa/control.git'] },
      sources,
      undefined,
    ),
  ).toEqual(['qa_feature_x']);
  expect(pushedEnvironments({ ...push, remotes: [] }, sources, undefined)).toEqual(['feature_x']);
  expect(pushedEnvironments(push, sources, 'qa')).toEqual(['qa_feature_x']);
  expect(pushedEnvironments(push, sources, 'dev')).toEqual(['dev_feature_x']);
});
