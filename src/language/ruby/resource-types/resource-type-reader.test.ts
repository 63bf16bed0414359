import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prismFiles, RubyParser, type RubyProgram } from '../../../lib/ruby-syntax/index.ts';
import type { Libraries } from './library-files.ts';
import { ResourceTypeReader } from './resource-type-reader.ts';

class CountingParser extends RubyParser {
  count = 0;

  override parse(text: string): RubyProgram {
    this.count += 1;
    return super.parse(text);
  }
}

function librariesWith(root: string, files: Readonly<Record<string, string>>): Libraries {
  const textOf = (path: string): string | undefined => files[path.slice(root.length + 1)];
  return {
    directories: [root],
    puppetVersion: '7.23.0',
    tree: {
      readText: textOf,
      kind: (path) => (textOf(path) === undefined ? undefined : 'file'),
      list: () => [],
    },
  };
}

const files = {
  'puppet/type/x.rb': "require 'puppet_x/names'\nPuppet::Type.newtype(:x) { NAMES.each { |n| newparam(n) } }",
  'puppet_x/names.rb': 'NAMES = %i[name size]',
};

test('a type is read again only when one of its files differs', () => {
  const parser = new CountingParser(prismFiles());
  const reader = new ResourceTypeReader({ parser });
  const readAt = (root: string, changes: Readonly<Record<string, string>> = {}) =>
    reader.read('x', `${root}/puppet/type/x.rb`, librariesWith(root, { ...files, ...changes }));

  const first = readAt('/a/lib');
  const elsewhere = readAt('/b/lib');
  expect(elsewhere).toBe(first);
  expect(parser.count).toBe(2);

  const changed = readAt('/b/lib', { 'puppet_x/names.rb': 'NAMES = %i[name]' });
  expect(changed).toMatchObject({ kind: 'type', type: { parameters: new Set(['name']) } });
  expect(readAt('/c/lib')).toBe(first);
  expect(parser.count).toBe(4);
});

test('whatever the file, it is a type, flagged, or nothing', () => {
  const reader = new ResourceTypeReader({ parser: new RubyParser(prismFiles()) });
  const text =
    'newparam newproperty :a "b" ( ) do end { } |x| x self .each [ ] if @y = def self.f return next , lambda << + /r/ A ::';
  const words = fc.constantFrom(...text.split(' '), '\n', '%w[a b]');
  fc.assert(
    fc.property(fc.array(words, { maxLength: 25 }), (body) => {
      const source = `Puppet::Type.newtype(:x) do\n${body.join(' ')}\nend`;
      const result = reader.read(
        'x',
        '/m/lib/puppet/type/x.rb',
        librariesWith('/m/lib', { 'puppet/type/x.rb': source }),
      );
      expect(['type', 'flagged', 'none']).toContain(result.kind);
    }),
    { numRuns: 500 },
  );
});
