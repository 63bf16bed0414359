import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isLegacyFact } from './legacy-facts.ts';

interface Recorded {
  readonly names: readonly string[];
  readonly patterns: readonly string[];
}

test('legacy facts are those that OpenFact has as such', () => {
  const file = new URL('../../../test/recorded/fleet/openvox8/legacy-facts.json', import.meta.url);
  const { names, patterns } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
  const examples = patterns.map((pattern) =>
    pattern
      .replace('.*', 'eth0')
      .replace(/\\d\+/, '3')
      .replace(/\(\?:(\w+)\|.*\)/, '$1'),
  );

  expect([...names, ...examples].filter((name) => !isLegacyFact(name))).toEqual([]);
  expect(['os', 'networking', 'kernel', 'facterversion', 'my_fact'].filter(isLegacyFact)).toEqual([]);
});
