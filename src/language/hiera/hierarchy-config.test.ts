import { describe, expect, test } from 'vitest';
import { PuppetHash } from '../pcore/index.ts';
import { decodeConfig } from './hierarchy-config.ts';

const source = { path: '/env/hiera.yaml', root: '/env', text: '', layer: 'environment' } as const;
const common = PuppetHash.from({ name: 'Common', path: 'common.yaml' });
const namesOf = (config: PuppetHash) => decodeConfig(config, source).hierarchy.map(({ name }) => name);

describe('A key with nothing after it is as good as none', () => {
  test.each([null, false])('defaults: %j', (defaults) => {
    expect(namesOf(PuppetHash.from({ version: 5, defaults, hierarchy: [common] }))).toEqual(['Common']);
  });

  test('hierarchy', () => {
    const none = namesOf(PuppetHash.from({ version: 5 }));

    expect(namesOf(PuppetHash.from({ version: 5, defaults: null, hierarchy: null }))).toEqual(none);
    expect(none).not.toEqual([]);
  });

  test('in version 4', () => {
    expect(namesOf(PuppetHash.from({ version: 4, datadir: null, hierarchy: null }))).toEqual(['common']);
  });
});

test('a list in the place of the defaults is a mistake', () => {
  expect(() => decodeConfig(PuppetHash.from({ version: 5, defaults: [] }), source)).toThrow(
    "The Lookup Configuration at '/env/hiera.yaml' has wrong type, entry 'defaults' expects a Struct value, got Array",
  );
});
