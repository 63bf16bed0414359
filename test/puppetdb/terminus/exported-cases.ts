/** Manifests that export, and manifests that collect in every way. */

import type { TerminusCase } from './two-compilers.ts';

/** What two nodes export; sent to PuppetDB by the real terminus. */
export const exporters: readonly TerminusCase[] = [
  {
    node: 'a.example.net',
    saves: true,
    code: `
      class web {
        @@file { '/tmp/a': ensure => file, content => "from a\\n", mode => '0644', tag => ['Web', 'site'] }
        @@notify { 'a says': message => 'hello', tag => 'greeting' }
      }
      include web
      define vhost($port, $options = {}, $aliases = [], $weight = 1.0, $comment = undef) {
        notify { "vhost \${title}": message => "\${port} \${options} \${aliases} \${weight} \${weight =~ Float}" }
      }
      @@vhost { 'a.example.net':
        port => 80, options => { 'x' => 1, 'y' => [true, 'z', 2.5] }, aliases => ['www', 'ftp'], weight => 1.0,
      }
      @@vhost { 'other': port => 8080, require => Notify['collector'], tag => 'second' }
      @@group { 'a.example.net': gid => 10, members => ['a', 'A'] }
      @@exec { 'named': command => '/bin/true', path => '/bin' }
      @@package { 'vim': ensure => '9007199254740993', name => 'vim-tiny' }
      notify { 'not exported': }
    `,
  },
  {
    node: 'b.example.net',
    saves: true,
    code: `
      define vhost($port, $options = {}, $aliases = [], $weight = 1.0, $comment = undef) { }
      @@vhost { 'b.example.net': port => 443, weight => 3, tag => 'Second' }
      @@file { '/tmp/b': ensure => directory, noop => true, before => Notify['collector'] }
      @@file { '/tmp/same': content => 'b' }
      @@notify { 'b says': message => 'hi', tag => ['greeting', 'b'] }
      @@group { 'b.example.net': gid => '20' }
      @@user { 'x': password => Sensitive('secret'), uid => 10 }
    `,
  },
  {
    node: 'c.example.net',
    saves: true,
    code: `@@file { '/tmp/same': content => 'c' }`,
  },
];

const vhost = `
  define vhost($port, $options = {}, $aliases = [], $weight = 1.0, $comment = undef) {
    notify { "vhost \${title}": message => "\${port} \${options} \${aliases} \${weight} \${weight =~ Float}" }
  }
  notify { 'collector': }`;

