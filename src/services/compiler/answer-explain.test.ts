import { expect, test } from 'vitest';
import { type SnippetOptions, snippetRequest } from '../../../test/support/compile-snippet.ts';
import { refuseOutside } from '../../../test/support/outside.ts';
import type { ExplainQuestion } from '../../language/evaluator/index.ts';
import { answerExplain } from './answer-explain.ts';

const hierarchy = `---
version: 5
hierarchy:
  - name: "Node"
    path: "nodes/%{trusted.certname}.yaml"
  - name: "System"
    path: "%{facts.kernel}.yaml"
  - name: "Common"
    path: "common.yaml"
  - name: "Secrets"
    path: "secrets.eyaml"
    lookup_key: eyaml_lookup_key
`;

const options: SnippetOptions = {
  files: {
    'hiera.yaml': hierarchy,
    'data/Linux.yaml': "---\ndomain: test\nntp::servers: ['a']\n",
    'data/common.yaml':
      "---\nlookup_options:\n  ntp::all: {merge: unique}\nntp::servers: ['b']\nntp::all: ['c']\nwith: \"%{lookup('token')}\"\n",
    'data/secrets.eyaml': '---\ntoken: ENC[PKCS7,abcd]\nplain: open\n',
  },
  modules: {
    'ntp/manifests/init.pp':
      'class ntp(Array $servers, Integer $port = 123, $all = [], $given = 1) {\n  include ntp::config\n}',
    'ntp/manifests/config.pp': "class ntp::config {\n  file { '/etc/ntp.conf': }\n}",
    'base/manifests/init.pp': "class base {\n  class { 'ntp':\n    given => 2,\n  }\n}",
  },
  request: {
    node: { classes: { base: {} }, parameters: {}, configData: { ntp: { all: ['g'] } } },
    termini: {
      outside: refuseOutside,
      eyaml: { decrypt: () => new TextEncoder().encode('geheim') },
    },
  },
};

function ask(question: ExplainQuestion) {
  return answerExplain({ log: () => {}, ...snippetRequest('', options) }, question);
}

test('a key is looked up level by level, with the file and line that has it', () => {
  const answer = ask({ kind: 'lookup', key: 'ntp::servers' });

  expect(answer).toMatchObject({ lookup: { value: { kind: 'shown', value: ['a'] } } });
  const levels = answer.kind === 'lookup' ? answer.lookup.levels : [];
  expect(levels.map(({ entry, place, result }) => [entry, result, place?.file, place?.line])).toEqual([
    ['Classifier Configuration Data', 'not-found', undefined, undefined],
    ['Node', 'no-file', 'data/nodes/a.example.net.yaml', undefined],
    ['System', 'found', 'data/Linux.yaml', 3],
  ]);
});

test('a merged value names its strategy and all contributing levels', () => {
  const answer = ask({ kind: 'lookup', key: 'ntp::all' });

  expect(answer).toMatchObject({
    lookup: { merge: 'unique', isMergeFromData: true, value: { kind: 'shown', value: ['g', 'c'] } },
  });
  const found =
    answer.kind === 'lookup' ? answer.lookup.levels.filter(({ result }) => result === 'found') : [];
  expect(found.map(({ entry, place }) => [entry, place?.line])).toEqual([
    ['Classifier Configuration Data', undefined],
    ['Common', 5],
  ]);
});

test.each(['token', 'with'])('the encrypted value of %s is not shown', (key) => {
  const answer = ask({ kind: 'lookup', key });

  expect(answer).toMatchObject({ lookup: { value: { kind: 'hidden' } } });
  expect(JSON.stringify(answer)).not.toContain('geheim');
});

test('defaults that take their value from data or from a secret parameter are hidden', () => {
  const secret: SnippetOptions = {
    ...options,
    modules: {
      'safe/manifests/init.pp':
        'class safe($key = lookup(\'token\'), $copy = "<${key}>", $port = 1, $pass = undef) { }',
    },
    files: { ...options.files, 'data/common.yaml': '---\nsafe::pass: "%{lookup(\'token\')}"\n' },
    request: { ...options.request, node: { classes: { safe: {} }, parameters: {} } },
  };
  const request = { log: () => {}, ...snippetRequest('', secret) };

  const answer = answerExplain(request, { kind: 'resource', type: 'Class', title: 'Safe' });

  expect(JSON.stringify(answer)).not.toContain('geheim');
  const parameters = answer.kind === 'resource' ? answer.parameters : [];
  expect(parameters.map(({ name, value }) => [name, value?.kind])).toEqual([
    ['key', 'hidden'],
    ['copy', 'hidden'],
    ['port', 'shown'],
    ['pass', 'hidden'],
  ]);
});

test('a key without a value says so', () => {
  const answer = ask({ kind: 'lookup', key: 'nothing' });

  expect(answer).toMatchObject({
    lookup: { value: undefined, failure: "Function lookup() did not find a value for the name 'nothing'" },
  });
});

test.each([
  ['servers', 'data', undefined],
  ['port', 'default', 'modules/ntp/manifests/init.pp'],
  ['given', 'code', 'modules/base/manifests/init.pp'],
])('the parameter %s comes from %s', (parameter, source, file) => {
  const answer = ask({ kind: 'parameter', className: 'ntp', parameter });

  expect(answer).toMatchObject({ parameter: { name: parameter, source } });
  const place = answer.kind === 'parameter' ? answer.parameter?.place : undefined;
  expect(place?.file).toBe(file);
});

test('a resource says what declares it, outwards to the class of a group', () => {
  const answer = ask({ kind: 'resource', type: 'File', title: '/etc/ntp.conf' });

  const steps = answer.kind === 'resource' ? (answer.steps ?? []) : [];
  expect(steps.map(({ how, place, reference }) => [reference, how, place?.file, place?.line])).toEqual([
    ['File[/etc/ntp.conf]', 'code', 'modules/ntp/manifests/config.pp', 2],
    ['Class[Ntp::Config]', 'code', 'modules/ntp/manifests/init.pp', 2],
    ['Class[Ntp]', 'code', 'modules/base/manifests/init.pp', 2],
    ['Class[Base]', 'group', undefined, undefined],
    ['Class[main]', 'main', undefined, undefined],
  ]);
});
