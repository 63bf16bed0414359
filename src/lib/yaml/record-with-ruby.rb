# Records what Ruby's safe YAML loader makes of the texts below: ruby record-with-ruby.rb > recorded.json
# frozen_string_literal: true

require 'yaml'
require 'json'

def plain(value)
  case value
  when Float then { 'float' => value.to_s }
  when Symbol then { 'symbol' => value.to_s }
  when Integer then { 'integer' => value.to_s }
  when String
    value.encoding == Encoding::ASCII_8BIT ? { 'binary' => [value].pack('m0') } : value
  when Array then value.map { |item| plain(item) }
  when Hash then { 'map' => value.map { |key, item| [plain(key), plain(item)] } }
  else value
  end
end

SCALARS = %w[
  1e3 1.5e3 1.5e+3 0o17 0x1F 012 1_000 +1 -0 .5 1. 1.0 y n Y N ~ null Null NULL nULL .inf -.inf +.INF .nan .NaN 12:30:45
  1:30 -1:30 1:30.5 1:2:3:4 99:99 = 08 09 0b11 -0b11 0b2 2001-01-01 2001-1-1 2001-13-01 1,000 1,2,3 -.5 :foo ::foo :foo:bar a:b
  é inf 1__0 0_1 +0x1f 0x_ 0b_ +. . - -. 1,0.5 .e3 1.e+3 .e+3 yes No ON off tRue FALSE true_ False1 trueish
  9007199254740991 9007199254740993 -9223372036854775808 99999999999999999999 1.7976931348623157e+309 00 0 -0.0 1.0.0 10.0.0.1
  1-2 20200101 12e03 0x 0xg 1a a1 _1 1_ 1_000_ +a -a /a \\a ;a ~a <a <<a (a) a=b ^ $1 1:60 1:5 1:05 0:0 2020-01-01T00:00:00Z
  2001-12-14t21:59:43.10-05:00 tru nil None 1_000.5 1__000.5 0.1_5 1,5.5 +12:30 1e+3 1E3 1.0e3 1.0E+3 1.0e-5 +.5 +1. 0777 0_7 0,7 08.5
  ./a ../b .foo ..a
].freeze
TEXTS = SCALARS + SCALARS.first(60).map { |s| "k: #{s}" } + [
  '', '# only', '---', "--- \n...\n", "---\na: 1\n---\nb: 2\n", "%YAML 1.1\n---\na: yes\n", "\xEF\xBB\xBFa: 1".dup.force_encoding('UTF-8'),
  "a: 1\na: 2\n", "{a: 1, a: 2}", "1: a\n1.0: b\n'1': c\n1: d\n", "yes: a\ntrue: b\n", ":a: 1\n:a: 2\na: 3\n", "1.5: a\n1.5: b\n",
  "? [1, 2]\n: a\n? [1, 2]\n: b\n", "? {x: 1}\n: a\n", "~: a\n: b\n", "a:\n", "a: \n  - \n  - x\n", "- - 1\n  - 2\n- 3\n",
  "a: &x {b: 1}\nc: *x\n", "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  b: 3\n", "a: &x {b: 1, c: 2}\nd:\n  b: 3\n  <<: *x\n",
  "d:\n  <<: [{a: 1, b: 2}, {b: 3, c: 4}]\n", "d:\n  <<: 5\n", "d:\n  <<: [1]\n", "d:\n  \"<<\": {a: 1}\n", "<<: {a: 1}\nb: 2\n",
  "a: *nope\n", "&a [1, *a]", "a: !!str 1\nb: !!int '5'\nc: !!float 1\nd: !!binary YWJj\ne: ! 5\nf: !!str\n",
  "a: !!float '1.5'\n", "a: !!int abc\n", "a: !foo 5\n", "a: !foo [1]\n", "a: !foo {b: 1}\n", "a: !ruby/sym x\n", "a: !ruby/symbol 'x y'\n",
  "a: !ruby/object:Foo {}\n", "a: !ruby/regexp /x/\n", "a: !!set {a, b}\n", "a: !!omap [a: 1, b: 2]\n", "a: !!null x\n", "a: !!bool yes\n",
  "a: !!timestamp 2001-01-01\n", "a: !ruby/range 1..2\n", "a: !ruby/hash:Foo {}\n", "a: 2001-01-01 10:00:00\n", "a: 2001-01-01\n",
  "a: '2001-01-01'\n", "a: |\n  x\n   y\n\n  z\n", "a: |-\n  x\n", "a: |+\n  x\n\n", "a: >\n  x\n  y\n\n  z\n   w\n  v\n", "a: >-\n  x\n  y\n",
  "a: |2\n   x\n", "a: x\n  y\n  z\n", "a: 1\n  2\n", "a: 'x\n  y'\n", "a: \"x\\\n  y\\n\\t\\u00e9\\x41\\0\"\n", "a: \"\\u263a \\U0001F600\"\n",
  "a: 'it''s'\n", "a: b # c\n", "a: b#c\n", "a: '#'\n", "[a, b, [c, {d: e}], 'f', \"g\", ~, 1.5]", "{a: , b: c, 'd': e}", "{a, b: 1}", "[a: 1, b]",
  "{a: {}, b: []}", "a: - b\n", "a: b: c\n", "a: [1\n", "a: {b: 1\n", "a: \"b\n", "a: 'b\n", "a:\n\t- b\n", "a: @x\n", "a: `x\n", "a: %x\n",
  "a: |\n  x\n y\n", "a:\n  b: 1\n c: 2\n", "x: 0\na:\n  - b\n c\n", "a: 1\nb\nc: 2\n", "a: 1\n  b: 2\n", "- a\nb: c\n", "a: ]\n", "key: value\n  other: x\n",
  "a: 1\n}\n", "a:\n  b:\n    c: 1\n   d: 2\n", "? a\n: b\n", "a  : 1\n", "a: b:c\nd: e\n", "a: http://x/y?z=1\n", "a: *x y\n", "é: ü\n", "a: \"\\q\"\n",
  "'a': 1\n\"b\": 2\n", "a: :sym\n:key: v\n\":q\": v\n", "a: ':x'\n", "- :a\n- :'b c'\n- :\"d\"\n", "a: null\nb: ~\nc:\n", "a: \"\"\nb: ''\n",
  "a: !!binary |\n  YWJj\n  ZGVm\n", "x: &s text\ny: *s\n", "x: &n 5\ny: [*n, *n]\n", "--- text\n", "--- |\n  text\n", "---\n- a\n...\n", "a: 1 \nb: 2\t\n",
  "a: 'b' c\n", "a:b\n", "a: b\n\n\n# x\n\nc: d\n", "- a\n-b\n", "-\n  a: 1\n-\n  b: 2\n", "a:\n- b\n- c\nd: e\n", "a: |\n\n\n  x\n", "a: >\n\n  x\n",
  "profile::x: '%{facts.a}'\n", "a: %{facts.x}\n", "a: \"%{lookup('b')}\"\n", "a: ENC[PKCS7,MIIB]\n", "a: >\n  ENC[PKCS7,MI\n  IB]\n", "0: a\n00: b\n", "a: {b: c}\n",
  "a: [b c, d e]\n", "a: [b, ]\n", "a: {b: c, }\n", "a: [ , ]\n", "a: - \n", "? \n", "!!map {a: 1}\n", "!!seq [a]\n", "a: !!str {b: 1}\n", "a: &x\nb: *x\n",
  "a: 08\nb: 010\nc: 0o10\nd: 0x10\ne: 0b10\n", "a: 1_0\nb: 1_0.5\n", "mode: 0644\nmode2: '0644'\n", "v: 1.10\nw: 1.2.3\n", "t: 12:30\n", "on: on\noff: off\n",
].freeze

# Texts with mistakes, and some that only look like it.
BROKEN = JSON.parse(File.read("#{__dir__}/broken-texts.json")).freeze

recorded = (TEXTS + BROKEN).map do |text|
  data = YAML.safe_load(text, permitted_classes: [Symbol], aliases: true, filename: '/f.yaml')
  { 'text' => text, 'value' => plain(data) }
rescue SystemStackError
  { 'text' => text, 'value' => nil, 'recursive' => true }
rescue Psych::DisallowedClass => e
  { 'text' => text, 'error' => "(/f.yaml): #{e.message}" }
rescue StandardError, Psych::Exception => e
  { 'text' => text, 'error' => e.message }
end
puts "[\n#{recorded.map { |item| JSON.generate(item) }.join(",\n")}\n]"
