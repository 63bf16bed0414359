import { describe, expect, it } from 'vitest';
import { dump, PuppetError, parseEpp, parseExpression, parseManifest } from '../index.ts';

function tree(text: string): string {
  return dump(parseManifest({ file: '', text }));
}

function template(text: string): string {
  return dump(parseEpp({ file: '', text }));
}

function mistake(text: string, file = ''): string {
  try {
    parseManifest({ file, text });
  } catch (error) {
    if (error instanceof PuppetError) return error.message;
    throw error;
  }
  return 'none';
}

// What `puppet parser dump` of Puppet 7.23 prints.
describe('the tree of an expression', () => {
  it.each([
    ['1 + 2 * 3 - 4', '(- (+ 1 (* 2 3)) 4)'],
    ['!$a == $b and $c or $d', '(or (and (== (! (var "a")) (var "b")) (var "c")) (var "d"))'],
    ['-1[0] in [1]', '(in (- (access 1 0)) (array 1))'],
    ['$a = $b = 1', '(= (var "a") (= (var "b") 1))'],
    ['$a ? { 1 => 2, default => 3 } + 1', '(+ (? (var "a") [(=> 1 2) (=> (default) 3)]) 1)'],
    ['0x1F + 017 + 1e3', '(+ (+ (int {:radix 16 :value 31}) (int {:radix 8 :value 15})) 1000.0)'],
    [
      "foo('a' => 1, b => 2, 3)",
      '(invoke {:functor (qn "foo") :args [(hash (=> "a" 1) (=> (qn "b") 2)) 3]})',
    ],
    [
      '$a.each |Integer $x, *$y| { notice $x }',
      '(call-method {:functor (. (var "a") (qn "each")) :args [] :block (lambda {:params {:x {:type (qr "Integer")} :y {:splat true}} :body [(invoke {:functor (qn "notice") :args [(var "x")]})]})})',
    ],
    ['$a / 2 =~ /x\\/y/', '(/ (var "a") (=~ 2 (regexp "x/y")))'],
  ])('%s', (text, expected) => {
    expect(tree(text)).toBe(expected);
  });

  it('takes a bracket after white space for the start of an array', () => {
    expect(tree('notice $a [1]')).toBe(
      '(block (invoke {:functor (qn "notice") :args [(var "a")]}) (array 1))',
    );
    expect(tree('notice $a[1]')).toBe('(invoke {:functor (qn "notice") :args [(access (var "a") 1)]})');
  });

  it('reads a single expression, and nothing but', () => {
    expect(dump(parseExpression('Array[String, 1]'))).toBe('(access (qr "Array") (qr "String") 1)');
    expect(() => parseExpression('1 2')).toThrow("Syntax error at '2' (line: 1, column: 3)");
  });
});

describe('strings', () => {
  it.each([
    ['"a${b}c$d"', '(concat "a" (str (var "b")) "c" (str (var "d")))'],
    [
      '"${if}${x[1]}${y.z}${f(1)}"',
      '(concat (str (var "if")) (str (access (var "x") 1)) (str (call-method {:functor (. (var "y") (qn "z")) :args []})) (str (call {:functor (qn "f") :args [1]})))',
    ],
    ["'a\\'b\\\\c\\n'", '"a\'b\\\\c\\\\n"'],
    ['"\\t\\u00e9\\u{1F600}\\$x"', '"\\té😀$x"'],
    ['"$ {a} $"', '"$ {a} $"'],
    ['$x = @(END)\n  a\n    b\n  | END\n', '(= (var "x") (heredoc {:text "a\\n  b\\n"}))'],
    [
      '$x = @("END"/L)\n  a $b \\\n  c\n  |- END\n',
      '(= (var "x") (heredoc {:text (concat "a " (str (var "b")) " c")}))',
    ],
    [
      'f(@(A), @(B:json))\na\n| A\n{}\n| B\n',
      '(invoke {:functor (qn "f") :args [(heredoc {:text "a\\n"}) (heredoc {:syntax "json" :text "{}\\n"})]})',
    ],
  ])('%s', (text, expected) => {
    expect(tree(text)).toBe(expected);
  });
});