/** Each is compiled for a node that has exported nothing yet, unless it says otherwise. */
export const collectors: readonly TerminusCase[] = [
  'Notify <<| |>>',
  "Notify <<| title == 'a says' |>>",
  "Notify <<| title != 'a says' |>>",
  "Notify <<| tag == 'greeting' |>>",
  "Notify <<| tag == 'GREETING' |>>",
  "Notify <<| tag != 'b' |>>",
  "Notify <<| tag == 'web' |>>",
  "File <<| tag == 'site' and mode == '0644' |>>",
  "Notify <<| message == 'hi' or message == 'hello' |>>",
  "Notify <<| (message == 'hi' or message == 'hello') and tag == 'b' |>>",
  "Notify <<| message == 'hi' and tag == 'b' or title == 'a says' |>>",
  `${vhost} Vhost <<| |>>`,
  `${vhost} Vhost <<| port == 80 |>>`,
  `${vhost} Vhost <<| port == '80' |>>`,
  `${vhost} Vhost <<| weight == 1.0 |>>`,
  `${vhost} Vhost <<| weight == 1 |>>`,
  `${vhost} Vhost <<| weight == 3 |>>`,
  `${vhost} $o = { 'x' => 1, 'y' => [true, 'z', 2.5] } Vhost <<| options == $o |>>`,
  `${vhost} $l = ['www', 'ftp'] Vhost <<| aliases == $l |>>`,
  `${vhost} Vhost <<| aliases == 'www' |>>`,
  `${vhost} Vhost <<| comment == undef |>>`,
  `${vhost} Vhost <<| tag == 'second' |>>`,
  `${vhost} Vhost <<| tag == 'vhost' |>>`,
  `${vhost} Vhost <<| require == Notify['collector'] |>>`,
  `${vhost} File <<| before == Notify['collector'] |>>`,
  `${vhost} File <<| title == '/tmp/b' |>>`,
  `${vhost} File <<| noop == true |>>`,
  'File <<| |>>',
  "File <<| title == '/tmp/same' |>>",
  "file { '/tmp/a': } File <<| title == '/tmp/a' |>>",
  "@file { '/tmp/a': } File <<| title == '/tmp/a' |>>",
  "@@file { '/tmp/a': } File <<| title == '/tmp/a' |>>",
  "@@notify { 'mine': message => 'hello' } Notify <<| |>>",
  "@@notify { 'mine': message => 'hello' } Notify <<| message == 'hello' |>>",
  "@@notify { 'mine': message => 'hello' } Notify <<| message != 'hello' |>>",
  "@@notify { 'mine': tag => 'x' } Notify <<| tag == 'x' |>>",
  "@@notify { 'mine': } Notify <| |>",
  "@@notify { 'mine': } realize(Notify['mine'])",
  "@@notify { 'mine': }",
  "@notify { 'mine': } Notify <<| |>>",
  "Notify <<| title == 'a says' |>> { message => 'changed', tag => 'more' }",
  "Notify <<| tag == 'greeting' |>> { message +> 'more' }",
  "File <<| title == '/tmp/a' |>> { mode => '0600', owner => 'root' }",
  "File { owner => 'daemon', tag => 'default' } File <<| title == '/tmp/a' |>>",
  "File { mode => '0400' } File <<| title == '/tmp/a' |>> { group => 'x' }",
  `${vhost} Vhost <<| title == 'b.example.net' |>> { port => 444, options => { 'k' => 'v' } }`,
  "notify { 'z': } Notify <<| tag == 'b' |>> -> Notify['z']",
  "notify { 'z': } Notify['z'] ~> Notify <<| tag == 'b' |>>",
  'Group <<| |>>',
  "Group <<| gid == '10' |>>",
  'Group <<| gid == 10 |>>',
  "Group <<| members == 'a' |>>",
  'User <<| |>>',
  'User <<| uid == 10 |>>',
  'Exec <<| |>>',
  'Package <<| |>>',
  "package { 'vim-tiny': } Package <<| |>>",
  'Notify <<| |>> Notify <<| |>>',
  "Notify <<| title == 'a says' |>> Notify <<| tag == 'greeting' |>> { message => 'second' }",
  "class inner { Notify <<| title == 'a says' |>> } class { 'inner': tag => 'outer' }",
  "class inner { Notify <<| title == 'a says' |>> } include inner notify { 'n': require => Class['inner'] }",
  "define d { Notify <<| title == $title |>> } d { 'a says': } d { 'b says': }",
  "class web { } include web Notify <<| tag == 'web' |>>",
  "$t = 'a says' Notify <<| title == $t |>>",
  `$t = 'a' Notify <<| title == "\${t} says" |>>`,
  "$h = { 'k' => 'a says' } Notify <<| title == $h['k'] |>>",
  'Notify <<| title == greeting |>>',
  "Notify <<| tag == ['greeting', 'b'] |>>",
  'Notify <<| tag == 1 |>>',
  'Notify <<| tag == undef |>>',
  "Notify <<| 'x' |>>",
  "@@notify { 'mine': } Notify <<| 'x' |>>",
  'Notify <<| true |>>',
  'Notify <<| undef |>>',
  "Notify <<| title == 'a says' and true |>>",
  "Notify <<| title == 'a says' and undef |>>",
  "Notify <<| title == 'x'.upcase |>>",
  'Notify <<| title =~ /x/ |>>',
  'Notify <<| title > 1 |>>',
  "Notify <<| !(title == 'x') |>>",
  'Notify <<| message == 1.5 |>>',
  'Notify <<| message == [1, 2] |>>',
  'Nothing <<| |>>',
  'Class <<| |>>',
  "Class <| title == 'x' |>",
  "Notify <<| nonsense == 'x' |>>",
  "Notify <<| message == 'a\"b\\\\c\u00e9\u{1f600}' |>>",
  "$n = Notify <<| title == 'a says' |>>",
  "Notify <<| title == 'a says' |>> notify { 'a says': }",
  "Notify <<| title == 'a says' |>> Notify['a says'] { message => 'other' }",
  "class p { Notify <<| title == 'a says' |>> } class k inherits p { Notify['a says'] { message => 'other' } } include k",
  "Notify <<| title == 'a says' |>> notify { 'q': message => Notify['a says']['message'] }",
  "Notify <<| title == 'a says' |>> notify { 'q': message => defined(Notify['a says']) }",
  "Notify <<| title == 'b says' |>> Notify <| title == 'b says' |> { message => 'virtual too' }",
  "notify { 'z': require => Notify['a says'] } Notify <<| title == 'a says' |>>",
  "stage { 'late': } File <<| title == '/tmp/b' |>> notify { 'collector': }",
  "@@notify { 'k': before => Notify['l'] } notify { 'l': }",
  "collect { 'x': }",
].map((code) => ({ node: 'collector.example.net', code }));

