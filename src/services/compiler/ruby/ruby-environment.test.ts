import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openEnvironment } from '../../../../test/support/open-environment.ts';
import { outside } from '../../../../test/support/outside.ts';
import { renderCatalog } from '../../../language/catalog/index.ts';
import { defaultLanguageSettings } from '../../../language/environment/index.ts';
import { compileCatalog } from '../../../language/evaluator/index.ts';
import { ByteString, inspect, type Value } from '../../../language/pcore/index.ts';
import { InterpretedFunctions } from '../../../language/ruby/index.ts';
import { prismFiles, RubyParser } from '../../../lib/ruby-syntax/index.ts';
import { renderedCatalog } from '../rendered-catalog.ts';
import { RubyEnvironment, type RubyEnvironmentOptions } from './index.ts';

interface Snippet {
  /** Files below `modules/`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly ruby?: Partial<RubyEnvironmentOptions>;
}

const parser = new RubyParser(prismFiles());
const directories: string[] = [];
const hosts: RubyEnvironment[] = [];

afterEach(() => {
  for (const host of hosts.splice(0)) host.close();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** Compiles code several times in one environment. */
function prepare({ files = {}, ruby = {} }: Snippet) {
  const directory = mkdtempSync(path.join(tmpdir(), 'bunraku-test-'));
  directories.push(directory);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, 'modules', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const open = (code: string) =>
    openEnvironment({
      directory,
      name: 'production',
      code,
      settings: defaultLanguageSettings,
    });
  const host = new RubyEnvironment({
    environment: open(''),
    paths: { logicalDirectory: directory, physicalDirectory: directory },
    timeoutSeconds: 300,
    ...ruby,
  });
  hosts.push(host);
  return (code: string) => {
    const logs: string[] = [];
    const { catalog, lastValue } = compileCatalog({
      certname: 'a.example.net',
      environment: open(code),
      facts: { kernel: 'Linux' },
      trusted: { authenticated: 'local', certname: 'a.example.net', extensions: {}, external: {} },
      serverFacts: {},
      node: { classes: {}, parameters: {} },
      termini: { outside, ruby: host },
      log: (level, message) => {
        if (level !== 'debug') logs.push(`${level}: ${message}`);
      },
    });
    return { catalog, value: lastValue, logs: logs.map((line) => line.replaceAll(directory, '')) };
  };
}

function valueOf(code: string, snippet: Snippet = {}): Value {
  return prepare(snippet)(code).value;
}

/** The message without directories and without the node. */
function failureOf(code: string, snippet: Snippet = {}): string {
  const compile = prepare(snippet);
  const directory = directories.at(-1) ?? '';
  return messageOf(() => compile(code)).replaceAll(directory, '');
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return String((error as Error).message).replace(/ on node a\.example\.net$/, '');
  }
  throw new Error('it compiles');
}

function newer(name: string, body: string): Readonly<Record<string, string>> {
  const [module = ''] = name.split('::');
  const file = `${module}/lib/puppet/functions/${name.replace('::', '/')}.rb`;
  return { [file]: `Puppet::Functions.create_function(:'${name}') do\n${body}\nend\n` };
}

function legacy(name: string, options: string, body: string): Readonly<Record<string, string>> {
  const text = `module Puppet::Parser::Functions\n newfunction(:${name}, ${options}) do |args|\n${body}\n end\nend\n`;
  return { [`m/lib/puppet/parser/functions/${name}.rb`]: text };
}

const same = newer('m::same', 'def same(value)\n value\nend');

function hasRuby(): boolean {
  try {
    execFileSync('ruby', ['-e', '']);
    return true;
  } catch {
    return false;
  }
}

it('says what needs Ruby when it is not available', () => {
  const ruby = { commands: ['/nowhere/ruby'] };

  expect(failureOf('m::same(1)', { files: same, ruby })).toBe(
    "Evaluation Error: Error while evaluating a Function Call, The function 'm::same' " +
      '(/modules/m/lib/puppet/functions/m/same.rb) is written in Ruby, and Ruby is not available: there is no /nowhere/ruby (line: 1, column: 1)',
  );
});

