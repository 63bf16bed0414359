import { expect, test } from 'vitest';
import { ConfigurationError, readConfiguration } from './read-configuration.ts';

const read = (text: string) => readConfiguration(text, 'r10k.yaml');

test('the smallest configuration has the defaults of r10k', () => {
  const configuration = read(
    "---\nsources:\n  operations:\n    remote: 'https://git/x'\n    basedir: '/etc/puppet/environments'\n",
  );

  expect(configuration).toMatchObject({
    sources: [{ kind: 'git', name: 'operations', prefix: false, invalidBranches: 'correct_and_warn' }],
    deploy: { purgeLevels: ['deployment', 'puppetfile'], excludeSpec: false },
    poolSize: 8,
    forge: { baseurl: 'https://forgeapi.puppetlabs.com', allowPuppetfileOverride: false },
  });
});

test('keys may be symbols, and settings are inherited', () => {
  const { forge, git, sources } = read(`---
:proxy: http://proxy:3128
:git:
  :private_key: /key
  :repositories:
    - :remote: a
      :proxy: ''
    - remote: b
      private_key: /other
:sources:
  :main:
    :remote: a
    :prefix: true
`);

  expect(git.access).toMatchObject({ privateKey: '/key', proxy: 'http://proxy:3128' });
  expect(git.repositories).toMatchObject([
    { remote: 'a', privateKey: '/key', proxy: '' },
    { remote: 'b', privateKey: '/other', proxy: 'http://proxy:3128' },
  ]);
  expect(forge.proxy).toBe('http://proxy:3128');
  expect(sources).toMatchObject([{ name: 'main', prefix: true }]);
});

test('mistakes are told with the file', () => {
  for (const [text, message] of [
    ['sources: [', 'r10k.yaml'],
    ['cachedir: x', 'r10k.yaml: sources'],
    ['sources:\n  a:\n    prefix: x', 'r10k.yaml: sources.a: a git source needs a remote'],
    ['sources:\n  a:\n    type: svn\n    remote: x', 'Subversion is not supported'],
    ['sources:\n  a:\n    remote: x\n    invalid_branches: maybe', 'sources.a.invalid_branches'],
    ['pool_size: 0\nsources: {}', 'pool_size'],
    ['sources: {}\ndeploy:\n  purge_whitelist: [a]\n  purge_allowlist: [b]', 'Values found for both'],
  ] as const) {
    expect(() => read(text), text).toThrow(ConfigurationError);
    expect(() => read(text), text).toThrow(message);
  }
});
