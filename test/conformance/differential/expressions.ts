/** Families of snippets: expressions. */

import type { Random } from './random.ts';
import { type } from './types.ts';
import { argument, array, hash, integer, scalar, text, value } from './values.ts';

export type Family = (random: Random) => string;

const BINARY = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '<<',
  '>>',
  '==',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '=~',
  '!~',
  'in',
  'and',
  'or',
];
const UNARY = ['-', '!', '*'];

function operators(random: Random): string {
  const left = `$a = ${value(random)}\n$b = ${value(random)}\n`;
  const roll = random.below(10);
  if (roll < 6) return `${left}$a ${random.pick(BINARY)} $b`;
  if (roll < 7) return `${left}${random.pick(UNARY)}$a`;
  if (roll < 8) return `${left}($a ${random.pick(BINARY)} $b) ${random.pick(BINARY)} ${scalar(random)}`;
  if (roll < 9) return `${left}$a[${random.some(1, 3, () => scalar(random)).join(', ')}]`;
  return `${left}$a ? { $b => 1, ${scalar(random)} => 2, default => 3 }`;
}

function typing(random: Random): string {
  const roll = random.below(8);
  if (roll < 2)
    return `${value(random)} =~ ${type(random)}`
      .replace(/^\{/, '$x = {')
      .replace(/^(\$x = .*) =~ /, '$1\n$x =~ ');
  if (roll < 4) return `assert_type(${type(random)}, ${argument(random)})`;
  if (roll < 5) return `${type(random)} ${random.pick(['==', '<', '<=', '>', '>=', '!='])} ${type(random)}`;
  if (roll < 6)
    return `type(${argument(random)}${random.pick(['', ", 'generalized'", ", 'reduced'", ", 'detailed'"])})`;
  if (roll < 7) return `function f(${type(random)} $x) { $x }\nf(${argument(random)})`;
  return `${type(random)}`;
}

const CONSTRUCTED = [
  'Integer',
  'Float',
  'Numeric',
  'String',
  'Boolean',
  'Array',
  'Hash',
  'Tuple[Integer, String]',
  'Struct[{a => Integer}]',
  'Regexp',
  'SemVer',
  'SemVerRange',
  'Timespan',
  'Timestamp',
  'Binary',
  'Sensitive',
  'URI',
  'Type',
  'Variant[Integer, String]',
  'Optional[Integer]',
  'Enum[a]',
  'Integer[1, 10]',
  'Init[Integer]',
  'NotUndef[Integer]',
  'Pattern[/a/]',
  'Scalar',
  'Data',
  'Collection',
  'Error',
  'Deferred',
  'Any',
  'Array[String]',
  'Hash[String, Integer]',
];

function conversions(random: Random): string {
  const name = random.pick(CONSTRUCTED);
  const args = random.some(1, 2, () => argument(random)).join(', ');
  if (random.chance(20)) return `$x = ${value(random)}\n$x.convert_to(${name})`;
  return random.chance(50) ? `${name}(${args})` : `${name}.new(${args})`;
}

const FLAGS = ['', '', '#', '-', '+', ' ', '0', '<', '[', '(', '{', '|'];
const LETTERS = 'abBcCdDeEfgGhiopPrsStTuxXquy'.split('');

function formats(random: Random): string {
  const format = (): string =>
    `%${random.pick(FLAGS)}${random.pick(['', '', '5', '10', '1'])}${random.pick(['', '', '.2', '.0'])}${random.pick(LETTERS)}`;
  if (random.chance(40)) return `String(${argument(random)}, '${format()}')`;
  if (random.chance(40))
    return `sprintf('${format()}${random.pick(['', ' %s', ' %<a>s', '%%'])}', ${random.some(1, 2, () => argument(random)).join(', ')})`;
  const map = random.some(1, 3, () => `${type(random, 1)} => '${format()}'`);
  return `String(${random.chance(50) ? array(random) : hash(random)}, {${map.join(', ')}})`;
}

function nesting(random: Random): string {
  const make = (depth: number): string => {
    if (depth === 0) return random.chance(50) ? integer(random) : scalar(random);
    const inner = (): string => make(depth - 1);
    const makers: readonly (() => string)[] = [
      () => `(${inner()} ${random.pick(BINARY)} ${inner()})`,
      () => `[${inner()}, ${inner()}]`,
      () => `"x\${${inner()}}y"`,
      () => `if ${inner()} { ${inner()} } else { ${inner()} }`,
      () => `unless ${inner()} { ${inner()} }`,
      () => `case ${inner()} { ${inner()}: { ${inner()} } default: { ${inner()} } }`,
      () => `(${inner()} ? { ${inner()} => ${inner()}, default => ${inner()} })`,
      () => `with(${inner()}) |$x| { $x }`,
      () => `-(${inner()})`,
      () => `!(${inner()})`,
      () => `${inner()}.then |$x| { [$x] }`,
      () => `[${inner()}, ${inner()}].map |$i, $x| { ${inner()} }`,
    ];
    return random.pick(makers)();
  };
  return `$r = ${make(1 + random.below(3))}\n$r`;
}

function strings(random: Random): string {
  const pieces = [
    'a',
    '${x}',
    '${$x}',
    '$x',
    '${x[0]}',
    '${x.upcase}',
    '\\n',
    '\\t',
    '\\$',
    '\\\\',
    '\\u00e9',
    '\\u{1F600}',
    '${1 + 1}',
    '${[1, 2]}',
    "'",
    '$',
    '$ ',
    '${}',
    '\\x',
    '$x[0]',
    '$x.y',
    "${x['a']}",
    '${if true { 1 }}',
    'é',
    '\\s',
    '$::x',
    '${facts["os"]["name"]}',
    '${ x }',
    '{',
    '}',
    '#',
    '%',
    '$x::y',
    '$1',
    '${0}',
    '${x}-${x}',
    '\\"',
  ];
  const body = random.some(1, 5, () => random.pick(pieces)).join('');
  const before = `$x = ${random.chance(60) ? text(random) : value(random)}\n`;
  if (random.chance(60)) return `${before}"${body}"`;
  const flags = random.pick(['', '/', '/n', '/L', '/$', '/tsrnL$', '/u', '/q']);
  const quoted = random.chance(60) ? '"END"' : 'END';
  return `${before}$h = @(${quoted}${flags})\n  ${body}\n    ${random.pick(pieces)}\n  ${random.pick(['', '| ', '- ', '|- '])}END\n$h`;
}

export const expressionFamilies: Readonly<Record<string, Family>> = {
  operators,
  typing,
  conversions,
  formats,
  nesting,
  strings,
};
