/** Type expressions. */

import type { Random } from './random.ts';
import { integer, text, value } from './values.ts';

const PLAIN = [
  'Any',
  'Undef',
  'Default',
  'Boolean',
  'Integer',
  'Float',
  'Numeric',
  'String',
  'Regexp',
  'Scalar',
  'ScalarData',
  'Data',
  'RichData',
  'Collection',
  'Array',
  'Hash',
  'Tuple',
  'Struct',
  'Enum',
  'Pattern',
  'Optional',
  'NotUndef',
  'Variant',
  'Callable',
  'Type',
  'CatalogEntry',
  'Resource',
  'Class',
  'Sensitive',
  'Binary',
  'SemVer',
  'SemVerRange',
  'Timestamp',
  'Timespan',
  'URI',
  'Iterable',
  'Iterator',
  'Object',
  'Deferred',
  'Error',
  'Init',
  'Runtime',
  'File',
  'Notify',
  'TypeSet',
  'RichDataKey',
  'Target',
];

export function type(random: Random, depth = 2): string {
  if (depth <= 0 || random.chance(30)) return random.pick(PLAIN);
  const inner = (): string => type(random, depth - 1);
  const size = (): string => random.pick(['', ', 1', ', 0, 2', ', 1, 3', ', default, 2', ', 2, default']);
  const makers: readonly (() => string)[] = [
    () => `Array[${inner()}${size()}]`,
    () => `Hash[${inner()}, ${inner()}${size()}]`,
    () => `Tuple[${random.some(1, 3, inner).join(', ')}${random.pick(['', ', 1', ', 1, 5'])}]`,
    () =>
      `Struct[{${random.some(1, 3, () => random.pick(['a => ', 'Optional[b] => ', 'NotUndef[c] => ', "'d' => "]) + inner()).join(', ')}}]`,
    () => `Variant[${random.some(1, 3, inner).join(', ')}]`,
    () => `Optional[${random.chance(70) ? inner() : text(random)}]`,
    () => `NotUndef[${inner()}]`,
    () => `Integer[${random.pick(['1', '0', '-5', 'default'])}, ${random.pick(['10', '5', 'default'])}]`,
    () => `Float[${random.pick(['1.5', '0', 'default'])}, ${random.pick(['10.0', 'default'])}]`,
    () => `String[${random.pick(['1', '0', '2, 3', '1, default', '0, 4'])}]`,
    () =>
      `Enum[${random.some(1, 3, () => random.pick(["'a'", "'b'", "'abc'", "'10'", 'c'])).join(', ')}${random.chance(20) ? ', true' : ''}]`,
    () => `Pattern[${random.some(1, 2, () => random.pick(['/a/', '/^b/', "'c'", '/[0-9]+/'])).join(', ')}]`,
    () => `Type[${inner()}]`,
    () =>
      `Callable[${random.pick(['String', '0, 0', 'Integer, 1', 'String, Integer', '[String], Integer', '1, 2', 'Callable[1,1]', 'String, Callable'])}]`,
    () => `Sensitive[${inner()}]`,
    () => `Iterable[${inner()}]`,
    () => `Init[${random.pick(['Integer', 'Array', 'Timestamp', 'Float'])}]`,
    () =>
      `Timespan[${random.pick(["'0-00:00:01'", '1', 'default'])}, ${random.pick(["'1-00:00:00'", '100', 'default'])}]`,
    () => `SemVer[${random.pick(["'1.x'", "'>=1.0.0'", "'1.2.3'"])}]`,
    () => `Collection[${random.pick(['1', '0, 2'])}]`,
    () => `Boolean[${random.pick(['true', 'false'])}]`,
    () => `Regexp[${random.pick(['/a/', "'b'"])}]`,
    () => `Resource[${random.pick(["'file'", 'File', "'file', '/a'", 'Notify, x'])}]`,
    () => `Class[${random.pick(["'foo'", 'foo, bar', "'::baz'"])}]`,
    () =>
      `${random.pick(['Integer', 'String', 'Array', 'Hash', 'Enum', 'Struct', 'Boolean', 'Undef', 'Any'])}[${value(random, 1)}]`,
    () => `Object[{name => 'Foo::Bar', attributes => {a => ${inner()}}}]`,
    () => `URI[${random.pick(["'http://a'", "{scheme => 'http'}"])}]`,
    () => `Integer[${integer(random)}]`,
  ];
  return random.pick(makers)();
}
