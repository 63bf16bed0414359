import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dump, PuppetError, parseEpp, parseManifest, validate } from './index.ts';

const MANIFEST = `
# A class that uses most of the grammar.
class site::web(Integer[1, 65535] $port = 80, Optional[Hash] $extra = undef, *$rest) inherits site {
  $text = @("END":json/tn)
    { "port": \${port}, "$name": "\\t\${x['a'][1].foo |$y| { "\${y}" }}" }
    | - END
  file { default: mode => '0644'; ['/a', "/b\${port}"]: ensure => file, * => $extra, notify +> Foo[bar] }
  -> Service <| title == 'x' and (enable != true or tag == "a") |> ~> Class['c']
  @@host { $facts['fqdn']: ip => $::ip ? { /^10\\./ => 1.5e3, default => 0x1F } }
  File['x'] { owner => 'root' }
  if $a =~ /b\\/c/ and !($d in [1, 'e', *$f]) { include foo, bar } elsif $g { notice 1 + -2 * 3 } else { }
  case $h { 1, 'i', default: { fail("j") } }
  $k = { 'l' => [m, n], type => 2 }.map |$o, $p| { $o + 1 << 2 }
}
node 'a.b', /c/ { unless true { contain d } }
function f::g(String $q) >> Array[String] { [$q] }
type T = Variant[String, Struct[{ a => Integer }]]
`;

const TEMPLATE = `<%- | $a, Integer $b = 1 | -%>
a <%= $a -%>
<%# comment -%>
<% $b.each |$c| { -%> <%% <%= { 'a' => 1 }['a'] %> <% } -%>
end`;

/** Reads a text; anything but a tree or an error of the user's fails the test. */
function read(parse: typeof parseManifest, text: string): void {
  try {
    const program = parse({ file: '/a.pp', text });
    validate(program, { strict: 'error', namespace: 'a' });
    dump(program);
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
  }
}

/** Texts made of pieces of a good one, in any order. */
function pieces(text: string): fc.Arbitrary<string> {
  const tokens = text.match(/\w+|\s+|[^\w\s]/g) ?? [];
  return fc
    .array(fc.oneof(fc.constantFrom(...tokens), fc.string({ maxLength: 3 })), { maxLength: 60 })
    .map((all) => all.join(''));
}

/** A good text with a part replaced. */
function damaged(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.nat(text.length),
      fc.nat(20),
      fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(...text.split(''))),
    )
    .map(([at, length, piece]) => text.slice(0, at) + piece + text.slice(at + length));
}

describe('whatever the text, reading it ends with a tree or an error', () => {
  it.each([
    ['any text', fc.string({ unit: 'binary', maxLength: 200 })],
    ['pieces of a manifest', pieces(MANIFEST)],
    ['a damaged manifest', damaged(MANIFEST)],
    ['a damaged template', damaged(TEMPLATE)],
  ])('%s', (_name, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        read(parseManifest, text);
        read(parseEpp, text);
      }),
      { numRuns: 500 },
    );
  });

  it('reads the good ones', () => {
    expect(() => parseManifest({ file: '', text: MANIFEST })).not.toThrow();
    expect(() => parseEpp({ file: '', text: TEMPLATE })).not.toThrow();
  });

  it.each([
    '/*'.repeat(50_000),
    '@('.repeat(50_000),
    "'".repeat(99_999),
    '\\'.repeat(99_999),
    '"\\'.repeat(50_000),
  ])('takes no time for long repetitions (%#)', (text) => {
    read(parseManifest, text);
    read(parseEpp, text);
  });
});
