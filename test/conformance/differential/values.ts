/** Expressions that give values of every kind. */

import type { Random } from './random.ts';

const INTEGERS = [
  '0',
  '1',
  '-1',
  '2',
  '7',
  '10',
  '255',
  '0x1F',
  '017',
  '-42',
  '1000000',
  '9223372036854775807',
  '-9223372036854775808',
  '4294967296',
];
const FLOATS = [
  '0.0',
  '1.0',
  '-1.5',
  '2.675',
  '1e3',
  '1.0e-7',
  '3.14159',
  '1e300',
  '-0.0',
  '123456789.125',
  '0.1',
];
const STRINGS = [
  "''",
  "'a'",
  "'abc'",
  "'ABC'",
  "'10'",
  "'0x1F'",
  "'-3.5'",
  "' x '",
  "'é'",
  "'日本'",
  "'a b'",
  '"line\\nbreak"',
  "'1.2.3'",
  "'true'",
  "'foo::bar'",
  "'Foo'",
  "'/etc/motd'",
  "'a.b.c'",
  '"tab\\t"',
  "'it''s'",
  "'$x'",
  '"\\u{1F600}"',
  '"q\\"q"',
  "'%d'",
  "'2024-01-02T03:04:05'",
  "'1-02:03:04'",
];
const OTHERS = [
  'undef',
  'default',
  'true',
  'false',
  '/a/',
  '/^b.*c$/',
  "Sensitive('s')",
  "SemVer('1.2.3-rc1')",
  "SemVerRange('>=1.0.0 <2.0.0')",
  "Timestamp('2020-01-02T03:04:05.678 UTC')",
  "Timespan('1-02:03:04.5')",
  'Timespan(3661)',
  "Binary('aGVsbG8=')",
  "URI('http://example.com:80/a?b=c#d')",
  'Integer',
  'String[1,2]',
  'Enum[a,b]',
  'Integer[1,3]',
  "File['/a']",
  "Class['foo']",
  'Notify',
  'Type[Integer]',
  'Array[String]',
  'Struct[{a=>Integer}]',
  "Deferred('upcase', ['a'])",
  "Error('msg', 'kind')",
  'Optional[String]',
  'Callable[String]',
  'Pattern[/a/]',
  'Any',
  "$facts['os']['family']",
  'Regexp[/x/]',
];

export function integer(random: Random): string {
  return random.chance(70) ? random.pick(INTEGERS) : String(random.below(2000) - 500);
}

export function text(random: Random): string {
  return random.pick(STRINGS);
}

export function scalar(random: Random): string {
  const roll = random.below(10);
  if (roll < 3) return integer(random);
  if (roll < 4) return random.pick(FLOATS);
  return roll < 8 ? text(random) : random.pick(OTHERS);
}

export function array(random: Random, depth = 2): string {
  return `[${random.some(0, 4, () => value(random, depth - 1)).join(', ')}]`;
}

export function hash(random: Random, depth = 2): string {
  const keys = ["'a'", "'b'", "'c'", '1', "'k'", 'true'];
  const entries = random.some(0, 3, () => `${random.pick(keys)} => ${value(random, depth - 1)}`);
  return `{${entries.join(', ')}}`;
}

export function value(random: Random, depth = 2): string {
  if (depth <= 0 || random.chance(60)) return scalar(random);
  return random.chance(60) ? array(random, depth) : hash(random, depth);
}

/** An argument: in parentheses where it would not be one otherwise. */
export function argument(random: Random): string {
  return value(random, 2);
}
