import { describe, expect, test } from 'vitest';
import { prismFiles, RubyParser } from '../../../lib/ruby-syntax/index.ts';
import { fault, PuppetHash, type Value } from '../../pcore/index.ts';
import type { ErbContext } from '../erb-context.ts';
import { giveUp } from '../signals.ts';
import { ErbTemplates } from './erb-templates.ts';

const parser = new RubyParser(prismFiles());
const templates = new ErbTemplates((source) => parser.parse(source));

interface Place {
  readonly variables?: Readonly<Record<string, Value>>;
  readonly call?: (name: string, args: readonly Value[]) => Value;
}

function place({ call = () => null, variables = {} }: Place): ErbContext {
  return {
    file: '/code/a.erb',
    classes: ['main', 'apache'],
    tags: ['web'],
    instanceVariable: (name) => variables[name],
    lookupVariable: (name) => variables[name.replace(/^::/, '')] ?? null,
    hasVariable: (name) => (variables[name] ?? null) !== null,
    variables: () => Object.entries(variables),
    isFunctionKnown: (name) => name !== 'unknown',
    callFunction: call,
    callLegacyFunction: call,
    callRevocably: () => giveUp('a call that cannot be taken back'),
    hasFallback: false,
    isRepeatable: (name) => name === 'versioncmp',
  };
}

function render(text: string, where: Place = {}) {
  return templates.render(text, place(where));
}

describe('a template', () => {
  test('sees variables as instance variables, through scope and by has_variable?', () => {
    const variables = { port: 80, 'apache::user': 'www', list: ['a', 'b'] };
    const text =
      '<%= @port %> <%= scope["apache::user"] %> <%= scope.lookupvar("::port") %> ' +
      '<%= has_variable?("port") %> <%= @missing.nil? %> <%= @list.join("-") %>';

    expect(render(text, { variables })).toEqual({ kind: 'rendered', text: '80 www 80 true true a-b' });
  });

  test('sees classes, tags and its own file', () => {
    const text = '<%= classes.join(",") %> <%= all_tags %> <%= scope.catalog.classes.size %> <%= file %>';

    expect(render(text)).toEqual({ kind: 'rendered', text: 'main,apache ["web"] 2 /code/a.erb' });
  });

  test('calls functions of both kinds with the values that it has made', () => {
    const seen: unknown[] = [];
    const call = (name: string, args: readonly Value[]): Value => {
      seen.push([name, args]);
      return args.length;
    };
    const text =
      '<%= scope.function_versioncmp(["1", "2"]) %><%= scope.call_function("x", 5) %><%= scope.call_function("y", @h) %>';
    const variables = { h: PuppetHash.from({ a: 1, b: 2 }) };

    expect(render(text, { call, variables })).toEqual({ kind: 'rendered', text: '212' });
    expect(seen).toEqual([
      ['versioncmp', ['1', '2']],
      ['x', [5]],
      // As Ruby's `*hash`.
      [
        'y',
        [
          ['a', 1],
          ['b', 2],
        ],
      ],
    ]);
  });

  test('renders again with other values', () => {
    const text = '<% x = "" -%>\n<% @a.each do |i| x << i.to_s end -%>\n<%= x %>';

    expect(render(text, { variables: { a: [1, 2] } })).toEqual({ kind: 'rendered', text: '12' });
    expect(render(text, { variables: { a: [3] } })).toEqual({ kind: 'rendered', text: '3' });
  });

  test('must not change values of the language', () => {
    const variables = { list: ['b', 'a'], hash: PuppetHash.from({ a: 1 }) };

    expect(render('<% @list << "c" %>', { variables })).toMatchObject({ kind: 'given-up' });
    expect(render('<% @list.sort! %>', { variables })).toMatchObject({ kind: 'given-up' });
    expect(render('<% @hash["b"] = 1 %>', { variables })).toMatchObject({ kind: 'given-up' });
    expect(render('<% @hash.delete("a") %>', { variables })).toMatchObject({ kind: 'given-up' });
    expect(variables).toEqual({ list: ['b', 'a'], hash: PuppetHash.from({ a: 1 }) });
  });
});

describe('what is given up', () => {
  test('begins nothing when a function might be called before', () => {
    const called: string[] = [];
    const call = (name: string): Value => {
      called.push(name);
      return null;
    };

    const context: ErbContext = {
      ...place({ call }),
      hasFallback: true,
      callRevocably: ({ effects, name }) => {
        effects.defer('message', () => call(name));
        return null;
      },
    };
    const template = (rest: string) => `<% scope.function_notice(["a"]) %>${rest}`;

    const rendering = templates.render(template('<%= [1].object_id %>'), context);

    expect(rendering).toMatchObject({ kind: 'given-up', hadEffects: false });
    expect(called).toEqual([]);
    expect(templates.render(template('b'), context)).toMatchObject({ kind: 'rendered', text: 'b' });
    expect(called).toEqual(['notice']);
  });

  test('says whether a function was called that cannot be called again', () => {
    const late = '<%= @list << 1 %>';
    const variables = { list: [] };

    expect(render(`<% scope.function_include(["a"]) %>${late}`, { variables })).toMatchObject({
      kind: 'given-up',
      hadEffects: true,
    });
    expect(render(`<% scope.function_versioncmp(["1", "2"]) %>${late}`, { variables })).toMatchObject({
      kind: 'given-up',
      hadEffects: false,
    });
  });

  test('costs nothing where it is not reached', () => {
    expect(render('<% if @a %><%= @a.object_id %><% else %>none<% end %>')).toEqual({
      kind: 'rendered',
      text: 'none',
    });
  });

  test('is whatever is no valid Ruby, encodings, unknown functions and endless loops', () => {
    expect(render('<% if %>').kind).toBe('given-up');
    expect(render('<%# coding: latin1 %>x').kind).toBe('given-up');
    expect(render('<%= scope.function_unknown([1]) %>').kind).toBe('given-up');
    expect(render('<% while true; end %>').kind).toBe('given-up');
    expect(render('<% def f; f; end; f %>').kind).toBe('given-up');
  });
});

describe('what fails', () => {
  test('says so in the words of Ruby, with the line of the template', () => {
    expect(render('a\n<% x = nil -%>\n<%= x.upcase %>')).toEqual({
      kind: 'failed',
      message: "undefined method `upcase' for nil:NilClass",
      line: 3,
      hadEffects: false,
    });
  });

  test('may be what a function says; whether it may be called again is told', () => {
    const call = () => {
      throw fault('refused');
    };
    const failed = { kind: 'failed', message: 'refused', line: 1 };

    expect(render('<%= scope.function_versioncmp(["1", "2"]) %>', { call })).toEqual({
      ...failed,
      hadEffects: false,
    });
    expect(render('<%= scope.function_include(["1", "2"]) %>', { call })).toEqual({
      ...failed,
      hadEffects: true,
    });
  });
});
