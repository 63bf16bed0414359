import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSnippet } from '../../../test/support/compile-snippet.ts';
import { renderCatalog } from '../catalog/index.ts';
import { PuppetError } from '../syntax/index.ts';

const MANIFEST = `
class base(Integer[1, 65535] $port = 80, Optional[Hash] $extra = undef) {
  $text = "port \${port} \${[1, 2].map |$y| { "\${y}" }.join(',')}"
  file { default: mode => '0644'; ['/a', "/b\${port}"]: ensure => file, content => $text }
  -> notify { 'n': message => $text ? { /^(\\w+) (\\d+)/ => $2, default => undef } }
}
class web inherits base { File['/a'] { mode +> '0600' } include other }
class other { @user { 'x': uid => 1 << 2 } User <| title == 'x' and uid != 3 |> { tag => ['t'] } }
define thing(String $a, Variant[Integer, Enum['b']] $c = 'b') { notify { "\${title} \${a}": } }
function twice(Numeric $x) >> Numeric { $x * 2 - 1.5 / (3 % 2) }
type Pair = Tuple[String, Variant[Pair, Integer], 1, 2]
include web
thing { ['p', 'q']: * => { 'a' => String(twice(3)), c => 7 }, require => Class['base'] }
$h = { 'l' => [1, 2.5], type => 'x' }
$h.each |$k, $v| { if $v =~ Array { notice($v[0] + 1) } elsif $k in ['type'] { warning(sprintf('%05d %s', 3, $k)) } }
unless $facts =~ Hash { fail('j') }
case $h['l'] { Tuple[Integer, Float]: { notice($h.reduce(0) |$m, $e| { $m + $e[0].length }) } default: { } }
notice(inline_epp('<%- | $a = 1 | -%> <%= $a %> <% [1].each |$x| { %>x<%= $x %><% } -%>', { a => 2 }))
notice(lookup('nothing', Integer, 'first', 3), regsubst('abc', '(b)', '<\\1>', 'G'), Pair)
`;

/** Compiles and renders; anything but a catalog or an error of the user's fails the test. */
function compile(code: string): string {
  try {
    renderCatalog(compileSnippet(code).catalog, 'application/vnd.puppet.rich+json');
    return 'a catalog';
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    return error.message;
  }
}

/** A good manifest with some of its words replaced by others of them. */
function shuffled(text: string): fc.Arbitrary<string> {
  const words = text.match(/\w+|\s+|[^\w\s]+/g) ?? [];
  const change = fc.tuple(fc.nat(words.length - 1), fc.constantFrom(...words));
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const mutated = [...words];
    for (const [at, word] of changes) mutated[at] = word;
    return mutated.join('');
  });
}

/** Expressions that have every right to be wrong. */
const value = fc.letrec<{ expression: string; leaf: string }>((tie) => ({
  leaf: fc.constantFrom(
    '1',
    '-2',
    '2.5',
    "'a'",
    '""',
    'undef',
    'default',
    'true',
    '[]',
    '{}',
    '/b+/',
    'Integer',
    'String[1]',
    'Notify["x"]',
    'Sensitive("s")',
    'Timestamp(0)',
    'Timespan(1)',
    'SemVer("1.2.3")',
    'Binary("YQ==")',
    '0x10',
    '1e300',
    "'%d %s'",
    'Any',
    'Type[Integer]',
    'Error("e")',
    '$facts',
  ),
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '>>', '==', '<', 'in', '=~', 'and'),
        tie('expression'),
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a})[${b}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `[${a}, ${b}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{ ${a} => ${b} }`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom(
          'map',
          'filter',
          'each',
          'reduce',
          'slice',
          'with',
          'then',
          'any',
          'group_by',
          'sort',
          'tree_each',
        ),
      )
      .map(([a, name]) => `(${a}).${name} |$x| { [$x] }`),
    fc
      .tuple(
        fc.constantFrom(
          'type',
          'String',
          'Integer',
          'Array',
          'flatten',
          'unique',
          'sprintf',
          'split',
          'dig',
          'new',
          'abs',
          'versioncmp',
          'regsubst',
          'strftime',
          'defined',
          'include',
          'lookup',
          'create_resources',
          'join',
        ),
        fc.array(tie('expression'), { maxLength: 3 }),
      )
      .map(([name, args]) => `${name}(${args.join(', ')})`),
  ),
})).expression;

describe('whatever the code, a compile ends with a catalog or an error of the user', () => {
  it('compiles the good one', () => {
    expect(compile(MANIFEST)).toBe('a catalog');
  });

  it('whatever words of a manifest are exchanged', () => {
    fc.assert(
      fc.property(shuffled(MANIFEST), (code) => void compile(code)),
      { numRuns: 400 },
    );
  });

  it('whatever expressions are put together', () => {
    fc.assert(
      fc.property(value, (code) => void compile(`$v = ${code}\nnotify { 'x': message => $v }`)),
      { numRuns: 600 },
    );
  });
});

describe('what does not end, or is too much, is an error', () => {
  const nested = '$n = Integer[1, 20000].reduce([]) |$m, $x| { [$m] }\n';

  it.each([
    ['a function', 'function f($x) { f($x) } f(1)'],
    ['functions and lambdas', 'function f($x) { [1].each |$y| { f($y) } } f(1)'],
    ['a template', "function f() { inline_epp('<%= f() %>') } f()"],
    ['inheritance', 'class a inherits b {} class b inherits a {} include a'],
    ['comparing what is nested', `${nested} notice($n == $n.map |$x| { $x })`],
    ['the type of a nested value', `${nested} notice(type($n))`],
    ['an attribute that is nested', `${nested} notify { 'a': message => $n }`],
    ['a secret that is nested', `${nested} notify { 'a': message => Sensitive($n) }`],
  ])('%s: stack level too deep', (_name, code) => {
    expect(compile(code)).toMatch(/^stack level too deep/);
  });

  it.each([
    ['text that doubles', '$s = Integer[1, 40].reduce("0123456789") |$m, $x| { "${m}${m}" }'],
    ['a list that doubles', '$a = Integer[1, 60].reduce([1]) |$m, $x| { $m + $m }'],
    ['a field of two billion characters', "$s = sprintf('%2000000000d', 1)"],
  ])('%s: failed to allocate memory', (_name, code) => {
    expect(compile(code)).toMatch(/failed to allocate memory/);
  });

  it('defined types that declare themselves', () => {
    expect(compile('define d() { d { "${name}x": } } d { x: }')).toMatch(/looped more than 1000 times/);
  });

  it('numbers beyond the range', () => {
    expect(compile('Integer[1, 100].reduce(10) |$m, $x| { $m * $m }')).toMatch(
      /outside of Puppet Integer max/,
    );
  });
});
