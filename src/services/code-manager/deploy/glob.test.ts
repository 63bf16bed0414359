import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { globExpression } from './glob.ts';

const patterns = [
  'custom.json',
  '*.json',
  '**/*.xpp',
  '**/custom',
  'a/*/c',
  'a/**/c',
  '?b',
  '[ab]c',
  '[!a]c',
  '[^a]c',
  '*',
  '**',
  'a\\*',
  '.*',
  '**/.hidden',
  'a.b+c',
  '[',
  'data/**/x/*',
];
const paths = [
  'custom.json',
  'x/custom.json',
  'a.xpp',
  'd/e/a.xpp',
  'custom',
  'd/custom',
  'a/b/c',
  'a/b/b/c',
  'a/c',
  'ab',
  'ac',
  'bc',
  '.hidden',
  'd/.hidden',
  'a*',
  'axb+c',
  'a.b+c',
  '[',
  'data/x/y',
  'data/p/q/x/y',
];
const program = `require 'json'; p = JSON.parse(STDIN.read); puts JSON.generate(p['patterns'].map { |a| p['paths'].map { |b| File.fnmatch?(a, b, File::FNM_PATHNAME | File::FNM_DOTMATCH) } })`;

test.skipIf(spawnSync('ruby', ['-v']).status !== 0)('matches what Ruby matches', () => {
  const real = spawnSync('ruby', ['-e', program], {
    input: JSON.stringify({ patterns, paths }),
    encoding: 'utf8',
  });

  const ours = patterns.map((pattern) => paths.map((path) => globExpression(pattern).test(path)));

  const differing = patterns.filter(
    (_, index) =>
      JSON.stringify(ours[index]) !== JSON.stringify((JSON.parse(real.stdout) as boolean[][])[index]),
  );
  expect(differing).toEqual([]);
});