describe.skipIf(!hasRuby())('values', () => {
  it.each([
    'undef',
    'default',
    'true',
    '9007199254740993',
    '-9223372036854775807',
    '1.0',
    '1.5',
    '1.0e30',
    '\'ä \\"quoted\\" ~\'',
    "[1, [2, undef], {'a' => 1.0}]",
    "{'2' => 'a', '1' => 'b', '~' => 'c'}",
    "{1 => 'a', [1] => 'b', undef => 'c'}",
    '/a.b/',
    "Sensitive('secret')",
    "Binary('aGVsbG8=')",
    "Timestamp('2024-01-02T03:04:05.678 UTC')",
    'Timespan({seconds => 5, milliseconds => 250})',
    "SemVer('1.2.3-rc1')",
    "SemVerRange('>=1.0.0 <2.0.0')",
    "URI('http://example.com/a?b=c')",
    "Variant[String[1], Array[Integer[0, 5]], File['/a']]",
    "Class['a::b']",
  ])('%s comes back as it went', (code) => {
    const [given, returned] = valueOf(`[${code}, m::same(${code})]`, { files: same }) as [Value, Value];

    expect(inspect(returned)).toBe(inspect(given));
  });

  it('hands objects of Ruby back to Ruby', () => {
    const files = {
      ...newer('m::make', 'def make\n Struct.new(:x).new(5)\nend'),
      ...newer('m::look', 'def look(object)\n object.x\nend'),
    };

    expect(valueOf('m::look(m::make())', { files })).toBe(5);
  });

  it('keeps what Ruby marks as bytes apart from text', () => {
    const files = newer('m::bytes', 'def bytes\n "\\xff".b\nend');

    expect(valueOf('m::bytes()', { files })).toEqual(new ByteString('\u00ff'));
    expect(valueOf('size(m::bytes())', { files })).toBe(1);
  });
});

