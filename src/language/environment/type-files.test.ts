import { describe, expect, it } from 'vitest';
import { MemoryFileTree } from './memory-file-tree.ts';
import { TypeFiles } from './type-files.ts';

const files: Readonly<Record<string, string>> = {
  '/a/lib/puppet/type/first.rb': `
require 'puppet_x/a/helper'
require_relative '../../puppet_x/a/near'
require 'json'
FIRST_LEVELS = %w[x y].freeze
Puppet::Type.newtype(:first) do
end
Puppet::Type.newtype 'second' do
end
Puppet::ResourceApi.register_type(
  name: 'third',
)
`,
  '/a/lib/puppet_x/a/helper.rb':
    "require 'puppet_x/b/other'\nmodule PuppetX::A\n  class Helper\n  end\nend\n",
  '/a/lib/puppet_x/a/near.rb': 'module PuppetX\n  module Near\n    LIMIT=3\n  end\nend\n',
  '/a/lib/puppet_x/a/unused.rb': 'module PuppetX::Unused\nend\n',
  '/a/lib/puppet/provider/first/one.rb': 'module PuppetX::Provided\nend\n',
  '/b/lib/puppet/type/first.rb': 'HIDDEN = 1\n',
  '/b/lib/puppet/type/last.rb':
    "require 'puppet_x/b/other.rb'\nPuppet::Type.newtype(:second) { value == 3 }\n",
  '/b/lib/puppet_x/b/other.rb': "require 'puppet_x/a/helper'\nmodule PuppetX::Other\nend\n",
};
const typeFiles = new TypeFiles(() => ['/a/lib', '/b/lib'], new MemoryFileTree(files));

describe('files of types', () => {
  it.each([
    ['second', '/a/lib/puppet/type/first.rb'],
    ['third', '/a/lib/puppet/type/first.rb'],
    ['first', undefined],
    ['last', undefined],
  ])('that define %s, too: %s', (name, file) => {
    expect(typeFiles.findFurther(name)).toBe(file);
  });

  it.each([
    ['FIRST_LEVELS', ['first']],
    ['Helper', ['first', 'last']],
    ['LIMIT', ['first']],
    ['Provided', ['first']],
    ['Other', ['first', 'last']],
    ['Unused', []],
    ['HIDDEN', []],
  ])('which define the constant %s are those of %j', (constant, types) => {
    expect(typeFiles.typesDefining(constant).toSorted()).toEqual(types);
  });
});
