/** Families of snippets: definitions and resources. */

import type { Family } from './expressions.ts';
import type { Random } from './random.ts';
import { type } from './types.ts';
import { argument, hash, scalar, text } from './values.ts';

const METAPARAMETERS = [
  "tag => 't1'",
  "tag => ['t1', 'a::b']",
  'noop => true',
  "loglevel => 'info'",
  "alias => 'al'",
  "schedule => 'daily'",
  'audit => all',
  'stage => main',
  'noop => undef',
];

function parameters(random: Random): string {
  const make = (): string =>
    `${random.chance(50) ? `${type(random, 1)} ` : ''}$${random.pick(['a', 'b', 'c'])}${random.pick(['', ` = ${argument(random)}`, ' = $a', ' = "${name}"', ' = $title'])}`;
  const seen = new Set<string>();
  return random
    .some(0, 3, make)
    .filter((each) => {
      const name = /\$(\w)/.exec(each)?.[1] ?? '';
      if (seen.has(name)) return false;
      seen.add(name);
      return true;
    })
    .join(', ');
}

function given(random: Random): string {
  return random.some(0, 3, () => `${random.pick(['a', 'b', 'c', 'd'])} => ${argument(random)}`).join(', ');
}

function definitions(random: Random): string {
  const kind = random.pick(['class', 'define', 'function']);
  const body = random.pick([
    'notify { "x${a}": }',
    'notify { "${title}": message => $name }',
    '[$a, $b]',
    '$z = $a + 1 notify { "${z}": }',
    'include other',
    'tag("tt") notify { "q": }',
  ]);
  if (kind === 'function')
    return `function f(${parameters(random)})${random.pick(['', ` >> ${type(random, 1)}`])} { ${random.pick(['$a', '[$a, $b]', 'return(1)', '$x = 1'])} }\nf(${random.some(0, 3, () => argument(random)).join(', ')})`;
  const other = `class other { notify { 'other': } }\n`;
  if (kind === 'define')
    return `${other}define d(${parameters(random)}) { ${body} }\nd { ${random.pick(["'t'", "['t', 'u']", "'t::u'"])}: ${given(random)} }`;
  return `${other}class c(${parameters(random)})${random.pick(['', '', ' inherits other'])} { ${body} }\n${random.pick([`class { 'c': ${given(random)} }`, 'include c', 'contain c', 'require c', "Class['c']", "include c\nclass { 'c': }"])}`;
}

function resource(random: Random): string {
  const prefix = random.pick(['', '', '', '@', '@@']);
  const titles = random.pick(["'a'", "'b'", "['a', 'c']", "'d'", "['b', 'e']"]);
  const attributes = random.some(0, 2, () =>
    random.chance(40)
      ? random.pick(METAPARAMETERS)
      : random.pick([
          `message => ${argument(random)}`,
          'withpath => true',
          "require => Notify['a']",
          "before => Notify['b']",
          "* => {message => 'splat'}",
          'nosuch => 1',
          "notify => Notify['d']",
          'require => undef',
        ]),
  );
  return `${prefix}notify { ${titles}: ${attributes.join(', ')} }`;
}

function relationship(random: Random): string {
  const operand = (): string =>
    random.pick([
      "Notify['a']",
      "Notify['b']",
      "Notify['a', 'b']",
      'Notify<| |>',
      "Notify<| title == 'a' |>",
      "Notify<| tag == 't1' or title == 'd' |>",
      "['Notify[a]']",
      "notify { 'z': }",
      "Class['c']",
      "Notify['nosuch']",
      'Notify <<| |>>',
      'undef',
      "Notify<| title != 'a' |>",
    ]);
  return random.some(2, 3, operand).join(` ${random.pick(['->', '~>', '<-', '<~'])} `);
}

