/** Hierarchies of every kind, with what is looked up in them. */

export interface Scenario {
  readonly name: string;
  /** Below the environment's directory; `global/...` beside it, with `global/hiera.yaml` as global configuration. */
  readonly files: Readonly<Record<string, string>>;
  /** What follows `lookup` on the command line. */
  readonly lookups: readonly (readonly string[])[];
  /** Makes what is in `files` encrypted: `ENC(PAIR, TEXT)`. */
  readonly isEncrypted?: boolean;
}

const yaml = (lines: string): string => `---\n${lines.trim()}\n`;
const hierarchy = (levels: string, more = ''): string => `---\nversion: 5\n${more}hierarchy:\n${levels}`;
const level = (name: string, path: string, more = ''): string =>
  `  - name: ${name}\n    path: ${path}\n${more}`;
const both = (key: string, ...options: readonly string[]): readonly (readonly string[])[] => [
  [key, ...options],
  [key, ...options, '--explain'],
];

const values = yaml(`
text: plain
number: 12
octal: 010
float: 1.5
yes_text: yes
no_text: 'no'
tilde: ~
date: 2001-01-01
time: 12:30:45
exponent: 1e3
hex: 0x1f
list: [a, b, [c]]
hash: {a: 1, b: {c: [x, y]}}
'dotted.key': quoted
multi: |
  first
  second
folded: >
  one
  two
symbol: :sym
empty_list: []
empty_hash: {}
'1': one
2: two
`);