describe.skipIf(!hasRuby())('functions of the newer kind', () => {
  it('choose their signature by type, and check what they return', () => {
    const files = newer(
      'm::f',
      `local_types do
         type 'Port = Integer[1, 65535]'
       end
       dispatch :port do
         param 'Port', :port
         return_type 'String'
       end
       dispatch :many do
         required_repeated_param 'String', :names
         optional_block_param 'Callable[String]', :block
       end
       argument_mismatch :explain do
         param 'Float', :x
       end
       def port(port)
         port == 2 ? port : "port #{port}"
       end
       def many(*names)
         block_given? ? names.map { |name| yield name } : names
       end
       def explain(x)
         "does not like #{x}"
       end`,
    );
    const compile = prepare({ files });

    expect(compile('m::f(1)').value).toBe('port 1');
    expect(compile("m::f('a', 'b')").value).toEqual(['a', 'b']);
    expect(compile("m::f('a', 'b') |$x| { upcase($x) }").value).toEqual(['A', 'B']);
    expect(messageOf(() => compile('m::f(1.5)'))).toContain("'m::f' does not like 1.5 (line: 1");
    expect(messageOf(() => compile('m::f(2)'))).toContain(
      "value returned from function 'port' has wrong type, expects a String value, got Integer",
    );
    expect(messageOf(() => compile('m::f(0)'))).toContain("The function 'm::f' was called with arguments");
  });

  it('may name types of their own as what they return', () => {
    const body =
      "local_types { type 'Mine = Integer' }\ndispatch(:run) { param 'Any', :x; return_type 'Mine' }\ndef run(x) x end";
    const files = newer('m::mine', body);

    expect(valueOf('m::mine(1)', { files })).toBe(1);
    expect(failureOf('m::mine(a)', { files })).toContain(
      "value returned from function 'run' has wrong type, expects a Mine = Integer value, got String",
    );
  });

  it('call the language and are called by it, ten deep', () => {
    const files = newer(
      'm::deep',
      'def deep(n)\n n.zero? ? [] : call_function("map", [n]) { |i| [i, call_function("m::deep", n - 1)] }\nend',
    );

    expect(JSON.stringify(valueOf('m::deep(10)', { files }))).toContain('[10,[[9,[[8');
  });

  it('see top scope as their own, and the scope of the call when they ask for it', () => {
    const files = newer(
      'm::look',
      `dispatch :look do
         scope_param
         param 'String', :name
       end
       def look(scope, name)
         [scope[name], closure_scope[name], scope.include?('nope'), scope.to_s, closure_scope.to_s]
       end`,
    );
    const [file = ''] = Object.keys(files);
    const internal = {
      [file]: (files[file] ?? '').replace(') do', ', Puppet::Functions::InternalFunction) do'),
    };
    const code = "$x = 'top' class c { $x = 'own' notice(m::look('x')) } include c";

    expect(prepare({ files: internal })(code).logs).toEqual([
      'notice: [own, top, false, Scope(Class[C]), Scope(Class[main])]',
    ]);
  });

  it('pass errors of the language on as they are', () => {
    const files = newer('m::run', 'def run\n yield(1)\nend');
    const [file = ''] = Object.keys(files);
    const withBlock = {
      [file]: (files[file] ?? '').replace('def run', 'dispatch :run do\n block_param\nend\ndef run'),
    };
    const compile = prepare({ files: withBlock });

    expect(messageOf(() => compile("\n  m::run() |$x| { fail('no') }"))).toBe(
      'Evaluation Error: Error while evaluating a Function Call, no (line: 2, column: 19)',
    );
    expect(compile('m::run() |$x| { next($x + 1) }').value).toBe(2);
    expect(compile('function f() { m::run() |$x| { return(7) } } f()').value).toBe(7);
  });

  it('rescue errors of the language, and of functions in Ruby by their class', () => {
    const files = {
      ...newer('m::raise', 'class OwnError < StandardError; end\ndef raise\n super(OwnError, "own")\nend'),
      ...newer(
        'm::safe',
        `def safe
           [begin; call_function('fail', 'no'); rescue Puppet::ParseError => e; e.message; end,
            begin; call_function('m::raise'); rescue => e; e.class.name.split('::').last; end,
            begin; call_function('nope'); rescue ArgumentError => e; e.message; end]
         end`,
      ),
    };

    expect(valueOf('m::safe()', { files })).toEqual([
      'no',
      'OwnError',
      "Function m::safe(): Unknown function: 'nope'",
    ]);
  });

  it('get the pairs of a hash one by one from templates', () => {
    const body = "dispatch(:args) { repeated_param 'Any', :args }\ndef args(*args)\n args.inspect\nend";
    const files = newer('m::args', body);
    const template =
      "<%= [@h, [1, [2]], nil, 5].map { |args| scope.call_function('m::args', args) }.join(' ') %>";

    expect(
      valueOf(`$h = { 'a' => 1, 'b' => [2] } inline_template(@(END))\n${template}\n|- END\n`, { files }),
    ).toBe('[["a", 1], ["b", [2]]] [1, [2]] [] [5]');
  });

  it('fail lookups, and rescue failed ones', () => {
    const files = {
      ...newer('m::refuse', "def refuse\n raise Puppet::DataBinding::LookupError, 'refused'\nend"),
      ...newer(
        'm::safe',
        `def safe
           [begin; call_function('lookup', 'nope'); rescue Puppet::DataBinding::LookupError => e; e.message; end,
            begin; call_function('m::refuse'); rescue Puppet::DataBinding::LookupError => e; e.message; end]
         end`,
      ),
    };

    expect(valueOf('m::safe()', { files })).toEqual([
      "Function lookup() did not find a value for the name 'nope'",
      'refused',
    ]);
    expect(failureOf('m::refuse()', { files })).toBe('refused');
  });

  it('are refused when their file holds something else', () => {
    expect(failureOf('m::f()', { files: { 'm/lib/puppet/functions/m/f.rb': 'X = 1' } })).toContain(
      'The code loaded from /modules/m/lib/puppet/functions/m/f.rb does not seem to be a Puppet 4x API function - ' +
        'no create_function call.',
    );
    const [text = ''] = Object.values(newer('m::g', 'def g\nend'));
    expect(failureOf('m::f()', { files: { 'm/lib/puppet/functions/m/f.rb': text } })).toContain(
      "produced mis-matched name, expected 'm::f', got m::g",
    );
  });

  it('are a fallback for lookups', () => {
    const files = newer(
      'm::backend',
      `dispatch :find do
         param 'String[1]', :key
         param 'Hash', :options
         param 'Puppet::LookupContext', :context
       end
       def find(key, options, context)
         return context.not_found unless key == 'm::known'
         return context.cached_value('x') if context.cache_has_key('x')
         context.cache('x', context.interpolate('%{facts.kernel}'))
       end`,
    );
    const hiera = 'version: 5\nhierarchy:\n  - name: own\n    lookup_key: m::backend\n';
    const compile = prepare({ files: { ...files, 'm/hiera.yaml': hiera } });

    expect(compile("lookup('m::known')").value).toBe('Linux');
    expect(compile("lookup('m::unknown', default_value => 'none')").value).toBe('none');
  });

  // Recorded from OpenVox 8.28.
  it('return what a catalog cannot hold, which is an error under strict=error, but not for symbols', () => {
    const files = newer('m::f', "def f(range)\nrange ? [1..3] : { 'a' => [:b] }\nend");
    const render = (argument: string) => {
      const { catalog } = prepare({ files })(`notify { 'a': message => m::f(${argument}) }`);
      return renderedCatalog(catalog, 'rich_data_json', { strict: 'error', log: () => undefined });
    };

    expect(render('false')).toContain('"message":{"a":["b"]}');
    expect(() => render('true')).toThrow(
      "Could not render to rich_data_json: Evaluation Error: Notify[a]['message'][0] contains a Range value. " +
        "It will be converted to the String '1..3' (line: 1)",
    );
  });

  it('keep things of their own in the catalog, as long as the compile lasts', () => {
    const files = {
      ...newer(
        'm::keep',
        'def keep(x)\nclosure_scope.find_global_scope.catalog.define_singleton_method(:kept) { x }\nend',
      ),
      ...newer(
        'm::kept',
        'def kept\ncatalog = closure_scope.catalog\ncatalog.respond_to?(:kept) ? catalog.kept : nil\nend',
      ),
    };
    const compile = prepare({ files });

    expect(compile('m::keep(1) class a { notice(m::kept()) } include a m::kept()')).toMatchObject({
      value: 1,
      logs: [expect.stringContaining('1')],
    });
    expect(compile('m::kept()').value).toBeNull();
  });

  it('log many messages, in their order among those of the language', () => {
    const body = `600.times { |n| Puppet.notice("line #{n}") }
      call_function('notice', 'of the language')
      Puppet.warning("\\xff" + 'bytes')
      nil`;
    const { logs } = prepare({ files: newer('m::f', `def f\n${body}\nend`) })('m::f()');

    expect(logs).toHaveLength(602);
    expect(logs[599]).toBe('notice: line 599');
    expect(logs.slice(600)).toEqual([expect.stringContaining('of the language'), 'warning: \ufffdbytes']);
  });

  it('make data of a file once for all keys, as long as the data is plain', () => {
    const files = newer(
      'm::backend',
      `dispatch :find do
         param 'String[1]', :key
         param 'Hash', :options
         param 'Puppet::LookupContext', :context
       end
       def find(key, options, context)
         context.not_found if key == 'lookup_options'
         made = context.cached_file_data(options['path']) do |text|
           $times = ($times || 0) + 1
           key == 'm::object' ? Object : "#{text.strip} read #{$times} times"
         end
         "#{made}, #{context.cached_file_data(options['path'])}"
       end`,
    );
    const hiera = (path: string) =>
      `version: 5\nhierarchy:\n  - name: own\n    lookup_key: m::backend\n    path: ${path}\n`;
    const data = { 'm/data/a': 'A\n', 'm/data/b': 'B\n' };
    const compile = prepare({ files: { ...files, ...data, 'm/hiera.yaml': hiera('a') } });
    const bare = prepare({ files: { ...files, ...data, 'm/hiera.yaml': hiera('b') } });

    expect(compile("[lookup('m::first'), lookup('m::second')]").value).toEqual([
      'A read 1 times, A read 1 times',
      'A read 1 times, A read 1 times',
    ]);
    expect(compile("lookup('m::first')").value).toBe('A read 1 times, A read 1 times');
    expect(bare("[lookup('m::object'), lookup('m::first')]").value).toEqual([
      'Object, B\n',
      'B read 2 times, B read 2 times',
    ]);
  });

  it.each([
    ['in Ruby', {}],
    ['interpreted', { interpreter: new InterpretedFunctions((text) => parser.parse(text)) }],
  ])('end a lookup by `not_found` of a function that they call (%s)', (_how, ruby) => {
    const backend = (body: string) => `dispatch :find do
         param 'String[1]', :key
         param 'Hash', :options
         param 'Puppet::LookupContext', :context
       end
       def find(key, options, context)
         ${body}
       end`;
    const files = {
      ...newer('m::outer', backend('call_function("m::inner", key, options, context) ? "outer" : "nothing"')),
      ...newer('m::inner', backend('return context.not_found unless key == "m::known"\n"inner"')),
    };
    const hiera = 'version: 5\nhierarchy:\n  - name: own\n    lookup_key: m::outer\n';
    const compile = prepare({ files: { ...files, 'm/hiera.yaml': hiera }, ruby });

    expect(compile("lookup('m::known')").value).toBe('outer');
    expect(compile("lookup('m::unknown', default_value => 'none')").value).toBe('none');
  });
});