function catalogs(random: Random): string {
  const makers: readonly (() => string)[] = [
    () => resource(random),
    () => resource(random),
    () => relationship(random),
    () =>
      `Notify { ${random.pick(["message => 'dflt'", "tag => 'dt'", 'noop => true', "withpath => false, message => 'x'"])} }`,
    () =>
      `Notify<| ${random.pick(['', "title == 'a'", "message == 'dflt'", "tag == 't1'", "title != 'b' and tag != 't1'"])} |> { ${random.pick(["message => 'over'", "tag +> 'ot'", "message +> 'plus'", 'noop => false'])} }`,
    () => `Notify['a'] { ${random.pick(["message => 'ref'", "tag +> 'rt'", 'message => undef'])} }`,
    () => `realize(Notify[${random.pick(["'a'", "'b'", "'nosuch'"])}])`,
    () => `class c { notify { 'in_c': } ${resource(random)} }\ninclude c`,
    () => `define d { notify { "d_\${title}": } }\nd { ${text(random)}: }`,
    () => `stage { 'pre': before => Stage['main'] }`,
    () =>
      `node ${random.pick(["'test.example.com'", 'default', '/test/', "'other'"])} { notify { 'node': } }`,
    () =>
      `notice(${random.pick(["Notify['a']['message']", "defined(Notify['a'])", "Notify['a']", "tagged('t1')"])})`,
    () => `tag('top${random.below(3)}')`,
    () => `create_resources('notify', {'cr' => ${hash(random, 1)}})`,
  ];
  return random.some(2, 5, () => random.pick(makers)()).join('\n');
}

function objects(random: Random): string {
  const attributes = (): string =>
    random
      .some(
        0,
        3,
        () =>
          `${random.pick(['a', 'b', 'c'])} => ${random.pick([type(random, 1), `{type => ${type(random, 1)}, value => ${scalar(random)}}`, `{type => ${type(random, 0)}, kind => ${random.pick(['constant', 'derived', 'given_or_derived', 'reference'])}, value => ${scalar(random)}}`, '{type => String, override => true}'])}`,
      )
      .join(', ');
  const extra = random.pick([
    '',
    '',
    ', equality => [a]',
    ', equality_include_type => false',
    ', type_parameters => {p => String}',
    ', functions => {f => Callable[Integer]}',
    ', constants => {k => 1}',
    ', serialization => [a]',
  ]);
  const child = random.pick([
    '',
    `type U = Object[{parent => T, attributes => {${attributes()}}}]\n`,
    `type U = Object[{parent => T, constants => {z => 2}}]\n`,
  ]);
  const use = random.pick([
    'T',
    `T(${random.some(0, 3, () => argument(random)).join(', ')})`,
    `T(${hash(random)})`,
    `$o = T('a' => 1)\n$o.a`,
    `U(${random.some(0, 2, () => argument(random)).join(', ')})`,
    'T() == T()',
    'type(T())',
    `T({a => ${scalar(random)}}).a`,
    'T(1) =~ T',
    'U <= T',
    `notify { 'n': message => T(${scalar(random)}) }`,
    '"${T(1)}"',
  ]);
  return `type T = Object[{attributes => {${attributes()}}${extra}}]\n${child}${use}`;
}

function aliases(random: Random): string {
  const body = random.pick([
    type(random),
    'Variant[Integer, Array[A]]',
    'Array[B]',
    'Optional[A]',
    'Hash[String, Variant[A, Integer]]',
  ]);
  const second = random.pick([
    '',
    `type B = ${type(random)}\n`,
    'type B = A\n',
    'type B = Array[A]\n',
    'type A = Integer\n',
  ]);
  const use = `${random.pick(['assert_type(A, ', 'type(A[', ''])}`;
  if (use === '') return `type A = ${body}\n${second}A`;
  return use.startsWith('assert')
    ? `${random.chance(20) ? `assert_type(A, 1)\n` : ''}type A = ${body}\n${second}assert_type(A, ${argument(random)})`
    : `type A = ${body}\n${second}[A, ${type(random, 0)}, A == B]`;
}

export const programFamilies: Readonly<Record<string, Family>> = { definitions, catalogs, objects, aliases };
