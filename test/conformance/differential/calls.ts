/** Families of snippets: calls of functions, iteration, lookups, templates. */

import type { Family } from './expressions.ts';
import type { Random } from './random.ts';
import { type } from './types.ts';
import { argument, array, hash, integer, text, value } from './values.ts';

/** Those that neither change the machine nor tell the time. */
const FUNCTIONS = [
  'abs',
  'all',
  'annotate',
  'any',
  'assert_type',
  'binary_file',
  'call',
  'camelcase',
  'capitalize',
  'ceiling',
  'chomp',
  'chop',
  'compare',
  'contain',
  'convert_to',
  'create_resources',
  'defined',
  'dig',
  'digest',
  'downcase',
  'each',
  'empty',
  'epp',
  'fail',
  'file',
  'filter',
  'find_file',
  'find_template',
  'flatten',
  'floor',
  'fqdn_rand',
  'get',
  'getvar',
  'group_by',
  'include',
  'index',
  'inline_epp',
  'inline_template',
  'join',
  'keys',
  'length',
  'lest',
  'lookup',
  'lstrip',
  'map',
  'match',
  'max',
  'md5',
  'min',
  'module_directory',
  'new',
  'notice',
  'partition',
  'realize',
  'reduce',
  'regsubst',
  'require',
  'return',
  'reverse_each',
  'round',
  'rstrip',
  'scanf',
  'sha1',
  'sha256',
  'shellquote',
  'size',
  'slice',
  'sort',
  'split',
  'sprintf',
  'step',
  'strftime',
  'strip',
  'tag',
  'tagged',
  'template',
  'then',
  'tree_each',
  'type',
  'unique',
  'unwrap',
  'upcase',
  'values',
  'versioncmp',
  'warning',
  'with',
  'yaml_data',
  'json_data',
  'import',
  'hiera',
  'hiera_array',
  'hiera_hash',
  'hiera_include',
  'eyaml_lookup_key',
  'hocon_data',
  'nosuch',
  'break',
  'next',
  'debug',
  'err',
];
const BLOCKS = [
  '',
  '',
  '',
  ' |$x| { $x }',
  ' |$x, $y| { $x }',
  ' |$x| { true }',
  ' |$k, $v| { [$k, $v] }',
  ' |$x = 1| { $x }',
  ' |*$x| { $x }',
  ' || { 1 }',
  ' |Integer $x| { $x }',
  ' |$m, $x| { "${m}${x}" }',
  ' |$a, $b| { compare("${a}", "${b}") }',
  ' |$x| { break() }',
  ' |$x| { next($x) }',
  ' |$x| { $x =~ Integer }',
];

function functions(random: Random): string {
  const name = random.pick(FUNCTIONS);
  if (name === 'scanf') return `scanf(${text(random)}, '%d')`;
  const args = random.some(0, 3, () => argument(random)).join(', ');
  if (random.chance(30))
    return `$x = ${value(random)}\n$x.${name}${random.chance(60) ? '' : `(${args})`}${random.pick(BLOCKS)}`;
  return `${name}(${args})${random.pick(BLOCKS)}`;
}