export const scenarios: readonly Scenario[] = [
  {
    name: 'defaults, without a configuration',
    files: { 'data/common.yaml': values },
    lookups: [...both('text'), ['nothing'], ['nothing', '--explain'], ['number', '--render-as', 'json']],
  },
  {
    name: 'scalars of YAML',
    files: { 'hiera.yaml': hierarchy(level('Common', 'common.yaml')), 'data/common.yaml': values },
    lookups: [
      'text number octal float yes_text no_text tilde date time exponent hex list hash multi folded symbol empty_list empty_hash'
        .split(' ')
        .map((key) => [key]),
      ['text', 'list', 'hash'].map((key) => [key, '--render-as', 'json']),
      ['text', 'list', 'hash'].map((key) => [key, '--render-as', 's']),
      [
        ['hash.b.c.1'],
        ['hash.b'],
        ["'dotted.key'"],
        ['list.2.0'],
        ['list.7'],
        ['list.x'],
        ['text.x'],
        ['hash.nothing'],
        ['1'],
        ['2'],
        ['hash.b', '--explain'],
        ['list.7', '--explain'],
        ['tilde', '--explain'],
      ],
    ].flat(),
  },
  {
    name: 'kinds of paths',
    files: {
      'hiera.yaml': hierarchy(
        [
          level('Path', 'one.yaml'),
          '  - name: Paths\n    paths: [two.yaml, "%{facts.role}.yaml", missing.yaml]\n',
          '  - name: Glob\n    glob: "globbed/*.yaml"\n',
          '  - name: Globs\n    globs: ["deep/**/*.yaml", "x?.yaml", "{c,d}.yaml"]\n',
          '  - name: Mapped\n    mapped_paths: [facts.list, item, "mapped/%{item}.yaml"]\n',
          '  - name: Mapped text\n    mapped_paths: [facts.role, item, "mapped/%{item}.yaml"]\n',
          '  - name: Mapped nothing\n    mapped_paths: [facts.nothing, item, "mapped/%{item}.yaml"]\n',
          '  - name: Dir\n    datadir: other\n    path: a.yaml\n',
        ].join(''),
      ),
      'data/one.yaml': yaml('all: one'),
      'data/two.yaml': yaml('all: two\ntwo: 2'),
      'data/web.yaml': yaml('all: web\nweb: w'),
      'data/globbed/a.yaml': yaml('all: ga\nglobbed: a'),
      'data/globbed/b.yaml': yaml('all: gb\nglobbed: b'),
      'data/deep/x/y.yaml': yaml('all: deep\ndeep: y'),
      'data/x1.yaml': yaml('all: x1'),
      'data/c.yaml': yaml('all: c'),
      'data/mapped/p.yaml': yaml('all: p\nmapped: p'),
      'data/mapped/q.yaml': yaml('all: q\nmapped: q'),
      'data/mapped/web.yaml': yaml('all: mweb'),
      'other/a.yaml': yaml('all: other\nother: o'),
    },
    lookups: [
      ...both('all'),
      ...both('all', '--merge', 'unique'),
      ...['two', 'web', 'globbed', 'deep', 'mapped', 'other'].flatMap((key) => both(key)),
      ['nothing', '--explain'],
    ],
  },
  {
    name: 'binary data with expressions',
    files: {
      'hiera.yaml': hierarchy(level('Common', 'common.yaml')),
      'data/common.yaml': yaml(`
byte: !!binary 6Q==
plain: !!binary YSV7ZmFjdHMucm9sZX0=
bytes: !!binary 6SV7ZmFjdHMucm9sZX0=
inside: "a%{lookup('byte')}b"
mixed: "\u00fc%{lookup('byte')}"
same: "%{alias('byte')}"
`),
    },
    lookups: ['byte', 'plain', 'bytes', 'inside', 'mixed', 'same'].map((key) => [key]),
  },
  {
    name: 'kinds of paths that are written unusually',
    files: {
      'hiera.yaml': hierarchy(
        [
          '  - name: Empty\n    datadir: other/\n    paths: ["role/%{facts.nothing}/a.yaml", "%{facts.nothing}.yaml"]\n',
          '  - name: Dots\n    paths: [./a.yaml, ././/a.yaml, ../other/a.yaml, role/./a.yaml, role/../a.yaml, .//a.yaml, "a.yaml/", "..//other//a.yaml"]\n',
          '  - name: Doubled\n    datadir: "other//"\n    paths: [role//a.yaml, "%{facts.nothing}/a.yaml"]\n',
          '  - name: Dot\n    datadir: ./other/.\n    paths: [a.yaml, ../data/a.yaml]\n',
          '  - name: Up\n    datadir: data/..\n    paths: [other/a.yaml, ../production/other/a.yaml]\n',
          '  - name: Variable\n    datadir: "data/%{facts.nothing}/%{facts.role}/"\n    paths: [a.yaml, ../../a.yaml]\n',
          '  - name: Dotted variable\n    datadir: "%{facts.dots}"\n    paths: [a.yaml, "%{facts.dots}/a.yaml"]\n',
          '  - name: Glob\n    datadir: other/\n    globs: ["./*.yaml", "role//*.yaml", "../data/*.yaml", "role/./*.yaml", "role/../*.yaml", "%{facts.nothing}/*.yaml", "*//a.yaml", "**//a.yaml"]\n',
          '  - name: Mapped\n    datadir: data/\n    mapped_paths: [facts.list, item, "./mapped//%{item}.yaml"]\n',
          '  - name: Absolute\n    paths: ["{GLOBAL}//a.yaml", "{GLOBAL}/./a.yaml", "{GLOBAL}/../production/x.yaml"]\n',
          '  - name: Hash\n    datadir: data/\n    lookup_key: mod::shown\n    paths: [./a.yaml, role//a.yaml]\n',
        ].join(''),
      ),
      'data/a.yaml': yaml('all: data'),
      'data/role/a.yaml': yaml('all: role'),
      'data/web/a.yaml': yaml('all: web'),
      'data/mapped/p.yaml': yaml('all: p'),
      'other/a.yaml': yaml('all: other'),
      'other/role/a.yaml': yaml('all: other role'),
      'global/a.yaml': yaml('all: global'),
      'modules/mod/functions/shown.pp':
        'function mod::shown(String $key, Hash $options, Puppet::LookupContext $context) {\n if $key == "all" { $options["path"] } else { $context.not_found() }\n}\n',
    },
    lookups: [...both('all', '--merge', 'unique'), ...both('nothing')],
  },
  {
    name: 'a directory whose path is written unusually',
    files: {
      'hiera.yaml': hierarchy(level('Directory', './role//x/')),
      'data/role/x/y.yaml': yaml('all: y'),
    },
    lookups: both('all'),
  },
  {
    name: 'layers with paths that are written unusually',
    files: {
      'global/hiera.yaml': hierarchy(
        level('Common', './common.yaml', '    datadir: "./data/"\n') + level('Empty', 'role//a.yaml'),
      ),
      'global/data/common.yaml': yaml('all: global'),
      'hiera.yaml': hierarchy(level('Common', 'role//common.yaml'), 'defaults:\n  datadir: hieradata/\n'),
      'hieradata/role/common.yaml': yaml('all: environment'),
      'modules/mod/hiera.yaml': hierarchy(level('Common', './x/..//common.yaml', '    datadir: ./data/\n')),
      'modules/mod/data/common.yaml': yaml('mod::all: module'),
      'modules/mod/data/x/y.yaml': yaml('mod::y: module'),
    },
    lookups: [...both('all', '--merge', 'unique'), ...both('mod::all')],
  },
  {
    name: 'version 4 with paths that are written unusually',
    files: {
      'hiera.yaml':
        '---\nversion: 4\ndatadir: ./hieradata/\nhierarchy:\n  - name: One\n    backend: yaml\n    paths: ["./one", "role//%{facts.nothing}/two", "../three"]\n  - name: other//four\n    backend: yaml\n    datadir: "x//"\n',
      'hieradata/one.yaml': yaml('all: one'),
      'hieradata/role/two.yaml': yaml('all: two'),
      'three.yaml': yaml('all: three'),
      'x/other/four.yaml': yaml('all: four'),
    },
    lookups: both('all', '--merge', 'unique'),
  },
  {
    name: 'JSON and HOCON',
    files: {
      'hiera.yaml': hierarchy(
        [
          '  - name: JSON\n    path: a.json\n    data_hash: json_data\n',
          '  - name: HOCON\n    path: a.conf\n    data_hash: hocon_data\n',
          '  - name: URI\n    uris: ["http://example.com/%{facts.role}", "http://b"]\n    data_hash: mod::uri_hash\n',
          '  - name: One URI\n    uri: "http://single"\n    lookup_key: mod::uri_key\n    options: {o: "%{facts.role}"}\n',
        ].join(''),
      ),
      'data/a.json': '{"json": {"a": [1, 2.0, null, true]}, "both": "j", "text": "%{facts.role}"}',
      'data/a.conf':
        'hocon { a = 1, b = ${hocon.a}, c = "x" }\nboth = h\nlist = [1, 2]\nduration = 5 s\nunquoted = some text here\n',
      'modules/mod/functions/uri_hash.pp':
        'function mod::uri_hash(Hash $options, Puppet::LookupContext $context) {\n { "uri" => $options["uri"], "both" => "u" }\n}\n',
      'modules/mod/functions/uri_key.pp':
        'function mod::uri_key(String $key, Hash $options, Puppet::LookupContext $context) {\n if $key == "single" { $options } else { $context.not_found() }\n}\n',
    },
    lookups: [
      ...['json', 'both', 'text', 'hocon', 'list', 'duration', 'unquoted', 'uri', 'single'].flatMap((key) =>
        both(key),
      ),
      ['json', '--render-as', 'json'],
      ...both('both', '--merge', 'unique'),
    ],
  },
  {
    name: 'interpolation',
    files: {
      'hiera.yaml': hierarchy(level('Common', 'common.yaml')),
      'data/common.yaml': yaml(`
fact: "%{facts.role} and %{::facts.os.name} and %{role}"
missing: "<%{nothing}> <%{facts.nothing}> <%{facts.os.nothing}>"
looked: "%{lookup('text')} %{hiera('text')}"
nested: "%{lookup('hash.a.b')}"
text: some text
hash: {a: {b: deep}, list: [p, q]}
aliased: "%{alias('hash')}"
alias_sub: "%{alias('hash.list.1')}"
alias_bad: "x%{alias('hash')}"
literal: "%{literal('%')}{not}"
scope: "%{scope('facts.role')}"
"key_%{facts.role}": keyed
bad_method: "%{wrong('x')}"
empty: "%{} %{::} %{''} %{\\"\\"}"
in_list: ["%{role}", {"%{role}": "%{role}"}]
quoted: "%{facts.'os'.\\"name\\"}"
recursive: "%{lookup('recursive')}"
recursive_a: "%{lookup('recursive_b')}"
recursive_b: "%{lookup('recursive_a')}"
of_list: "%{lookup('hash.list')}"
of_number: "%{lookup('number')} %{facts.processors.count}"
number: 3
undef_alias: "%{alias('nothing')}"
undef_lookup: "<%{lookup('nothing')}>"
two: "%{lookup('text')}%{lookup('number')}"
spaces: "%{ facts.role }"
nested_quotes: "%{lookup(\\"text\\")}"
trusted: "%{trusted.certname} %{trusted.extensions.pp_role}"
`),
    },
    lookups: [
      ...'fact missing looked nested aliased alias_sub alias_bad literal scope key_web bad_method empty in_list quoted recursive recursive_a of_list of_number undef_alias undef_lookup two spaces nested_quotes'
        .split(' ')
        .map((key) => [key]),
      ...['looked', 'aliased', 'recursive', 'undef_lookup', 'fact'].map((key) => [key, '--explain']),
    ],
  },
  {
    name: 'merging',
    files: {
      'hiera.yaml': hierarchy(
        level('First', 'first.yaml') + level('Second', 'second.yaml') + level('Third', 'third.yaml'),
      ),
      'data/first.yaml': yaml(`
lookup_options:
  by_options: {merge: {strategy: deep, knockout_prefix: '--'}}
  '^pattern_.*': {merge: hash}
  '^pattern_deep': {merge: deep}
  converted: {convert_to: Integer}
  converted_list: {convert_to: ['Array', true], merge: unique}
  secret: {convert_to: Sensitive}
  first_wins: {merge: first}
  sorted: {merge: {strategy: deep, sort_merged_arrays: true}}
  arrays: {merge: {strategy: deep, merge_hash_arrays: true}}
  bad_merge: {merge: wrong}
  bad_convert: {convert_to: Integer}
hash: {a: 1, b: {x: 1, l: [1, 2]}}
list: [a, b, [c]]
text: one
by_options: {keep: [1, '--2'], '--gone': x, l: ['--z']}
pattern_a: {p: 1}
pattern_deep_b: {p: {q: 1}}
converted: '42'
converted_list: x
secret: s3cret
first_wins: [1]
sorted: {l: [c, a]}
arrays: [{a: 1}, {b: 2}]
bad_merge: 1
bad_convert: xyz
mixed: {a: 1}
knock: ['--all', a]
`),
      'data/second.yaml': yaml(`
lookup_options:
  late: {merge: unique}
  '^pattern_.*': {merge: deep}
hash: {b: {y: 2, l: [2, 3]}, c: 3}
list: [b, [d]]
text: two
by_options: {keep: [2, 3], gone: y, l: [z, w]}
pattern_a: {p: 2, r: {s: 1}}
pattern_deep_b: {p: {t: 2}}
converted_list: y
first_wins: [2]
sorted: {l: [b, d]}
arrays: [{c: 3}, {d: 4}]
late: [1]
mixed: text
knock: [b, c]
`),
      'data/third.yaml': yaml('hash: {d: 4}\nlist: z\nlate: [2]\nmixed: [1]\npattern_a: {u: 9}'),
    },
    lookups: [
      ...['hash', 'list', 'text', 'mixed'].flatMap((key) =>
        ['first', 'unique', 'hash', 'deep'].map((merge) => [key, '--merge', merge]),
      ),
      ...['hash', 'list'].flatMap((key) => [
        [key, '--merge', 'deep', '--explain'],
        [key, '--merge', 'unique', '--explain'],
        [key, '--merge', 'deep', '--sort-merged-arrays'],
        [key, '--merge', 'deep', '--merge-hash-arrays'],
      ]),
      ['knock', '--merge', 'deep', '--knock-out-prefix=--'],
      ...'by_options pattern_a pattern_deep_b converted converted_list secret first_wins sorted arrays late bad_merge bad_convert'
        .split(' ')
        .flatMap((key) => both(key)),
      ['by_options', '--explain-options'],
      ['pattern_a', '--explain-options'],
      ['late', '--explain', '--explain-options'],
      ['text', '--type', 'Integer'],
      ['text', '--type', 'String'],
      ['nothing', '--default', 'd'],
      ['nothing', '--default', 'd', '--type', 'Integer'],
      ['nothing', 'also_nothing', 'text'],
    ],
  },
  {
    name: 'layers',
    files: {
      'global/hiera.yaml': hierarchy('  - name: Global\n    path: g.yaml\n    datadir: {GLOBAL}\n'),
      'global/g.yaml': yaml(
        'everywhere: global\nmod::p: {g: 1}\nlookup_options: {everywhere: {merge: unique}}',
      ),
      'hiera.yaml': hierarchy(
        level('Common', 'common.yaml'),
        'default_hierarchy:\n  - name: Ignored\n    path: default.yaml\n',
      ),
      'data/common.yaml': yaml(
        'everywhere: environment\nmod::p: {e: 2}\nlookup_options: {"mod::p": {merge: hash}}',
      ),
      'modules/mod/hiera.yaml': hierarchy(
        level('Module', 'm.yaml'),
        'default_hierarchy:\n  - name: Default\n    path: default.yaml\n  - name: Second default\n    path: default2.yaml\n',
      ),
      'modules/mod/data/m.yaml': yaml('mod::p: {m: 3}\nmod::only: module\nother::x: 1'),
      'modules/mod/data/default.yaml': yaml(
        'mod::p: {d: 4}\nmod::fallback: [default]\nlookup_options: {"mod::fallback": {merge: unique}}',
      ),
      'modules/mod/data/default2.yaml': yaml('mod::fallback: [second]\nmod::p: {d2: 5}'),
      'modules/plain/data/common.yaml': yaml('plain::x: 1'),
      'modules/nothing/manifests/init.pp': 'class nothing {}\n',
    },
    lookups: [
      ...'everywhere mod::p mod::only mod::fallback other::x plain::x nothing::x unknown::x mod::missing'
        .split(' ')
        .flatMap((key) => both(key)),
      ['mod::p', '--explain', '--explain-options'],
      ['mod::p', '--merge', 'first'],
    ],
  },
  {
    name: 'backends in the language and in Ruby',
    files: {
      'hiera.yaml': hierarchy(
        [
          '  - name: Dig\n    data_dig: mod::dig\n    path: dig.yaml\n',
          '  - name: Key\n    lookup_key: mod::key\n    options: {a: 1}\n',
          '  - name: Hash\n    data_hash: mod::hash\n',
          '  - name: Ruby\n    lookup_key: mod::ruby\n    paths: [r1.yaml, r2.yaml]\n',
          '  - name: Unknown\n    data_hash: mod::unknown\n    path: dig.yaml\n',
        ].join(''),
      ),
      'data/dig.yaml': yaml('x: 1'),
      'data/r1.yaml': yaml('x: 1'),
      'data/r2.yaml': yaml('x: 1'),
      'modules/mod/functions/dig.pp':
        'function mod::dig(Array[Variant[String,Integer]] $segments, Hash $options, Puppet::LookupContext $context) {\n if $segments[0] == "dug" { $segments.join("/") } else { $context.not_found() }\n}\n',
      'modules/mod/functions/key.pp':
        'function mod::key(String $key, Hash $options, Puppet::LookupContext $context) {\n case $key {\n "opts": { $options }\n "told": { $context.explain || { "something to say" } "yes" }\n "interpolated": { $context.interpolate("%{facts.role}") }\n "module": { $context.module_name }\n "environment": { $context.environment_name }\n "cached": { $context.cache("k", "v") $context.cached_value("k") }\n "failing": { fail("no luck") }\n "undefined": { undef }\n default: { $context.not_found() }\n }\n}\n',
      'modules/mod/functions/hash.pp':
        'function mod::hash(Hash $options, Puppet::LookupContext $context) {\n { "hashed" => "%{facts.role}", "looked" => "%{lookup(\'hashed\')}" }\n}\n',
      'modules/mod/lib/puppet/functions/mod/ruby.rb':
        "Puppet::Functions.create_function(:'mod::ruby') do\n dispatch(:run) { param 'String', :key; param 'Hash', :options; param 'Puppet::LookupContext', :context }\n def run(key, options, context)\n  return context.not_found unless key == 'rubied'\n  context.explain { \"from #{File.basename(options['path'])}\" }\n  context.cache('n', (context.cached_value('n') || 0) + 1)\n  [key, File.basename(options['path']), context.cached_file_data(options['path'])['x'] || context.cached_file_data(options['path']).length]\n end\nend\n",
    },
    lookups:
      'dug.a.0 dug opts told interpolated module environment cached failing undefined hashed looked rubied nothing'
        .split(' ')
        .flatMap((key) => both(key)),
  },
  ...[
    ['data_hash', 'Hash'],
    ['data_hash', 'Hash[String, Integer]'],
    ['data_hash', 'Hash[String, Data]'],
    ['data_hash', 'Hash[String, Any]'],
    ['data_hash', 'String'],
    ['data_hash', 'Struct[{x => Integer}]'],
    ['lookup_key', 'Any'],
    ['lookup_key', 'Integer'],
    ['lookup_key', 'Hash'],
    ['lookup_key', 'Variant[Integer, Undef]'],
    ['data_dig', 'Runtime'],
    ['data_dig', 'RichData'],
  ].map(([kind = '', type = '']) => ({
    name: `a ${kind} function that returns ${type}`,
    files: {
      'hiera.yaml': hierarchy(`  - name: A\n    ${kind}: mod::f\n`),
      'modules/mod/functions/f.pp':
        kind === 'data_hash'
          ? `function mod::f(Hash $options, Puppet::LookupContext $context) >> ${type} { { "x" => 1 } }\n`
          : `function mod::f(Any $key, Hash $options, Puppet::LookupContext $context) >> ${type} { 1 }\n`,
    },
    lookups: both('x'),
  })),
  ...[
    ['data_hash', ["'Hash[String, Data]'"]],
    ['data_hash', ["'Hash[String, Any]'"]],
    ['data_hash', ["'String'"]],
    ['data_hash', ['']],
    ['lookup_key', ["'Any'"]],
    ['lookup_key', ["'Integer'"]],
    ['lookup_key', ["'Optional[Mine]'"]],
    ['lookup_key', ["'String'"]],
    ['lookup_key', ["'Integer'", "'Any'"]],
    ['lookup_key', ['', "'Runtime'"]],
    ['data_dig', ["'Runtime'"]],
  ].map(([kind, types]) => ({
    name: `a ${String(kind)} function in Ruby that returns ${[types].flat().join(' or ') || 'what it does not say'}`,
    files: {
      'hiera.yaml': hierarchy(`  - name: A\n    ${String(kind)}: mod::f\n`),
      'modules/mod/lib/puppet/functions/mod/f.rb': `Puppet::Functions.create_function(:'mod::f') do
  local_types { type 'Mine = Integer' }
${[types]
  .flat()
  .map((type, index) => {
    const first = index > 0 ? "param 'Float', :other" : kind === 'data_hash' ? '' : "param 'Any', :key";
    const result = type === '' ? '' : `return_type ${type}`;
    return `  dispatch(:run) { ${first}; param 'Hash', :options; param 'Puppet::LookupContext', :context; ${result} }`;
  })
  .join('\n')}
  def run(*)
    ${kind === 'data_hash' ? "{ 'x' => 1 }" : '1'}
  end
end
`,
    },
    lookups: both('x'),
  })),
  ...[
    ['a method', '  - name: A\n    path: "%{lookup(\'x\')}.yaml"\n'],
    [
      'a method in its options',
      '  - name: A\n    lookup_key: mod::raise\n    options: {o: "%{lookup(\'x\')}"}\n',
    ],
    ['a method in a data directory', '  - name: A\n    datadir: "%{alias(\'x\')}"\n    path: a.yaml\n'],
    ['files at addresses', '  - name: A\n    uri: "http://a/%{facts.role}"\n    data_hash: yaml_data\n'],
    ['secrets at addresses', '  - name: A\n    uri: "http://a"\n    lookup_key: eyaml_lookup_key\n'],
    ['options for files', '  - name: A\n    path: a.yaml\n    options: {o: 1}\n'],
    ['an address that is none', '  - name: A\n    uri: "just text"\n    lookup_key: mod::raise\n'],
    ['an address without a host', '  - name: A\n    uri: "HTTP:///"\n    data_hash: mod::options\n'],
    ['a data directory that is this one', '  - name: A\n    datadir: ./data\n    path: a.yaml\n'],
    ['a data directory beside this one', '  - name: A\n    datadir: ../production/data\n    path: a.yaml\n'],
    ['entries that are cached', '  - name: A\n    lookup_key: mod::cached\n'],
    ['a backend that fails', '  - name: A\n    lookup_key: mod::raise\n'],
  ].map(([name = '', levels = '']) => ({
    name: `a hierarchy with ${name}`,
    files: {
      'hiera.yaml': hierarchy(levels),
      'data/a.yaml': yaml('x: 1\nlookup_error: 2\nargument_error: 3'),
      'modules/mod/functions/options.pp':
        'function mod::options(Hash $options, Puppet::LookupContext $context) {\n { "x" => $options }\n}\n',
      'modules/mod/functions/cached.pp':
        'function mod::cached(String $key, Hash $options, Puppet::LookupContext $context) {\n unless $key == "x" { $context.not_found() }\n $context.cache_all({"a" => 1, "b" => $key})\n $context.cached_entries.map |$k, $v| { "${k}=${v}" }\n}\n',
      'modules/mod/lib/puppet/functions/mod/raise.rb': `Puppet::Functions.create_function(:'mod::raise') do
  dispatch(:run) { param 'String', :key; param 'Hash', :options; param 'Puppet::LookupContext', :context }
  def run(key, options, context)
    case key
    when 'x' then [context.environment_name == :production, context.environment_name.to_s]
    when 'symbol' then { 'a' => context.environment_name }
    when 'lookup_error' then raise Puppet::DataBinding::LookupError, 'refused'
    when 'puppet_error' then raise Puppet::Error, 'wrong'
    when 'argument_error' then raise ArgumentError, 'bad'
    when 'type_error' then 1 + nil
    else context.not_found
    end
  end
end
`,
    },
    lookups: [
      ...both('x'),
      ...(levels.includes('mod::raise')
        ? ['symbol', 'lookup_error', 'puppet_error', 'argument_error', 'type_error']
        : []
      ).flatMap((key) => both(key)),
    ],
  })),
  ...[
    ['no version', '---\nhierarchy: []\n'],
    ['version 3', '---\n:backends: yaml\n:hierarchy:\n  - common\n'],
    ['version 4', '---\nversion: 4\n'],
    [
      'version 4 that is full',
      '---\nversion: 4\nhierarchy:\n  - {name: A, backend: yaml, path: "%{facts.role}"}\n  - {name: B, backend: yaml, paths: [a, common.yaml]}\n  - {name: C, backend: json}\n  - {name: D, backend: yaml, datadir: "%{facts.role}", path: a}\n',
    ],
    [
      'version 4 with an unknown backend',
      '---\nversion: 4\nhierarchy:\n  - name: a\n    backend: yaml\n  - name: B\n    backend: nothing\n',
    ],
    [
      'version 4 with a name twice',
      '---\nversion: 4\nhierarchy:\n  - name: A\n    backend: yaml\n  - name: A\n    backend: nothing\n',
    ],
    [
      'a hierarchy for plans',
      hierarchy(level('A', 'a.yaml'), 'plan_hierarchy:\n  - name: P\n    path: a.yaml\n    glob: b\n'),
    ],
    ['an unknown key', hierarchy(level('A', 'a.yaml', '    wrong: 1\n'))],
    ['two kinds of path', hierarchy('  - name: A\n    path: a.yaml\n    glob: b\n')],
    ['two functions', hierarchy('  - name: A\n    data_hash: yaml_data\n    lookup_key: x\n    path: a\n')],
    ['the same name twice', hierarchy(level('A', 'a.yaml') + level('A', 'b.yaml'))],
    ['a reserved option', hierarchy('  - name: A\n    path: a.yaml\n    options: {path: x}\n')],
    ['no name', '---\nversion: 5\nhierarchy:\n  - path: a.yaml\n'],
    ['a hierarchy that is text', '---\nversion: 5\nhierarchy: text\n'],
    ['broken YAML', '---\nversion: 5\nhierarchy: [\n'],
    ['an empty file', ''],
    ['a list', '- a\n'],
    ['hiera3_backend', hierarchy('  - name: A\n    hiera3_backend: yaml\n    path: a\n')],
    [
      'defaults with two functions',
      hierarchy(level('A', 'a.yaml'), 'defaults:\n  data_hash: yaml_data\n  lookup_key: x\n'),
    ],
    ['a default hierarchy in an environment', hierarchy(level('A', 'a.yaml'), 'default_hierarchy: []\n')],
    ['a bad option name', hierarchy('  - name: A\n    path: a.yaml\n    options: {"1x": x}\n')],
    ['a path that is a list', '---\nversion: 5\nhierarchy:\n  - name: A\n    path: [a]\n'],
    ['plain defaults', '---\nversion: 5\ndefaults:\n  datadir: d\n  data_hash: yaml_data\n'],
  ].map(([name = '', text = '']) => ({
    name: `a configuration with ${name}`,
    files: {
      'hiera.yaml': text,
      'data/a.yaml': yaml('x: 1'),
      'data/common.yaml': yaml('x: 2'),
      'd/common.yaml': yaml('x: 3'),
    },
    lookups: both('x'),
  })),
  ...[
    ['broken YAML', 'a.yaml', 'x: [\ny: 1\n'],
    ['a tab', 'a.yaml', 'x:\n\t- 1\n'],
    ['text', 'a.yaml', 'just text\n'],
    ['a list', 'a.yaml', '- 1\n'],
    ['nothing', 'a.yaml', ''],
    ['a byte order mark', 'a.yaml', '\ufeffx: marked\n'],
    ['a Ruby object', 'a.yaml', '--- !ruby/object:Object {}\n'],
    ['a symbol', 'a.yaml', 'x: !ruby/symbol foo\n'],
    ['symbols in brackets', 'a.yaml', 'x: [:foo, {:k: :v}]\nother: {:a: 1}\n'],
    ['symbols within', 'a.yaml', 'x:\n- :foo\n- :k: :v\nother:\n  :a: 1\n'],
    ['the symbol default', 'a.yaml', 'x: :default\nother:\n- :default\n'],
    ['symbols in options', 'a.yaml', 'lookup_options:\n  x:\n    merge: :unique\nx: 1\n'],
    ['symbols as keys of options', 'a.yaml', 'lookup_options:\n  x:\n    :merge: unique\nx: 1\n'],
    ['a regular expression', 'a.yaml', 'x: !ruby/regexp /a/\n'],
    ['the same key twice', 'a.yaml', 'x: 1\nx: 2\n'],
    ['numbers as keys', 'a.yaml', 'x: {1: a, 1.5: b, true: c}\n'],
    ['an alias', 'a.yaml', 'anchor: &a {x: 1}\nx: *a\n'],
    ['undefined alias', 'a.yaml', 'x: *nope\n'],
    ['lookup options that are text', 'a.yaml', 'lookup_options: text\nx: 1\n'],
    ['bad lookup options', 'a.yaml', 'lookup_options: {x: text}\nx: 1\n'],
    ['a bad pattern', 'a.yaml', "lookup_options: {'^(x': {merge: unique}}\nx: 1\n"],
  ].map(([name = '', file = '', text = '']) => ({
    name: `a data file with ${name}`,
    files: {
      'hiera.yaml': hierarchy(level('A', file) + level('B', 'b.yaml')),
      [`data/${file}`]: text,
      'data/b.yaml': yaml('x: 2\nother: 3'),
    },
    lookups: [...both('x'), ['other']],
  })),
  {
    name: 'broken JSON and HOCON',
    files: {
      'hiera.yaml': hierarchy(
        '  - name: J\n    path: a.json\n    data_hash: json_data\n  - name: H\n    path: a.conf\n    data_hash: hocon_data\n',
      ),
      'data/a.json': '{"x": }',
      'data/a.conf': 'x = {',
    },
    lookups: both('x'),
  },
  {
    name: 'encrypted values',
    isEncrypted: true,
    files: {
      'hiera.yaml': hierarchy(
        [
          '  - name: One\n    path: one.yaml\n    lookup_key: eyaml_lookup_key\n    options: {pkcs7_private_key: "{KEYS}/one.key", pkcs7_public_key: "{KEYS}/one.crt"}\n',
          '  - name: Two\n    paths: [two.yaml]\n    lookup_key: eyaml_lookup_key\n    options: {pkcs7_private_key: "{KEYS}/two.key", pkcs7_public_key: "{KEYS}/two.crt"}\n',
          '  - name: Wrong\n    path: wrong.yaml\n    lookup_key: eyaml_lookup_key\n    options: {pkcs7_private_key: "{KEYS}/two.key", pkcs7_public_key: "{KEYS}/two.crt"}\n',
          '  - name: Missing\n    path: missing_key.yaml\n    lookup_key: eyaml_lookup_key\n    options: {pkcs7_private_key: "{KEYS}/none.key", pkcs7_public_key: "{KEYS}/none.crt"}\n',
        ].join(''),
      ),
      'data/one.yaml': yaml(
        'secret: ENC(one, hidden)\nlist: ["ENC(one, a)", plain]\nhash: {k: "ENC(one, v)", l: ["ENC(one, w)"]}\ninterpolated: ENC(one, role %{facts.role})\naround: "x ENC(one, y) z"\nboth: ENC(one, 1)\nplain: text\nlines: ENC(one, two\nlines)',
      ),
      'data/two.yaml': yaml('second: ENC(two, of two)\nboth: ENC(two, 2)'),
      'data/wrong.yaml': yaml(
        'wrong: ENC(one, cannot)\nfine: 1\nbroken: ENC[PKCS7,AAAA]\nunknown: ENC[GPG,AAAA]',
      ),
      'data/missing_key.yaml': yaml('keyless: ENC(one, x)\nfree: 1'),
    },
    lookups: [
      ...'secret list hash interpolated around plain lines second wrong fine broken keyless free'
        .split(' ')
        .map((key) => [key]),
      ...both('both', '--merge', 'unique'),
      ['secret', '--explain'],
      ['hash.l.0'],
    ],
  },
];
