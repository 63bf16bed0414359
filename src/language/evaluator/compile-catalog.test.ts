import { describe, expect, it, test } from 'vitest';
import { compileSnippet, references } from '../../../test/support/compile-snippet.ts';
import { parseExactJson } from './json-values.ts';

describe('a compile', () => {
  it('gives an empty manifest the stage, the settings and the main class', () => {
    const { catalog } = compileSnippet('');

    expect(catalog.resources.map(({ reference }) => reference)).toEqual([
      'Stage[main]',
      'Class[Settings]',
      'Class[main]',
    ]);
    expect(catalog.classes).toEqual(['settings']);
  });

  it('evaluates classes where they are included and defines at the end', () => {
    const { catalog } = compileSnippet(`
      define d() { notify { "in \${title}": } }
      class c { d { 'x': } notify { 'c': } }
      include c
      notify { 'last': }`);

    expect(references(catalog)).toEqual(['Class[C]', 'D[x]', 'Notify[c]', 'Notify[last]', 'Notify[in x]']);
  });

  it('takes the node by name before the first expression that matches, and that before the default', () => {
    const code = `
      node default { notify { 'default': } }
      node /^a(\\.)/ { notify { "expression \${1}": } }
      node 'b.example.net' { notify { 'name': } }`;

    expect(references(compileSnippet(code).catalog)).toContain('Notify[expression .]');
    expect(references(compileSnippet(code, { request: { certname: 'b.example.net' } }).catalog)).toContain(
      'Notify[name]',
    );
    expect(references(compileSnippet(code, { request: { certname: 'c.example.net' } }).catalog)).toContain(
      'Notify[default]',
    );
  });

  it('finds configuration data of node groups in lookups and for class parameters', () => {
    const node = { classes: {}, parameters: {}, configData: { web: { port: 8080, hosts: ['a', 'b'] } } };
    const code = `
      class web(Integer $port, Array $hosts) { notify { "\${port} \${hosts}": } }
      include web
      notify { "lookup \${lookup('web::port')}": }`;

    expect(references(compileSnippet(code, { request: { node } }).catalog)).toEqual([
      'Class[Web]',
      'Notify[8080 [a, b]]',
      'Notify[lookup 8080]',
    ]);
  });

  it('names the node in every error', () => {
    expect(() => compileSnippet('fail("no")')).toThrow(
      'Evaluation Error: Error while evaluating a Function Call, no (line: 1, column: 1) on node a.example.net',
    );
  });

  it('ends endless recursion with an error', () => {
    expect(() => compileSnippet('function f($x) { f($x) } f(1)')).toThrow('stack level too deep');
    expect(() => compileSnippet('define d() { d { "${title}x": } } d { "x": }')).toThrow(
      'Somehow looped more than 1000 times while evaluating host catalog',
    );
  });

  it('says which Ruby file it would need', () => {
    const modules = { 'm/lib/puppet/functions/m/f.rb': 'Puppet::Functions.create_function(:"m::f")' };

    expect(() => compileSnippet('m::f()', { modules })).toThrow(
      "The function 'm::f' is written in Ruby (/code/environments/production/modules/m/lib/puppet/functions/m/f.rb), and Ruby is not available",
    );
  });

  // Recorded from Puppet 7.23.
  it.each([
    ['1', "Cannot assign to a numeric match result variable '$1'"],
    ['facts', "Attempt to assign to a reserved variable name: 'facts'"],
    ['server_facts', "Attempt to assign to a reserved variable name: 'server_facts'"],
    ['title', "Cannot reassign variable '$title'"],
    ['name', "Cannot reassign variable '$name'"],
    ['module_name', "Cannot reassign variable '$module_name'"],
  ])('refuses a fact and a node parameter named %s', (name, message) => {
    const refused = `${message} on node a.example.net`;

    expect(() => compileSnippet('', { request: { facts: { [name]: 'x' } } })).toThrow(refused);
    expect(() =>
      compileSnippet('', { request: { node: { classes: {}, parameters: { [name]: 'x' } } } }),
    ).toThrow(refused);
  });

  it('evaluates classes of a classifier with their parameters', () => {
    const node = { classes: { c: { p: 5 } }, parameters: { role: 'web' } };

    const { catalog } = compileSnippet('class c($p) { notify { "$p $role": } }', { request: { node } });

    expect(references(catalog)).toEqual(['Class[C]', 'Notify[5 web]']);
  });

  // Recorded from Puppet 7.23.
  it('lays an unknown type of a parameter to the class, not to a resource', () => {
    const code = 'class c(Nope::Name $p = 1) { }';
    const refused = /^Evaluation Error: Resource type not found: Nope::Name \((file|line): /;

    for (const use of ['', "if defined('c') { }"]) {
      const request = use === '' ? { node: { classes: { c: {} }, parameters: {} } } : {};
      expect(() => compileSnippet(`${code} ${use}`, { request })).toThrow(refused);
    }
  });

  // Recorded from Puppet 7.23.
  it('leaves the title of a defined type the number that a function gave', () => {
    const { catalog } = compileSnippet(`
      define d($port = $title) { notify { "n\${title}": message => [$port, $title, $name] } }
      create_resources('d', { 7 => {}, 8 => { 'name' => 'eight' } })
      create_resources('@d', { 9 => {} })
      D <| title == 9 |>`);

    expect(catalog.find('D', '7')?.value('port')).toBe(7);
    expect(catalog.find('Notify', 'n7')?.value('message')).toEqual([7, 7, 7]);
    expect(catalog.find('Notify', 'n8')?.value('message')).toEqual([8, 8, 'eight']);
    expect(references(catalog)).toContain('Notify[n9]');
  });

  // Recorded from Puppet 7.23.
  it.each(['M::D { p => 2 }', "$x = M::D['y']", 'M::D <| |>', 'notice(M::D)'])(
    'loads a definition with the types of its parameters when %s names it',
    (code) => {
      const modules = { 'm/manifests/d.pp': 'define m::d(Nope::Name $p = 1) { }' };

      expect(() => compileSnippet(code, { modules })).toThrow(
        /^Evaluation Error: Resource type not found: Nope::Name \(file: .*d\.pp, line: 1, column: 13\)/,
      );
    },
  );
});

describe('relationships', () => {
  it('become metaparameters of the source', () => {
    const { catalog } = compileSnippet("notify { 'a': } -> notify { 'b': } ~> notify { 'c': }");

    expect(catalog.find('Notify', 'a')?.value('before')).toEqual(['Notify[b]']);
    expect(catalog.find('Notify', 'b')?.value('notify')).toEqual(['Notify[c]']);
  });

  it('are added to lists that resources have in common', () => {
    const others = "notify { ['c', 'd']: } Notify['a'] -> Notify['d']";
    const before = (code: string) => {
      const { catalog } = compileSnippet(`${code} ${others}`);
      return ['a', 'b'].map((title) => catalog.find('Notify', title)?.value('before'));
    };
    const [both, one] = [['Notify[c]', 'Notify[d]'], ['Notify[c]']];
    const toText = (lists: ReturnType<typeof before>) =>
      lists.map((list) =>
        Array.isArray(list) ? list.map(String).map((text) => text.replaceAll("'", '')) : list,
      );

    expect(toText(before("notify { ['a', 'b']: before => [Notify['c']] }"))).toEqual([both, both]);
    expect(toText(before("notify { default: before => [Notify['c']]; 'a': ; 'b': }"))).toEqual([both, both]);
    expect(
      toText(before("create_resources('notify', { 'a' => {}, 'b' => {} }, { before => [Notify['c']] })")),
    ).toEqual([both, both]);
    expect(
      toText(before("$l = [Notify['c']] notify { 'a': before => $l } notify { 'b': before => $l }")),
    ).toEqual([both, one]);
  });

  it('must lead to something', () => {
    expect(() => compileSnippet("notify { 'a': require => File['/x'] }")).toThrow(
      "Could not find resource 'File[/x]' in parameter 'require' (line: 1) on node a.example.net",
    );
    expect(() => compileSnippet("notify { 'a': } -> Notify['b']")).toThrow(
      "Could not find resource 'Notify[b]' for relationship from 'Notify[a]' on node a.example.net",
    );
  });
});

describe('attributes', () => {
  it('hold references, whose text has no quotes', () => {
    const code = "define d($to) { notify { \"${to} ${File['/b']}\": } } d { 'x': to => File['/a'] }";

    expect(references(compileSnippet(code).catalog)).toContain("Notify[File[/a] File['/b']]");
  });

  it('may not be iterators', () => {
    expect(() => compileSnippet("notify { 'a': message => [1].reverse_each }")).toThrow(
      "Error while evaluating a '=>' expression, Use of an Iterator is not supported here (line: 1, column: 15)",
    );
  });
});

describe('overrides', () => {
  it('are for the class that inherits', () => {
    const code = `
      class p { notify { 'a': message => 'p', tag => ['t'] } }
      class c inherits p { Notify['a'] { message => 'c', tag +> 'u' } }
      include c`;

    const resource = compileSnippet(code).catalog.find('Notify', 'a');

    expect(resource?.value('message')).toBe('c');
    expect(resource?.value('tag')).toEqual(['t', 'u']);
  });

  it('of somebody else are refused', () => {
    expect(() =>
      compileSnippet("class c { notify { 'a': } } class d { Notify['a'] { message => 'd' } } include c, d"),
    ).toThrow('Only subclasses can override parameters (line: 1)');
  });
});

describe('collectors', () => {
  it('realize what matches, whenever it is declared', () => {
    const { catalog } = compileSnippet(`
      Notify <| tag == 'x' |> { message => 'collected' }
      @notify { 'a': tag => 'x' }
      @notify { 'b': tag => 'y' }`);

    expect(catalog.find('Notify', 'a')).toMatchObject({ isVirtual: false });
    expect(catalog.find('Notify', 'a')?.value('message')).toBe('collected');
    expect(catalog.find('Notify', 'b')).toMatchObject({ isVirtual: true });
  });

  it('bring in what other nodes export', () => {
    const queries: unknown[] = [];
    const { catalog } = compileSnippet("Notify <<| tag == 'T' |>>", {
      request: {
        termini: {
          outside: {} as never,
          exportedResources: (query) => {
            queries.push(query);
            const parameters = { message: 'from b' };
            return [{ certname: 'b', type: 'Notify', title: 'x', parameters }];
          },
        },
      },
    });

    expect(catalog.find('Notify', 'x')?.value('message')).toBe('from b');
    expect(queries[0]).toEqual([
      'and',
      ['=', 'type', 'Notify'],
      ['=', 'exported', true],
      ['not', ['=', 'certname', 'a.example.net']],
      ['=', 'tag', 't'],
    ]);
  });
});

test('what is warned of is told with its position', () => {
  const told: unknown[] = [];
  const code = `$a = { x => 1, x => 2 }
    $b = $unknown`;

  compileSnippet(code, {
    request: { log: (level, message, at) => told.push([level, message, at?.line, at?.column]) },
  });

  expect(told).toEqual([
    ['warning', "The key 'x' is declared more than once", 1, 18],
    ['warning', "Unknown variable: 'unknown'.", 2, 10],
  ]);
});

describe('variables', () => {
  it('of a lambda end with it; those around it stay visible', () => {
    expect(compileSnippet('$x = 1 $r = [2].map |$y| { $z = $x + $y $z } $r').value).toEqual([3]);
  });

  it('are read from the class, what it inherits, the node, then top scope', () => {
    const { value } = compileSnippet(`
      $a = 'top' $b = 'top'
      class p { $b = 'parent' }
      class c inherits p { $r = "\${a} \${b}" }
      include c
      $c::r`);

    expect(value).toBe('top parent');
  });

  it('are set once', () => {
    expect(() => compileSnippet('$x = 1 $x = 2')).toThrow(
      "Evaluation Error: Cannot reassign variable '$x' (line: 1, column: 11)",
    );
  });

  it('that are unknown are undef, a warning or an error, as the settings say', () => {
    expect(compileSnippet('$x').logs).toEqual(["warning: Unknown variable: 'x'."]);
    expect(compileSnippet('$x', { settings: { strict: 'off' } }).logs).toEqual([]);
    expect(() => compileSnippet('$x', { settings: { strictVariables: true } })).toThrow(
      "Evaluation Error: Unknown variable: 'x'. (line: 1, column: 1)",
    );
  });

  it('of a lambda are seen by the classes that it includes', () => {
    const { catalog } = compileSnippet(
      'class c { notify { "x${x} ${1}": } } [7].each |$x| { if "ab" =~ /a(b)/ { include c } }',
    );

    expect(references(catalog)).toContain('Notify[x7 b]');
  });

  it('of a match last as long as the condition around them', () => {
    expect(compileSnippet("$r = if 'abc' =~ /b(c)/ { $1 } [$r, $1]").value).toEqual(['c', null]);
  });
});

describe('defaults of parameters', () => {
  it('see the parameters before them', () => {
    const { catalog } = compileSnippet('class c($a = 1, $b = $a + 1) { notify { "$a $b": } } include c');

    expect(references(catalog)).toContain('Notify[1 2]');
  });

  it('do not see those that have no value yet', () => {
    expect(() => compileSnippet('class c($a = $b, $b = 1) { } include c')).toThrow(
      'Class[C]: default expression for $a tries to illegally access not yet evaluated $b',
    );
  });

  it.each(['[1].map |$x| { $b }', "inline_epp('<%= $b %>')", "getvar('b')"])(
    'do not see variables elsewhere in their place: %s',
    (value) => {
      expect(() => compileSnippet(`$b = 7 class c($a = ${value}, $b = 1) { } include c`)).toThrow(
        'Class[C]: default expression for $a tries to illegally access not yet evaluated $b',
      );
    },
  );

  it('say where the class or defined type is when a lookup in them fails', () => {
    const modules = {
      'm/manifests/init.pp': "# A class\nclass m(\n  $a = lookup('m::none'),\n) { }",
      'm/manifests/d.pp': "\n\ndefine m::d($a = lookup('none')) { }",
    };
    const file = (name: string) => `/code/environments/production/modules/m/manifests/${name}`;

    expect(() => compileSnippet('include m', { modules })).toThrow(
      `Function lookup() did not find a value for the name 'm::none' (file: ${file('init.pp')}, line: 2) on node`,
    );
    expect(() => compileSnippet("\nm::d { 'a': }", { modules })).toThrow(
      `Error while evaluating a Resource Statement, Function lookup() did not find a value for the name 'none' ` +
        `(file: ${file('d.pp')}, line: 3) (line: 2) on node`,
    );
  });
});

describe('facts', () => {
  it('keep the form of their numbers', () => {
    const facts = parseExactJson('{"mb": 4096.0, "small": [1e2], "big": 12345678901234567890, "one": 1}');

    const { value } = compileSnippet("[$facts['mb'], $small[0], $big, $one].map |$x| { String(type($x)) }", {
      request: { facts: facts as Record<string, never> },
    });

    expect(value).toEqual([
      'Float[4096.0, 4096.0]',
      'Float[100.0, 100.0]',
      'Integer[12345678901234567890, 12345678901234567890]',
      'Integer[1, 1]',
    ]);
  });

  it('are empty text where they are nothing', () => {
    const { value } = compileSnippet("[$n, $facts['n'], $h['a'], $facts['h']['b']]", {
      request: { facts: { n: null, h: { a: null, b: [null, 1] } } },
    });

    expect(value).toEqual(['', '', '', ['', 1]]);
  });
});