/** For nodes that have exported: their own resources are not collected from PuppetDB. */
export const collectingExporters: readonly TerminusCase[] = [
  { node: 'a.example.net', code: 'Notify <<| |>>' },
  { node: 'a.example.net', code: "@@notify { 'a says': message => 'new' } Notify <<| |>>" },
  { node: 'c.example.net', code: "@@file { '/tmp/same': content => 'c' } File <<| title == '/tmp/same' |>>" },
];

/** `puppetdb_query` in every form, and what becomes of mistakes. */
export const queries: readonly TerminusCase[] = [
  'nodes[certname] { order by certname }',
  "nodes { certname = 'a.example.net' }",
  "resources[type, title, parameters] { exported = true and type = 'Vhost' order by title }",
  'resources[count()] { exported = true }',
  'nodes[nonsense] { }',
  'nodes[certname] {',
  'nonsense { }',
  '',
]
  .map((query) => ({
    node: 'asks.example.net',
    code: `$found = puppetdb_query("${query}") notify { 'found': message => $found }`,
  }))
  .concat(
    [
      `puppetdb_query(['from', 'nodes', ['extract', ['certname'], ['=', 'certname', 'a.example.net']]])`,
      `puppetdb_query(['from', 'resources', ['extract', ['title', 'parameters'], ['=', 'type', 'Vhost']], ['order_by', ['title']]]).map |$r| { [$r['title'], $r['parameters']['weight'], $r['parameters']['weight'] =~ Float] }`,
      `puppetdb_query(['from', 'nodes', ['=', 'certname', undef]])`,
      `puppetdb_query(['from', 'nonsense'])`,
      `puppetdb_query(['from', 'nodes', ['<', 'certname', 1]])`,
      `puppetdb_query(['from', 'resources', ['=', ['parameter', 'weight'], 1.0]])[0]['title']`,
      `puppetdb_query([])`,
      `puppetdb_query(1)`,
      `puppetdb_query({})`,
      `puppetdb_query()`,
      `puppetdb_query('nodes {}', 1)`,
      `puppetdb_query([Integer])`,
      `'nodes[certname] { order by certname }'.puppetdb_query.map |$n| { $n['certname'] }`,
      `inline_epp('<%= puppetdb_query("nodes[certname] { order by certname limit 1 }") %>')`,
      `inline_template('<%= scope.call_function("puppetdb_query", ["nodes[certname] { order by certname limit 1 }"]) %>')`,
      `inline_template('<%= scope.function_puppetdb_query(["nodes[certname] { limit 1 }"]) %>')`,
      `lookup('nothing', { 'default_value' => puppetdb_query('nodes[certname] { order by certname limit 1 }') })`,
    ].map((call) => ({
      node: 'asks.example.net',
      code: `$found = ${call} notify { 'found': message => $found }`,
    })),
  );

/** The same from functions in Ruby. */
export const rubyQueries: readonly TerminusCase[] = [
  'asks::by_call',
  'asks::by_library',
  'asks_by_scope',
].flatMap((name) =>
  [
    "'nodes[certname] { order by certname }'",
    "['from', 'nodes', ['extract', ['certname'], ['=', 'certname', 'b.example.net']]]",
    "'nodes[certname] {'",
  ].map((query) => ({
    node: 'asks.example.net',
    modules: new URL('modules', import.meta.url).pathname,
    code: `$found = ${name}(${query}) notify { 'found': message => $found }`,
  })),
);

/** With `storeconfigs` off: nothing is exported or collected, and queries go on. */
export const withoutStore: readonly TerminusCase[] = [
  'Notify <<| |>>',
  "@@notify { 'mine': } Notify <<| |>>",
  "@@notify { 'mine': } realize(Notify['mine'])",
  "@@notify { 'mine': } Notify <| |>",
  "class c { @@notify { ['x', 'y']: } Notify <<| title == 'x' |>> { message => 'z' } } include c",
  "create_resources('@@notify', { 'x' => {} })",
  'Notify <<| tag == 1 |>>',
  "notify { 'q': message => puppetdb_query('nodes[certname] { order by certname limit 1 }') }",
  "notify { 'q': message => $settings::storeconfigs }",
].map((code) => ({ node: 'plain.example.net', code }));
