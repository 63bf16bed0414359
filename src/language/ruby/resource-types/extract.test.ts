import { describe, expect, test } from 'vitest';
import { prismFiles, RubyParser } from '../../../lib/ruby-syntax/index.ts';
import type { ResourceTypeInfo } from '../../catalog/index.ts';
import type { SourceTree } from './library-files.ts';
import { ResourceTypeReader } from './resource-type-reader.ts';

const parser = new RubyParser(prismFiles());

/** Files of a module's `lib` directory. */
function read(files: Readonly<Record<string, string>>, name = 'x') {
  const tree: SourceTree = {
    readText: (path) => files[path.replace(/^\/m\/lib\//, '')],
    kind: (path) => (files[path.replace(/^\/m\/lib\//, '')] === undefined ? undefined : 'file'),
    list: (path) =>
      Object.keys(files)
        .map((file) => `/m/lib/${file}`)
        .filter((file) => file.startsWith(`${path}/`))
        .map((file) => ({ name: file.slice(path.length + 1), kind: 'file' as const })),
  };
  const libraries = { tree, directories: ['/m/lib'], puppetVersion: '7.23.0' };
  return new ResourceTypeReader({ parser }).read(name, `/m/lib/puppet/type/${name}.rb`, libraries);
}

function typeOf(body: string, files: Readonly<Record<string, string>> = {}): ResourceTypeInfo {
  const result = read({ 'puppet/type/x.rb': body, ...files });
  if (result.kind !== 'type') throw new Error(JSON.stringify(result));
  return result.type;
}

function reasonFor(body: string, files: Readonly<Record<string, string>> = {}): string {
  const result = read({ 'puppet/type/x.rb': body, ...files });
  return result.kind === 'flagged' ? result.reason : result.kind;
}

const newtype = (body: string): string => `Puppet::Type.newtype(:x) do\n${body}\nend`;

describe('attributes', () => {
  test('are what newparam, newproperty and ensurable say, ensure first', () => {
    const type = typeOf(
      newtype(`
        @doc = 'A thing'
        newparam(:name, namevar: true) { desc 'n'; validate { |v| raise 'no' if v == '' } }
        newproperty(:Size, :array_matching => :all) { munge { |v| v.to_i } }
        ensurable { defaultvalues; defaultto :present }
        autorequire(:file) { self[:path] }
        def retrieve; super; end
      `),
    );

    expect([...type.properties]).toEqual(['ensure', 'size']);
    expect([...type.parameters]).toEqual(['name']);
    expect(type.namevars).toEqual(['name']);
    expect(type.titlePatterns).toEqual([{ source: '(.*)', multiline: true, attributes: ['name'] }]);
    expect(type.isIsomorphic).toBe(true);
  });

  test('come from loops over constants, ranges and hashes', () => {
    const type = typeOf(
      `NAMES = %w[a b].freeze\n${newtype(`
        newparam(:name)
        NAMES.each { |n| newproperty("p_#{n}".to_sym) }
        { c: 1, d: 2 }.each do |key, _value| newparam(key) end
        (1..2).each { |i| newparam(:"q#{i}") }
        %i[e f].map(&:to_s).each_with_index { |n, i| newproperty("#{n}#{i}") }
      `)}`,
    );

    expect([...type.properties]).toEqual(['p_a', 'p_b', 'e0', 'f1']);
    expect([...type.parameters]).toEqual(['name', 'c', 'd', 'q1', 'q2']);
  });

  test('come from mixins and from methods of the type', () => {
    const type = typeOf(
      `require 'puppet_x/mixin'\n${newtype(`
        include PuppetX::Mixin
        def self.newcheck(name, options = {}, &block)
          @checks ||= {}
          @checks[name] = newparam(name, options, &block)
        end
        newcheck(:unless) { def check(value); end }
      `)}`,
      {
        'puppet_x/mixin.rb':
          'module PuppetX; module Mixin; def self.included(base); base.newparam(:id) { isnamevar }; end; end; end',
      },
    );

    expect([...type.parameters]).toEqual(['id', 'unless']);
    expect(type.namevars).toEqual(['id']);
  });

  test('exists?, create and destroy make a type ensurable, unless they are private', () => {
    const methods = 'def exists?; end; def create; end; def destroy; end';

    expect(typeOf(newtype(`newparam(:name)\n${methods}`)).properties.has('ensure')).toBe(true);
    expect(typeOf(newtype(`newparam(:name)\nprivate\n${methods}`)).properties.has('ensure')).toBe(false);
  });

  test.each([
    ['a provider', 'Puppet::Type.type(:x).provide(:ruby) do\nend', true],
    ['a base class alone', 'class Puppet::Provider::X < Puppet::Provider; end', false],
    ['a provider of another type', 'Puppet::Type.type(:y).provide(:ruby) { }', false],
  ])('%s decides about the parameter provider', (_what, provider, expected) => {
    const type = typeOf(newtype('newparam(:name)'), { 'puppet/provider/x/ruby.rb': provider });

    expect(type.parameters.has('provider')).toBe(expected);
  });
});

describe('identity', () => {
  test('isnamevar counts for parameters, not for properties', () => {
    const type = typeOf(
      newtype(`
        newparam(:a) { isnamevar }
        newproperty(:b) { isnamevar }
        newparam(:name)
        def self.title_patterns
          separator = Regexp.new(':')
          result = [[/^([^:]+)$/, [[:name]]]]
          result << [%r{\\A(.+)#{separator}(.+)\\z}i, [[:a, lambda { |v| v }], [:name, proc { |v| v.downcase }]]]
          result
        end
      `),
    );

    expect(type.namevars).toEqual(['a', 'name']);
    expect(type.titlePatterns).toMatchObject([
      { source: '^([^:]+)$', multiline: false, attributes: ['name'] },
      { source: '\\A(.+)(?-mix::)(.+)\\z', ignoreCase: true, attributes: ['a', 'name'] },
    ]);
    expect(type.titlePatterns[1]?.conversions?.map((convert) => convert?.('Ab'))).toEqual([undefined, 'ab']);
  });

  test('several namevars without patterns leave no valid title', () => {
    expect(typeOf(newtype('newparam(:name); newparam(:b, namevar: true)')).titlePatterns).toEqual([]);
  });

  test.each(['@isomorphic = false', 'def self.isomorphic?\n false\nend'])('%s', (line) => {
    expect(typeOf(newtype(`newparam(:name)\n${line}`)).isIsomorphic).toBe(false);
  });
});

describe('the Resource API', () => {
  const definition = `
    Puppet::ResourceApi.register_type(
      name: 'x', docs: 'd', features: ['remote_resource'],
      title_patterns: [{ pattern: %r{^(?<package>.*)/(?<manager>.*)$}, desc: 'both' }],
      attributes: {
        ensure: { type: 'Enum[present, absent]', desc: 'e' },
        package: { type: 'String', desc: 'p', behaviour: :namevar },
        manager: { type: 'String', desc: 'm', behavior: :namevar },
        id: { type: 'String', desc: 'i', behaviour: :read_only },
        force: { type: 'Boolean', desc: 'f', behaviour: :parameter },
        arch: { type: 'String', desc: 'a', behaviour: :init_only },
      })`;

  test('describes attributes by their behaviour, and never has providers', () => {
    const type = typeOf(definition, { 'puppet/provider/x/x.rb': 'class Puppet::Provider::X::X; end' });

    expect([...type.properties]).toEqual(['ensure', 'arch']);
    expect([...type.parameters]).toEqual(['package', 'manager', 'id', 'force']);
    expect(type.namevars).toEqual(['package', 'manager']);
    expect(type.titlePatterns).toMatchObject([{ attributes: ['package', 'manager'] }]);
  });
});

describe('what is not modelled is flagged', () => {
  test.each([
    ['a name from elsewhere', newtype('newparam(Facter.value(:x))'), 'a name from Facter.value'],
    ['an unknown decision', newtype('newparam(:a) if Facter.value(:x)'), 'a decision that depends on'],
    ['an unknown loop', newtype('Foo.list.each { |n| newparam(n) }'), 'with a block that matters'],
    [
      'a list that may have changed',
      newtype('l = [:a]; Foo.fill(l); l.each { |n| newparam(n) }'),
      'may have changed',
    ],
    ['an unknown mixin', newtype('include Some::Thing'), 'the mixin Some::Thing'],
    ['an unknown word', newtype('newthing(:a)'), 'the method newthing'],
    ['state of Puppet', newtype('@parameters = []'), 'an assignment to @parameters'],
    ['a method of its own', newtype('def self.key_attributes; [:a]; end'), 'a method self.key_attributes'],
    ['an attribute twice', newtype('newparam(:a); newparam(:a)'), 'defined twice'],
    ['Puppet opened', 'class Puppet::Parameter; def f; end; end', 'Puppet::Parameter, opened again'],
    ['eval', newtype('class_eval Foo.text'), 'the method class_eval'],
    ['a jump', newtype('break'), 'a jump'],
    ['no Ruby', 'Puppet::Type.newtype(', 'a syntax error'],
    ['an answer that only Ruby knows', newtype('def self.isomorphic?; Dir.exist?("/x"); end'), 'Dir.exist?'],
    ['endless code', newtype('def self.f; f; end; f'), 'nested deeply'],
  ])('%s', (_what, body, reason) => {
    expect(reasonFor(body)).toContain(reason);
  });

  test('the reason names file and line', () => {
    expect(reasonFor(newtype('\n\nnewthing(:a)'))).toContain('(file: /m/lib/puppet/type/x.rb, line: 4)');
  });

  test('a provider that changes the type is flagged', () => {
    const files = { 'puppet/provider/x/y.rb': 'Puppet::Type.type(:x).newparam(:more)' };

    expect(reasonFor(newtype('newparam(:name)'), files)).toContain('which changes types');
  });

  test('a file without the type has none', () => {
    expect(reasonFor('Puppet::Type.newtype(:y) { newparam(:name) }')).toBe('none');
  });
});
