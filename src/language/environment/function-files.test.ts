import { describe, expect, test } from 'vitest';
import { Environment } from './environment.ts';
import { defaultLanguageSettings } from './environment-settings.ts';
import { MemoryFileTree } from './memory-file-tree.ts';
import type { Module } from './module.ts';
import { ParseCache } from './parse-cache.ts';

const metadata = (...dependencies: readonly string[]): string =>
  JSON.stringify({
    name: 'example-m',
    version: '1.0.0',
    source: '',
    author: '',
    license: '',
    dependencies: dependencies.map((name) => ({ name })),
  });

/** `of` gives the answer of a caller in a module, or in the environment. */
function functions(files: Readonly<Record<string, string>>) {
  const environment = new Environment(
    {
      name: 'production',
      directory: '/env',
      modulepath: ['/env/modules', '/global'],
      manifest: '/env/manifests',
      settings: defaultLanguageSettings,
      configVersion: 0,
      codeId: null,
    },
    new MemoryFileTree(files),
    new ParseCache(),
  );
  const module = (name: string | undefined): Module | undefined =>
    name === undefined ? undefined : environment.modules.get(name);
  return {
    of: (name: string, user?: string) => {
      const ruby = environment.rubyFunctionFile(name, module(user))?.path;
      const puppet = environment.findFunction(name, module(user))?.program.source.file;
      return [ruby, puppet].filter((path) => path !== undefined);
    },
  };
}

describe('several functions of one name', () => {
  const found = functions({
    '/env/modules/a/lib/puppet/functions/f.rb': '',
    '/env/modules/b/metadata.json': metadata('example-d', 'example/c'),
    '/env/modules/c/lib/puppet/functions/f.rb': '',
    '/env/modules/c/lib/puppet/parser/functions/f.rb': '',
    '/env/modules/d/lib/puppet/parser/functions/f.rb': '',
    '/env/modules/e/lib/puppet/functions/other.rb': '',
  });

  test('the environment gets that of the first module', () => {
    expect(found.of('f')).toEqual(['/env/modules/a/lib/puppet/functions/f.rb']);
  });

  test('a module gets its own, the newer kind first', () => {
    expect(found.of('f', 'c')).toEqual(['/env/modules/c/lib/puppet/functions/f.rb']);
    expect(found.of('f', 'd')).toEqual(['/env/modules/d/lib/puppet/parser/functions/f.rb']);
  });

  test('a module without one gets that of its first dependency', () => {
    expect(found.of('f', 'b')).toEqual(['/env/modules/d/lib/puppet/parser/functions/f.rb']);
  });

  test('a module that says nothing of dependencies gets that of the first module', () => {
    expect(found.of('f', 'e')).toEqual(['/env/modules/a/lib/puppet/functions/f.rb']);
  });

  test('other modules are seen, too', () => {
    expect(found.of('other', 'b')).toEqual(['/env/modules/e/lib/puppet/functions/other.rb']);
  });
});

test('the function of the environment goes before those of modules', () => {
  const found = functions({
    '/env/functions/f.pp': 'function f() { 1 }',
    '/env/modules/a/lib/puppet/functions/f.rb': '',
  });

  expect(found.of('f', 'a')).toEqual(['/env/functions/f.pp']);
});

test('a module has one function of a qualified name: in Ruby of the newer kind, else in the Puppet language', () => {
  const found = functions({
    '/env/modules/a/functions/f.pp': 'function a::f() { 1 }',
    '/env/modules/a/functions/g.pp': 'function a::g() { 1 }',
    '/env/modules/a/lib/puppet/functions/a/f.rb': '',
    '/env/modules/a/lib/puppet/parser/functions/a/g.rb': '',
  });

  expect(found.of('a::f')).toEqual(['/env/modules/a/lib/puppet/functions/a/f.rb']);
  expect(found.of('a::g')).toEqual(['/env/modules/a/functions/g.pp']);
});

test('a file that defines several functions of the older kind is the file of each, qualified names included', () => {
  const file = '/env/modules/a/lib/puppet/parser/functions/f.rb';
  const found = functions({ [file]: "newfunction(:'a::g', type: :rvalue) {}\nnewfunction(:f) {}" });

  expect(found.of('a::g')).toEqual([file]);
  expect(found.of('a')).toEqual([]);
});

// As the autoloader of Puppet 7.23 finds them: it takes every lib directory below the modulepath.
test('a module that is hidden by another of its name still has its functions of the older kind', () => {
  const hidden = '/global/stdlib/lib/puppet/parser/functions';
  const found = functions({
    '/env/modules/stdlib/lib/puppet/parser/functions/f.rb': 'newfunction(:f) {}',
    [`${hidden}/f.rb`]: 'newfunction(:f) {}',
    [`${hidden}/g.rb`]: 'newfunction(:g) {}',
    '/global/stdlib/lib/puppet/functions/h.rb': '',
    '/global/stdlib/functions/i.pp': 'function stdlib::i() { 1 }',
    '/global/stdlib-8.0/lib/puppet/parser/functions/j.rb': 'newfunction(:j) {}',
  });

  expect(found.of('f')).toEqual(['/env/modules/stdlib/lib/puppet/parser/functions/f.rb']);
  expect(found.of('g')).toEqual([`${hidden}/g.rb`]);
  expect(found.of('h')).toEqual([]);
  expect(found.of('stdlib::i')).toEqual([]);
  expect(found.of('j')).toEqual(['/global/stdlib-8.0/lib/puppet/parser/functions/j.rb']);
});
