import { describe, expect, test } from 'vitest';
import { compileSnippet } from '../../../../test/support/compile-snippet.ts';
import { refuseOutside } from '../../../../test/support/outside.ts';
import { prismFiles, RubyParser } from '../../../lib/ruby-syntax/index.ts';
import type { LanguageSettings } from '../../environment/index.ts';
import { ErbTemplates } from '../../ruby/index.ts';
import type { CompileTermini } from '../compile-request.ts';

const parser = new RubyParser(prismFiles());

function compile(
  code: string,
  template: string,
  more: Partial<CompileTermini> = {},
  settings: Partial<LanguageSettings> = {},
) {
  return compileSnippet(code, {
    settings,
    modules: { 'm/templates/t.erb': template },
    request: {
      termini: { outside: refuseOutside, erb: new ErbTemplates((source) => parser.parse(source)), ...more },
    },
  });
}

const ruby = {
  findResourceType: () => undefined,
  callFunction: () => null,
  evaluateErb: () => 'from Ruby',
};

describe('a template without Ruby', () => {
  test('sees the variables around the call, facts by their names and what other classes have set', () => {
    const code = `class a { $x = 'of a' }
      include a
      $port = 80
      $none = undef
      template('m/t.erb')`;

    const { value } = compile(
      code,
      '<%= @port %> <%= @kernel %> <%= @none.inspect %> <%= scope["a::x"] %> <%= has_variable?("none") %>',
    );

    expect(value).toBe('80 Linux nil of a false');
  });

  test('calls functions and other templates', () => {
    const { catalog, value } = compile(
      "$x = inline_template('<%= scope.function_template([\"m/t.erb\"]) %>') notice('') $x",
      '<% scope.call_function("create_resources", ["notify", { "n" => {} }]) %><%= 1 + 1 %>',
    );

    expect(value).toBe('2');
    expect(catalog.find('Notify', 'n')).toBeDefined();
  });

  test('sees the variables of a lambda that has declared its class', () => {
    const { value } = compile(
      "class c { $y = template('m/t.erb') } [7].each |$x| { include c } $c::y",
      '<%= @x %> <%= scope.to_hash["x"] %> <%= scope.to_hash.key?("y") %>',
    );

    expect(value).toBe('7 7 false');
  });

  test.each([
    ['deprecations', "Undefined variable 'c::x'; class c could not be found"],
    [
      'undefined_variables',
      "The abs() function's auto conversion of String to Numeric is deprecated - change to convert input before calling",
    ],
  ] as const)('warns unless it is disabled: %s', (disabled, left) => {
    const code = "$a = abs('-3') template('m/t.erb')";
    const { logs } = compile(code, '<%= scope["c::x"] %>', {}, { disableWarnings: [disabled] });

    expect(logs.filter((line) => !line.startsWith('debug'))).toEqual([
      `warning: ${left}\n   (file & line not available)`,
    ]);
  });

  test('fails in the words of Puppet', () => {
    expect(() => compile("template('m/t.erb')", 'a\n<%= @x.upcase %>')).toThrow(
      'Failed to parse template m/t.erb:\n  Filepath: /code/environments/production/modules/m/templates/t.erb\n' +
        "  Line: 2\n  Detail: undefined method `upcase' for nil:NilClass\n",
    );
    expect(() => compile('inline_template(\'<%= raise "broken" %>\')', '')).toThrow(
      'Failed to parse inline template: broken',
    );
  });

  test('that is not modelled says what it would need', () => {
    expect(() => compile("template('m/t.erb')", '<%= [1].object_id %>')).toThrow(
      /t\.erb needs Ruby, which is not available: it uses the method object_id/,
    );
  });
});

describe('a template that is given up', () => {
  test('is rendered by Ruby', () => {
    expect(compile("template('m/t.erb')", '<%= [1].object_id %>', { ruby }).value).toBe('from Ruby');
    expect(compile("template('m/t.erb')", '<%= nil.foo %>', { ruby }).value).toBe('from Ruby');
  });

  test('is given up before it changes anything, when Ruby is available', () => {
    const code = "$list = [1] template('m/t.erb')";
    const template =
      '<% scope.call_function("create_resources", ["notify", { "n" => {} }]) %><%= @list << 1 %>';

    const { catalog, value } = compile(code, template, { ruby });

    expect(value).toBe('from Ruby');
    expect(catalog.find('Notify', 'n')).toBeUndefined();
    expect(() => compile(code, template)).toThrow(
      /needs Ruby, which is not available: it uses a change of a shared value/,
    );
  });
});

describe('a template that changes a list or hash in place', () => {
  const template = '<% @list << "b"; @list.last.to_s %><%= @list.join %>';

  test('all variables that share the list see the change', () => {
    const code =
      "$list = ['a'] $other = { 'x' => [$list] } $t = template('m/t.erb') [$t, $list, $other['x'][0]]";

    expect(compile(code, template, { ruby }).value).toEqual(['ab', ['a', 'b'], ['a', 'b']]);
  });

  test('an attribute that was set from a copy keeps its value', () => {
    const code = [
      "$list = ['a']",
      "define d($list) { $own = $list notify { template('m/t.erb'): message => $own } }",
      'd { "x": list => $list }',
      "notify { 'after': message => $list }",
    ].join('\n');

    const { catalog } = compile(code, template, { ruby });

    expect(catalog.find('Notify', 'ab')?.parameters.get('message')?.value).toEqual(['a', 'b']);
    expect(catalog.find('D', 'x')?.parameters.get('list')?.value).toEqual(['a', 'b']);
    expect(catalog.find('Notify', 'after')?.parameters.get('message')?.value).toEqual(['a']);
  });

  test('is left to Ruby where two attributes have been one value, and has changed nothing then', () => {
    const code = [
      "$list = ['a']",
      "define d($list, $more) { $t = template('m/t.erb') notify { $t: message => $list } }",
      'd { "x": list => $list, more => $list }',
    ].join('\n');

    const { catalog } = compile(code, template, { ruby });

    expect(catalog.find('Notify', 'from Ruby')?.parameters.get('message')?.value).toEqual(['a']);
  });

  test('has changed nothing when it is left to Ruby at its end', () => {
    const code = "$list = ['a'] $t = template('m/t.erb') [$t, $list]";

    expect(compile(code, '<% @list << "b"; nil.foo %>', { ruby }).value).toEqual(['from Ruby', ['a']]);
  });
});