// Recorded from Puppet 7.23.
describe.skipIf(!hasRuby())('messages that may be translated', () => {
  const body = (expression: string) =>
    `Puppet::Functions.create_function(:'m::f') do\n  def f\n    ${expression}\n  end\nend\n`;

  it.each([
    ["_('hello %{a}') % { a: 5 }", 'hello 5'],
    ["_('hello %{missing}') % { a: 5 }", 'hello %{missing}'],
    ["'%<b>d %{q}' % { b: 2 }", '%<b>d %{q}'],
    ["'%{a} %<b>05.1f' % { a: 1, b: 2 }", '1 002.0'],
    ["n_('one', 'many', 2) + n_('one', 'many', 1)", 'manyone'],
    ["s_('x|y')", 'y'],
  ])('%s', (expression, value) => {
    expect(valueOf('m::f()', { files: { 'm/lib/puppet/functions/m/f.rb': body(expression) } })).toBe(value);
  });

  it('are those of errors, too', () => {
    const newer = body("raise Puppet::ParseError, _('bad %{what}') % { what: 7 }");
    const older = `module Puppet::Parser::Functions
      newfunction(:g, type: :rvalue) { |args| raise Puppet::ParseError, _('g(): %{n} of %{m}') % { n: args.size } }
    end`;
    const files = { 'm/lib/puppet/functions/m/f.rb': newer, 'm/lib/puppet/parser/functions/g.rb': older };

    expect(failureOf('m::f()', { files })).toContain('Error while evaluating a Function Call, bad 7 (');
    expect(failureOf('g(1)', { files })).toContain(
      'Error while evaluating a Function Call, g(): %{n} of %{m} (',
    );
    expect(failureOf('inline_template(\'<%= format("%{a}", b: 1) %>\')')).toContain('key{a} not found');
  });
});