describe('resources and definitions', () => {
  it.each([
    [
      "file { 'a': mode => '1'; 'b': * => $x }",
      '(resource {:type (qn "file") :bodies [{:title "a" :ops [(=> "mode" "1")]} {:title "b" :ops [(splat-hash (var "x"))]}]})',
    ],
    [
      "@@file { default: ; 'b': }",
      '(resource {:type (qn "file") :bodies [{:title (default) :ops []} {:title "b" :ops []}] :form "exported"})',
    ],
    ['File { mode => 1 }', '(resource-defaults {:type (qr "File") :ops [(=> "mode" 1)]})'],
    [
      "File['a'] { mode +> 1 }",
      '(resource-override {:resources (access (qr "File") "a") :ops [(+> "mode" 1)]})',
    ],
    [
      'File <| a == 1 and b != 2 |> { c => 3 }',
      '(collect {:type (qr "File") :query (virtual-query (and (== (qn "a") 1) (!= (qn "b") 2))) :ops [(=> "c" 3)]})',
    ],
    [
      'class { x: } -> Foo[y]',
      '(-> (resource {:type (qn "class") :bodies [{:title (qn "x") :ops []}]}) (access (qr "Foo") (qn "y")))',
    ],
    ['node a.b, /c/, default { }', '(node {:matches ["a.b" (regexp "c") (default)]})'],
    [
      'type A = B { x => 1 }',
      '(type-alias "A" (access (qr "Object") (hash (=> (qn "x") 1) (=> (qn "parent") (qr "B")))))',
    ],
    [
      'function f($a = 1) >> Integer { $a }',
      '(function {:name "f" :params {:a {:value 1}} :body [(var "a")] :returns (qr "Integer")})',
    ],
  ])('%s', (text, expected) => {
    expect(tree(text)).toBe(expected);
  });

  it('lists definitions by their full names, inner ones first', () => {
    const { definitions } = parseManifest({
      file: '',
      text: 'class A { class b { define c { } } } define d { }',
    });

    expect(definitions.map((definition) => ('name' in definition ? definition.name : ''))).toEqual([
      'a::b::c',
      'a::b',
      'a',
      'd',
    ]);
  });
});

describe('templates', () => {
  it.each([
    ['a <%= $b -%>\nc', '(lambda {:body [(epp (render-s "a ") (render (var "b")) (render-s "c"))]})'],
    [
      '<%- | $a, $b = 1 | -%>\n<% if $a { -%>x<% } %>',
      '(lambda {:params {:a {} :b {:value 1}} :body [(epp (if {:test (var "a") :then [(render-s "x")]}))]})',
    ],
    ['<%# no %>a<%% b %%>', '(lambda {:body [(epp (render-s "a<% b %>"))]})'],
    [
      "<%= { 'a' => 1 }['a'] * 2 %>",
      '(lambda {:body [(epp (render (* (access (hash (=> "a" 1)) "a") 2)))]})',
    ],
    ['', '(lambda {:body [(epp)]})'],
  ])('%s', (text, expected) => {
    expect(template(text)).toBe(expected);
  });

  it('tell of tags that are not closed', () => {
    expect(() => template('a <% b')).toThrow('Unbalanced epp tag, reached <eof> without closing tag.');
    expect(() => template('a <%# b')).toThrow('Reaching end after opening <%# without seeing %>');
  });
});

describe('mistakes', () => {
  it.each([
    ['class a {', 'Syntax error at end of input (file: /a.pp)'],
    ['$a = 1\n$é = 2', "Syntax error at '' (file: /a.pp, line: 2, column: 2)"],
    ['notice(1))', "Syntax error at ')' (file: /a.pp, line: 1, column: 10)"],
    ['$x = "a', "Unclosed quote after '\"' followed by 'a...' (file: /a.pp, line: 1, column: 7)"],
    ['089', 'Not a valid octal number 089 (file: /a.pp, line: 1, column: 1)'],
    ['/* x', 'Unclosed multiline comment (file: /a.pp, line: 1, column: 1)'],
    ['$a = @(X)\nfoo\n', 'Heredoc without end-tagged line (file: /a.pp, line: 2, column: 1)'],
    ['$a = Foo::bar', 'Illegal class reference (file: /a.pp, line: 1, column: 10)'],
    [
      'foo 1, 2',
      "attempt to pass argument list to the function 'foo' which cannot be called without parentheses (file: /a.pp, line: 1, column: 6)",
    ],
    [
      "$a { 'x': } { a => 1 }",
      'Expression is not valid as a resource, resource-default, or resource-override (file: /a.pp, line: 1, column: 1)',
    ],
    ["'a' =~ /(/", 'end pattern with unmatched parenthesis: /(/'],
  ])('%s', (text, expected) => {
    expect(mistake(text, '/a.pp')).toBe(expected);
  });

  it('count columns in characters', () => {
    expect(mistake("'😀' )")).toBe("Syntax error at ')' (line: 1, column: 5)");
  });

  it('point into heredocs as if they were not cut', () => {
    expect(mistake('$x = @("E")\n    ab\n    ${1 +}\n    | E\n')).toBe(
      "Syntax error at '\n' (line: 3, column: 11)",
    );
  });

  it('come instead of an exhausted stack', () => {
    const deep = 'The code is nested too deeply';

    expect(mistake('['.repeat(100_000))).toContain(deep);
    expect(mistake('!'.repeat(100_000))).toContain(deep);
    expect(mistake(`1${' + 1'.repeat(100_000)}`)).toContain(deep);
    expect(mistake('"${'.repeat(100_000))).toContain(deep);
    expect(mistake(`if 1 {}${' elsif 1 {}'.repeat(100_000)}`)).toContain(deep);
    expect(mistake('@'.repeat(99_999))).toContain(deep);
  });
});
