import { expect, test } from 'vitest';
import type { Explained, ExplainedLookup } from '../../../language/evaluator/index.ts';
import { explain } from './explain.ts';
import type { ExplainSource } from './explain-source.ts';
import { ExplainAnswerWire, ExplainQueryWire } from './wire.ts';

const { signal } = new AbortController();
const codeId = 'urn:puppet:code-id:1:abc;production';

const lookup: ExplainedLookup = {
  key: 'ntp::servers',
  value: { kind: 'shown', value: ['a'] },
  failure: undefined,
  merge: undefined,
  isMergeFromData: false,
  remarks: [],
  levels: [
    {
      layer: 'global',
      config: undefined,
      entry: 'Classifier Configuration Data',
      place: undefined,
      original: undefined,
      result: 'found',
      value: { kind: 'shown', value: ['a'] },
      uses: [],
    },
    {
      layer: 'environment',
      config: { path: '/code/hiera.yaml', file: 'hiera.yaml', line: undefined },
      entry: 'Common',
      place: { path: '/code/data/common.yaml', file: 'data/common.yaml', line: 3 },
      original: 'common.yaml',
      result: 'found',
      value: { kind: 'hidden' },
      uses: ["lookup('x')"],
    },
  ],
};

function answering(explained: Explained, asked: unknown[] = []): ExplainSource {
  return {
    commitOf: () => 'abc',
    async ask(...question) {
      asked.push(question[2]);
      return { explained, environment: 'production', codeId, problem: undefined };
    },
    givingGroups: async (_, given) => [{ id: '1', name: `Group with ${given.kind}` }],
  };
}

const query = { certname: 'a.test' };

test('data of a group is named by the group, and the first level that has the key decides', async () => {
  const answer = await explain(
    answering({ kind: 'lookup', lookup }),
    { ...query, lookup: 'ntp::servers' },
    signal,
  );

  expect(ExplainAnswerWire.parse(answer)).toEqual(answer);
  expect(answer).toMatchObject({ commit: 'abc', source: 'data', value: { is_hidden: false, value: ['a'] } });
  expect(answer.steps.map(({ is_decisive, kind, name }) => [kind, name, is_decisive])).toEqual([
    ['group', 'Group with data', true],
    ['level', 'Common', false],
  ]);
  expect(answer.steps[1]?.value).toEqual({ is_hidden: true });
});

test('a parameter of a group decides before data', async () => {
  const parameter = {
    name: 'servers',
    source: 'group' as const,
    value: { kind: 'shown' as const, value: ['g'] },
    place: undefined,
    type: 'Array',
    defaultText: '[]',
    lookup,
  };
  const asked: unknown[] = [];

  const answer = await explain(
    answering({ kind: 'parameter', parameter, lookup }, asked),
    { ...query, parameter: '::ntp::servers' },
    signal,
  );

  expect(asked).toEqual([{ kind: 'parameter', className: 'ntp', parameter: 'servers' }]);
  expect(answer.steps.filter(({ is_decisive }) => is_decisive).map(({ name }) => name)).toEqual([
    'Group with parameter',
  ]);
  expect(answer.steps.at(-1)).toMatchObject({ kind: 'default', name: '[]', is_decisive: false });
});

test('a resource leads outwards to the group that gives its class', async () => {
  const step = { place: undefined, definition: undefined };
  const steps = [
    {
      ...step,
      reference: 'File[/a]',
      how: 'code' as const,
      place: { path: '/m.pp', file: undefined, line: 2 },
    },
    { ...step, reference: 'Class[Ntp]', how: 'group' as const },
  ];

  const answer = await explain(
    answering({ kind: 'resource', steps, parameters: [] }),
    { ...query, resource: 'File[/a]' },
    signal,
  );

  expect(answer.steps.map(({ group, name, place }) => [name, group, place?.line])).toEqual([
    ['File[/a]', null, 2],
    ['Class[Ntp]', null, undefined],
    ['Group with class', '1', undefined],
  ]);
});

test('errors name a malformed or unknown subject', async () => {
  const nothing = answering({ kind: 'resource', steps: undefined, parameters: [] });

  await expect(explain(nothing, { ...query, parameter: 'Ntp' }, signal)).rejects.toThrow(
    '"Ntp" is not the name',
  );
  await expect(explain(nothing, { ...query, resource: 'file' }, signal)).rejects.toThrow(
    '"file" is not the reference',
  );
  await expect(explain(nothing, { ...query, resource: 'File[/b]' }, signal)).rejects.toThrow(
    'The catalog does not have File[/b]',
  );
  expect(() => ExplainQueryWire.parse({ ...query, lookup: 'a', resource: 'File[/a]' })).toThrow(
    'exactly one',
  );
});