describe.skipIf(!hasRuby())('functions of the older kind', () => {
  it('are methods of the scope, and call each other as such', () => {
    const files = {
      ...legacy('one', ':type => :rvalue, :arity => 1', 'args[0].to_s + lookupvar("kernel")'),
      ...legacy('two', ':type => :rvalue', 'function_one([args[0]]) + function_sprintf(["%03d", 5])'),
      ...legacy('three', ':arity => -2', 'function_notice(["got #{args.inspect}"]); "no result"'),
    };
    const compile = prepare({ files });

    expect(compile("two('a')").value).toBe('aLinux005');
    expect(compile("three('a', undef, [undef], File['/a'])")).toMatchObject({
      value: null,
      logs: ['notice: got ["a", "", [nil], File[/a]{:path=>"/a"}]'],
    });
    expect(messageOf(() => compile('one()'))).toContain(
      'one(): Wrong number of arguments given (0 for 1) (line: 1',
    );
  });

  it('are found in the file of another one, which defines them, too', () => {
    const file = `module Puppet::Parser::Functions
  newfunction(:first, :type => :rvalue) { |args| "first #{args[0]}" }
  newfunction(:second, :type => :rvalue, :arity => 1) { |args| "second of #{function_first(args)}" }
end
`;
    const files = {
      'm/lib/puppet/parser/functions/second.rb': file,
      ...legacy('third', ':type => :rvalue', 'function_first([3])'),
    };

    expect(valueOf('first(1)', { files })).toBe('first 1');
    expect(valueOf('[second(1), first(2)]', { files })).toEqual(['second of first 1', 'first 2']);
    expect(valueOf('third()', { files })).toBe('first 3');
    expect(failureOf('fourth()', { files })).toContain("Unknown function: 'fourth'");
  });

  it('may not define methods', () => {
    const file = 'newfunction(:bad) do |args|\n  def helper\n  end\nend\n';

    expect(failureOf('bad()', { files: { 'm/lib/puppet/parser/functions/bad.rb': file } })).toContain(
      "Illegal method definition of method 'helper' in source /modules/m/lib/puppet/parser/functions/bad.rb on line 2",
    );
  });

  it('find resources and declare some', () => {
    const files = legacy(
      'add',
      ':type => :rvalue',
      `function_create_resources(['file', { '/b' => { 'mode' => findresource('File[/a]')['mode'] } }])
       [findresource('File', '/nope').nil?, catalog.resource('File', '/b').to_s, resource.to_s]`,
    );

    expect(valueOf("file { '/a': mode => '0600' } add()", { files })).toEqual([
      true,
      'File[/b]',
      'Class[main]',
    ]);
  });
});