/** Likely arguments, so that calls get further than the check of their types. */
function fitting(random: Random): string {
  const list = (): string => array(random);
  const any = (): string => argument(random);
  const makers: readonly (() => string)[] = [
    () =>
      `${random.pick(['upcase', 'downcase', 'capitalize', 'camelcase', 'strip', 'lstrip', 'rstrip', 'chop', 'chomp'])}(${random.chance(70) ? text(random) : list()})`,
    () =>
      `${random.pick(['size', 'length', 'empty', 'keys', 'values', 'flatten', 'unique', 'sort'])}(${any()})`,
    () => `${random.pick(['min', 'max', 'compare'])}(${any()}, ${any()})`,
    () =>
      `${random.pick(['abs', 'round', 'floor', 'ceiling'])}(${random.chance(60) ? integer(random) : any()})`,
    () => `join(${list()}, ${text(random)})`,
    () => `split(${text(random)}, ${random.pick(["''", "'a'", '/b/', "'[.]'", 'Regexp[/-/]', '/(a)/'])})`,
    () =>
      `regsubst(${text(random)}, ${random.pick(["'a'", '/[a-c]/', "'(.)'", '/^/'])}, ${random.pick(["'x'", "'<\\\\1>'", "'\\\\0'", "{'a' => 'b'}"])}${random.pick(['', ", 'G'", ", 'I'", ", 'GIM'"])})`,
    () =>
      `match(${random.chance(80) ? text(random) : list()}, ${random.pick(['/a/', '/(.)(.)/', "'b'", 'Pattern[/a/]', '[/x/, /a/]', 'Regexp[/b/]'])})`,
    () =>
      `versioncmp(${random.pick(["'1.2.3'", "'1.10'", "'a'"])}, ${random.pick(["'1.2.4'", "'1.9-1'", "'1.b'"])}${random.pick(['', ', true'])})`,
    () => `dig(${any()}, ${random.some(1, 2, () => random.pick(["'a'", '0', '1', "'b'"])).join(', ')})`,
    () =>
      `$v = ${any()}\ngetvar('v${random.pick(['', '.0', '.a', '.a.b', '.1.a', '..', '.'])}'${random.pick(['', ", 'dflt'"])})`,
    () => `get(${any()}, '${random.pick(['a', '0', 'a.b', '0.a', "'a.b'", ''])}'${random.pick(['', ', 7'])})`,
    () =>
      `strftime(${random.pick(["Timespan('1-02:03:04.567')", "Timestamp('2021-03-04T05:06:07.089 UTC')"])}, '%${random.pick(['', '-', '_', '0', '^', '#', '10', '-3'])}${random.pick('YCymBbhdejHklMSLNzZAauwGgVUWsnt%FTDRrcxXPpIQ'.split(''))}'${random.pick(['', ", 'CET'", ", '+01:00'"])})`,
    () => `index(${any()}, ${any()})`,
    () =>
      `${random.pick(['any', 'all', 'map', 'filter', 'each', 'group_by', 'partition'])}(${any()}) ${random.pick(['|$x| { $x }', '|$i, $x| { $i }', '|$x| { $x == 1 }'])}`,
    () => `reduce(${any()}${random.pick(['', ', 0', ', []'])}) |$m, $x| { [$m, $x] }`,
    () =>
      `slice(${any()}, ${random.pick(['1', '2', '3', '0'])})${random.pick(['', ' |$a| { notice($a) }', ' |$a, $b| { notice($a) }'])}`,
    () =>
      `$x = ${any()}\n$x.${random.pick(['step(2)', 'reverse_each', 'reverse_each.step(2)', 'step(2).reverse_each', 'tree_each', 'step(3).map |$y| { $y }'])}.${random.pick(['each |$y| { notice($y) }', 'map |$y| { $y }', 'filter |$y| { $y }'])}`,
    () =>
      `tree_each(${any()}, {${random.pick(['', 'order => breadth_first', 'include_root => false', 'include_containers => false', 'include_values => false', 'container_type => Array'])}}) |$p, $v| { notice("\${p} \${v}") }`,
    () => `unique(${any()})${random.pick(['', ' |$x| { "${x}"[0] }'])}`,
    () => `shellquote(${random.some(1, 3, () => text(random)).join(', ')})`,
    () => `${random.pick(['md5', 'sha1', 'sha256'])}(${text(random)})`,
    () =>
      `${random.pick(['defined', 'tagged'])}(${random.pick(["'notify'", "'$x'", 'File', "File['/a']", "'foo'", "Class['foo']", "'nosuch'", "''"])})`,
    () => `call('${random.pick(['upcase', 'size', 'nosuch', 'with'])}', ${any()})`,
    () =>
      `create_resources(${random.pick(['notify', "'@notify'", 'Notify', "'@@notify'", "'class'"])}, ${hash(random)}${random.pick(['', ", {'message' => 'm'}"])})`,
    () => `fqdn_rand(${integer(random)}, ${any()})`,
    () => `assert_type(${type(random)}, ${any()})${random.pick(['', ' |$e, $a| { "${e} ${a}" }'])}`,
    () =>
      `lookup(${random.pick(["'plain'", "'nosuch'", "['nosuch', 'plain']", "'layered'", "'nosuch', String, first, 'd'", "'nosuch', {default_value => 1}", "{name => 'nosuch', default_value => 2}", "'a.b'"])})`,
    () =>
      `inline_epp(@(E)${random.pick(['', ', {x => 1}', ', {y => 2}'])})\n  ${random.pick(['', '<%- | $x | -%>\n  ', '<%- | Integer $x = 3 | -%>\n  '])}a <%= ${random.pick(['$x', '1 + 1', 'undef', '[1]', 'Sensitive(1)'])} ${random.pick(['%>', '-%>'])}\n  <%# c ${random.pick(['%>', '-%>'])} b <%% %%>\n  | E`,
  ];
  return random.pick(makers)();
}

export const callFamilies: Readonly<Record<string, Family>> = { functions, fitting };