describe.skipIf(!hasRuby())('templates', () => {
  // Recorded from Puppet 7.23.
  it('define methods for those that follow', () => {
    const files = {
      'm/templates/def.erb': '<%- def box(a) "<#{a}>" end -%>',
      'm/templates/use.erb': "<%- scope.function_template(['m/def.erb']) -%>v <%= box(1) %>",
    };
    const compile = prepare({ files });

    expect(compile("template('m/use.erb')").value).toBe('v <1>');
    expect(compile("$x = template('m/def.erb') inline_template('<%= box(2) %>')").value).toBe('<2>');
  });

  const template = (text: string) => ({ 'm/templates/t.erb': text });

  // What Puppet 7.23 answers; it has loaded all of this before code of modules runs.
  it.each([
    ["{ 'a' => [1] }.to_yaml", '---\na:\n- 1\n'],
    ['Set.new([1, 1]).size', '1'],
    ['[1, 1].to_set.size', '1'],
    ['URI("http://h.example.com/p").path', '/p'],
    ['Digest::MD5.hexdigest("a")', '0cc175b9c0f1b6a831c399e269772661'],
    ['Time.parse("2020-01-02 03:04 UTC").utc.iso8601', '2020-01-02T03:04:00Z'],
    ['Gem::Version.new("1.2") > Gem::Version.new("1.10")', 'false'],
    ['defined?(YAML)', 'constant'],
  ])('find what Puppet has loaded of the library: %s', (code, expected) => {
    expect(valueOf(`inline_template('<%= ${code.replaceAll("'", String.raw`\'`)} %>')`)).toBe(expected);
  });

  it.each([
    ['<%# -*- frozen_string_literal: true -*- %>', 'true 2'],
    ['<%# frozen_string_literal: true %>\n', '\ntrue 3'],
    ['', 'false 1'],
  ])('freeze their strings when they say so: %s', (comment, expected) => {
    const file = `${comment}<%= 'a'.frozen? %> <%= __LINE__ %>`;

    expect(valueOf("template('m/a.erb')", { files: { 'm/templates/a.erb': file } })).toBe(expected);
  });

  it('call the older versioncmp, which looks at no types', () => {
    const render = (args: string) => `inline_template('<%= scope.function_versioncmp([${args}]) %>')`;

    expect(valueOf(render('"1.2", "1.10"'))).toBe('-1');
    expect(failureOf(render('1, 2'))).toContain("undefined method `scan' for 1:Integer");
    expect(failureOf(render('1'))).toContain('versioncmp(): Wrong number of arguments given (1 for 2)');
  });

  it('see variables of the scope and around it', () => {
    const text =
      '<%= @own %> <%= @kernel %> <%= @missing.inspect %> <%= scope["c::own"] %> <%= scope.lookupvar("::top") %> ' +
      '<%= has_variable?("own") %> <%= has_variable?("nope") %> <%= instance_variable_get("@" + "top") %>';
    const code = "$top = 't' class c { $own = 'o' notice(template('m/t.erb')) } include c";

    expect(prepare({ files: template(text) })(code).logs).toEqual(['notice: o Linux nil o t true false t']);
  });

  it('say which line of which file is wrong', () => {
    expect(
      failureOf("template('m/t.erb')", { files: template('a\n<%= 1 -%>\n<%= nil.upcase %>\n') }),
    ).toMatch(
      /Failed to parse template m\/t\.erb:\n {2}Filepath: \/modules\/m\/templates\/t\.erb\n {2}Line: 3\n {2}Detail: undefined method [`']upcase' for nil/,
    );
    expect(failureOf('inline_template(\'<% scope.function_fail(["no"]) %>\')')).toContain(
      'Error while evaluating a Function Call, Failed to parse inline template: no (line: 1',
    );
  });

  it('write to their output, cut lines, return early', () => {
    const text =
      '<%- [1, 2].each do |i| -%>\n  <% _erbout << i.to_s %>\n<%- end -%>\n<%# none -%>\n<%% <% X_ = 1 %>';

    expect(valueOf("template('m/t.erb')", { files: template(text) })).toBe('  1\n  2\n<% ');
  });

  it('share objects through variables that they set', () => {
    const text =
      '<% scope.setvar("_t", {}) %><% scope.lookupvar("_t")[:a] = :b %><%= scope.lookupvar("_t")[:a].inspect %>';

    expect(valueOf("template('m/t.erb')", { files: template(text) })).toBe(':b');
  });

  it('change lists of the resource that they are evaluated for', () => {
    const files = {
      ...template('<% l = @list; l << "b" %>'),
      'm/manifests/d.pp': "define m::d($list) { notice(template('m/t.erb'), $list) }",
    };
    const { catalog, logs } = prepare({ files })("m::d { 'x': list => ['a'] }");

    expect(logs).toEqual(['notice:  [a, b]']);
    expect(catalog.find('M::D', 'x')?.value('list')).toEqual(['a', 'b']);
  });
});

describe.skipIf(!hasRuby())('code that misbehaves', () => {
  const files = newer(
    'm::bad',
    `def bad(how)
       case how
       when 'hang' then loop {}
       when 'exit' then exit
       when 'kill' then Process.kill(:KILL, Process.pid); sleep
       when 'deep' then bad(how)
       end
     end`,
  );
  const named = "the function 'm::bad' (/modules/m/lib/puppet/functions/m/bad.rb)";

  it.each([
    // Its limit is also that of the compile after it, which must not meet it.
    ['hang', `The${named.slice(3)} took longer than 5 seconds`, 5],
    ['exit', `The${named.slice(3)} called exit`, 300],
    ['kill', `Ruby ended unexpectedly while it was running ${named}`, 300],
  ])('%s: costs one compile, which says what happened', (how, text, timeoutSeconds) => {
    const compile = prepare({ files, ruby: { timeoutSeconds } });
    const directory = directories.at(-1) ?? '';

    expect(messageOf(() => compile(`m::bad('${how}')`)).replaceAll(directory, '')).toContain(
      `, ${text} (line`,
    );
    expect(compile("m::bad('nothing')").value).toBeNull();
  });

  it('calls itself without end: the reference says nothing but this, either', () => {
    const compile = prepare({ files });

    expect(messageOf(() => compile("m::bad('deep')"))).toMatch(/^stack level too deep( on node |$)/);
    expect(compile("m::bad('nothing')").value).toBeNull();
  });

  it('is told of as often as a process begins and ends', () => {
    const seen: string[] = [];
    const observe = {
      started: () => seen.push('started'),
      ended: () => seen.push('ended'),
    };
    const compile = prepare({ files, ruby: { observe } });

    messageOf(() => compile("m::bad('kill')"));
    compile("m::bad('nothing')");

    expect(seen).toEqual(['started', 'ended', 'started']);
  });
});

/** `mut::run(CODE, ARGS...)` runs Ruby code. */
const runs = {
  'mut/lib/puppet/functions/mut/run.rb': `Puppet::Functions.create_function(:'mut::run') do
  dispatch(:run) { param 'String', :code; repeated_param 'Any', :args }
  def run(code, *args)
    eval(code)
  end
end`,
  'mut/lib/puppet/parser/functions/mut3.rb': `Puppet::Parser::Functions.newfunction(:mut3, :type => :rvalue) do |args|
  code = args.shift
  eval(code)
end`,
};

describe.skipIf(!hasRuby())('values that code changes in place', () => {
  it.each([
    [
      "$x = ['a', ['b']]\n$y = { 'in' => $x }\nmut::run('args[0][1] << 1', $x)\n$y",
      "{'in' => ['a', ['b', 1]]}",
    ],
    ["$x = ['a', ['b']]\nmut::run('args[0] << 1', $x[1])\n$x", "['a', ['b', 1]]"],
    ["$x = {'a' => 1, 'b' => 2}\nmut::run('args[0].delete(\"a\")', $x)\n$x", "{'b' => 2}"],
    ["$x = ['a']\nmut3('args[0] << 1', $x)\n$x", "['a']"],
    ['$y = 1\n$x = "ab${y}"\nmut3(\'args[0] << "z"\', $x)\n$x', "'ab1z'"],
    ['$x = [\'a\']\nmut3(\'self["x"] << 1; self["x"] << 2\')\n$x', "['a', 1, 2]"],
    ["$a = [['a'], ['b']]\n$a.each |$i| { mut::run('args[0] << 1', $i) }\n$a", "[['a', 1], ['b', 1]]"],
  ])('are seen as the reference lets them be seen: %s', (code, expected) => {
    expect(
      inspect(valueOf(code, { files: runs }))
        .replaceAll('"', "'")
        .replaceAll('=>', ' => '),
    ).toBe(expected);
  });

  it('are frozen when they are facts or titles', () => {
    for (const [code, text] of [
      ["mut::run('args[0] << 1.to_s', $kernel)", 'Linux'],
      ["define d() { mut::run('args[0] << 1.to_s', $title) }\nd { 'tt': }", 'tt'],
    ] as const) {
      expect(failureOf(code, { files: runs })).toContain(`can't modify frozen String: "${text}"`);
    }

    expect(failureOf('mut::run(\'args[0]["new"] = 1\', $facts)', { files: runs })).toContain(
      'can\'t modify frozen Hash: {"kernel"=>"Linux"}',
    );
  });
});

it.skipIf(!hasRuby())('code can ask where it has been called from', () => {
  const files = {
    ...runs,
    'mut/functions/outer.pp':
      "function mut::outer() {\n [1].map |$i| {\n  mut::run('Puppet::Pops::PuppetStack.stacktrace.map { |f, l| [File.basename(f), l] }')\n }\n}",
  };

  expect(inspect(valueOf('\nmut::outer()', { files }))).toBe(
    '[[["outer.pp", 3], ["outer.pp", 2], ["unknown", 2], ["unknown", 0]]]',
  );
});

describe.skipIf(!hasRuby())('files with bytes that are not UTF-8', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const legacy = (body: string) =>
    latin1(
      `module Puppet::Parser::Functions\n  newfunction(:old, :type => :rvalue) { |args| ${body} }\nend\n`,
    );
  const newer = latin1('# caf\xe9\nPuppet::Functions.create_function(:newer) { def newer() 1 end }\n');
  const type = (head: string, doc: string) =>
    latin1(`${head}Puppet::Type.newtype(:thing) do\n  desc '${doc}'\n  newparam(:name)\nend\n`);

  it('are refused in functions of the newer kind', () => {
    expect(failureOf('newer()', { files: { 'm/lib/puppet/functions/newer.rb': newer } })).toContain(
      'Error while evaluating a Function Call, invalid byte sequence in UTF-8 (line: 1',
    );
  });

  it('may have them in comments of functions of the older kind', () => {
    const path = 'm/lib/puppet/parser/functions/old.rb';

    expect(valueOf('old()', { files: { [path]: legacy('1 # caf\xe9\n') } })).toBe(1);
    expect(failureOf('old()', { files: { [path]: legacy("'caf\xe9'") } })).toContain(
      'invalid multibyte char (UTF-8)',
    );
  });

  it('are read by Ruby where they define resource types', () => {
    const path = 'm/lib/puppet/type/thing.rb';
    const code = "thing { 'a': }";

    expect(prepare({ files: { [path]: type('# caf\xe9\n', 'x') } })(code).logs).toEqual([]);
    expect(prepare({ files: { [path]: type('# encoding: iso-8859-1\n', 'caf\xe9') } })(code).logs).toEqual(
      [],
    );
    expect(failureOf(code, { files: { [path]: type('', 'caf\xe9') } })).toContain(
      'Could not autoload puppet/type/thing: /modules/m/lib/puppet/type/thing.rb:2: invalid multibyte char (UTF-8)',
    );
  });
});

describe.skipIf(!hasRuby())('what files of resource types define beside them', () => {
  const function4 = (name: string, body: string) => ({
    [`m/lib/puppet/functions/m/${name}.rb`]: `Puppet::Functions.create_function(:'m::${name}') do
  dispatch(:run) { optional_param 'String', :name }
  def run(name = nil)
    ${body}
  end
end`,
  });
  const files = {
    'm/lib/puppet/type/first.rb': `require 'puppet_x/m/helper'
module PuppetX::M
  LEVELS = %w[a b].freeze
end
Puppet::Type.newtype(:first) { newparam(:name) }
Puppet::Type.newtype(:second) { newparam(:name); newparam(:size) }
`,
    'm/lib/puppet/provider/first/one.rb':
      "module PuppetX::M::Provided; NAME = 'one'; end\nPuppet::Type.type(:first).provide(:one) { }\n",
    'm/lib/puppet_x/m/helper.rb':
      "module PuppetX\n  module M\n    class Helper\n      HELP = 'yes'\n    end\n  end\nend\n",
    'm/templates/t.erb': '<%= PuppetX::M::LEVELS.join("+") %>',
    ...function4('constants', '[PuppetX::M::LEVELS, PuppetX::M::Helper::HELP, PuppetX::M::Provided::NAME]'),
    ...function4('none', 'PuppetX::Nowhere'),
    ...function4('parameters', 'Puppet::Type.type(name.to_sym).parameters.map(&:to_s)'),
  };

  it('is known: other types', () => {
    const compile = prepare({ files });

    expect(
      compile("first { 'a': } second { 'b': size => 1 }").catalog.find('Second', 'b')?.value('size'),
    ).toBe(1);
    expect(messageOf(() => compile("second { 'b': other => 1 }"))).toContain("no parameter named 'other'");
    expect(compile("m::parameters('second')").value).toEqual(['name', 'size']);
  });

  it('is known: constants, those of files that come with the type, too', () => {
    const compile = prepare({ files });

    expect(compile("first { 'a': } m::constants()").value).toEqual([['a', 'b'], 'yes', 'one']);
    expect(compile("first { 'a': } template('m/t.erb')").value).toBe('a+b');
    expect(messageOf(() => compile('m::none()'))).toContain('uninitialized constant PuppetX::Nowhere');
  });
});

describe.skipIf(!hasRuby())('resource types that cannot be read', () => {
  const odd = `Puppet::Type.newtype(:odd) do
  eval "newparam(:path, :namevar => true)"
  newparam(:kind, :namevar => true)
  newproperty(:size) if Dir.exist?('/')
  def self.title_patterns
    [[/^(.*):(.*)$/, [[:path, lambda { |x| x.chomp('/') }], [:kind, :upcase.to_proc]]]]
  end
end`;
  const files = { 'm/lib/puppet/type/odd.rb': odd };

  it('are run, with the procs of their titles', () => {
    const { catalog } = prepare({ files })("odd { '/a/:x': size => 1 }\nodd { '/b:x': kind => 'z' }");

    expect(renderCatalog(catalog, 'application/json')).toContain(
      '"parameters":{"path":"/a","kind":"X","size":1}',
    );
    expect(catalog.find('Odd', '/a:x')?.title).toBe('/a/:x');
  });

  it('tell two resources apart by what the procs say', () => {
    expect(failureOf("odd { '/a/:x': }\nodd { '/a:X': }", { files })).toContain(
      'Cannot alias Odd[/a:X] to ["X", "/a"]',
    );
  });

  it('add metaparameters to all types, in catalogs in which they are', () => {
    const owned =
      "Puppet::Type.newmetaparam(:owned_by) { desc 'x' }\nPuppet::Type.newtype(:owned) { newparam(:name) }";
    const compile = prepare({ files: { 'm/lib/puppet/type/owned.rb': owned } });
    const code = "notify { 'n': owned_by => 'me' }";

    expect(
      compile(`owned { 'a': owned_by => 'me' }\n${code}`).catalog.find('Notify', 'n')?.value('owned_by'),
    ).toBe('me');
    expect(messageOf(() => compile(code))).toContain("no parameter named 'owned_by'");
    expect(messageOf(() => compile("owned { 'a': other => 'me' }"))).toContain("no parameter named 'other'");
  });

  it('fail by name when their file does', () => {
    const broken = { 'm/lib/puppet/type/odd.rb': 'Puppet::Type.newtype(:odd) { nowhere_to_be_found }' };

    expect(failureOf("odd { 'a': }", { files: broken })).toContain(
      'Could not autoload puppet/type/odd: undefined local variable or method `nowhere_to_be_found',
    );
  });

  it('need a Ruby', () => {
    expect(failureOf("odd { 'a': }", { files, ruby: { commands: ['no-such-ruby'] } })).toMatch(
      /The resource type 'odd' is defined in Ruby .* and can't be read without Ruby/,
    );
  });
});
