import { describe, expect, it } from 'vitest';
import { compileSnippet } from '../../../test/support/compile-snippet.ts';
import { stringify } from '../pcore/index.ts';

/** The value of the last expression as text. */
function text(code: string): string {
  return stringify(compileSnippet(code).value);
}

describe('arithmetic', () => {
  it('rounds down, as Ruby does', () => {
    expect(text('[7 / 2, -7 / 2, -7 % 3, 7 / 2.0]')).toBe('[3, -4, 2, 3.5]');
  });

  it('is exact up to 64 bits and an error beyond', () => {
    expect(text('9223372036854775806 + 1')).toBe('9223372036854775807');
    expect(() => text('9223372036854775807 + 1')).toThrow(
      "'+' expression resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000'",
    );
  });

  it('takes numbers in strings, with a warning', () => {
    const { value, logs } = compileSnippet("'0x10' + 1");

    expect(value).toBe(17);
    expect(logs).toEqual(["warning: The string '0x10' was automatically coerced to the numerical value 16"]);
  });

  it('names what it cannot compute', () => {
    expect(() => text("'a' + 1")).toThrow(
      "The value 'a' cannot be converted to Numeric. (line: 1, column: 1)",
    );
    expect(() => text('1 / 0')).toThrow('Division by 0 (line: 1, column: 5)');
  });
});

describe('collections', () => {
  it('are concatenated and reduced', () => {
    expect(text("[1] + 2 + [3] + { 'a' => 4 }")).toBe('[1, 2, 3, [a, 4]]');
    expect(text("{ 'a' => 1, 'b' => 2 } - 'a' + { 'c' => 3 }")).toBe('{b => 2, c => 3}');
    expect(text('[1, 2, 2, 3] - 2')).toBe('[1, 3]');
    expect(text("['i1', 'f1', 'x i2'] - ['f1', 'x f2']")).toBe('[i1, x i2]');
    expect(text("[1, 1.5, [2.0], { 'a' => 1.0 }, { 1 => 2 }] - [1.0, [2], { 'a' => 1 }, { 1.0 => 2 }]")).toBe(
      '[1.5, {1 => 2}]',
    );
  });

  it('are sliced from either end', () => {
    expect(text('[1, 2, 3, 4][1, -1]')).toBe('[2, 3, 4]');
    expect(text("'hello'[-3, 2]")).toBe('ll');
    expect(text("{ 'a' => 1, 'b' => 2 }['b', 'x', 'a']")).toBe('[2, 1]');
  });

  it('unfold with a star', () => {
    expect(text("[*[1, 2], *{ 'a' => 3 }, *undef]")).toBe('[1, 2, [a, 3]]');
  });
});

describe('matching', () => {
  it('tries options of a case in turn: types, expressions, values, structures', () => {
    const code = (value: string): string =>
      `case ${value} { /^a(.)/: { $1 } Integer[1, 3]: { 'small' } [1, default]: { 'pair' } default: { 'none' } }`;

    expect(text(code("'abc'"))).toBe('b');
    expect(text(code('2'))).toBe('small');
    expect(text(code('[1, 5]'))).toBe('pair');
    expect(text(code('true'))).toBe('none');
  });

  it('needs an entry of a selector', () => {
    expect(() => text("'x' ? { 'y' => 1 }")).toThrow(
      "No matching entry for selector parameter with value 'x'",
    );
  });
});

describe('functions in the Puppet language', () => {
  it('take defaults and the rest', () => {
    expect(text('function f($a, $b = $a * 2, *$c) { [$a, $b, $c] } f(1) + f(1, 2, 3, 4)')).toBe(
      '[1, 2, [], 1, 2, [3, 4]]',
    );
  });

  it('say what they expect', () => {
    expect(() => text("function f(Integer $a) { } f('x')")).toThrow(
      "'f' parameter 'a' expects an Integer value, got String",
    );
    expect(() => text('function f($a) { } f()')).toThrow("'f' expects 1 argument, got none");
    expect(() => text("function f() >> Integer { 'x' } f()")).toThrow(
      'value returned from f has wrong type, expects an Integer value, got String',
    );
  });

  it('are left by return, from inside lambdas, too', () => {
    expect(text('function f() { [1, 2].each |$x| { return($x) } 3 } f()')).toBe('1');
    expect(() => text('return(1)')).toThrow('return() from context where this is illegal');
  });
});

describe('templates', () => {
  it('take parameters', () => {
    expect(text("inline_epp('<%- | $a, $b = 2 | -%><%= $a %>-<%= $b %>', { 'a' => 1 })")).toBe('1-2');
    expect(() => text("inline_epp('<%- | Integer $a | -%>', { 'a' => 'x' })")).toThrow(
      "lambda: parameter 'a' expects an Integer value, got String",
    );
  });

  it('are sensitive when a part of them is', () => {
    expect(text('inline_epp(\'<%= Sensitive("x") %>\')')).toBe('Sensitive [value redacted]');
  });

  it('of modules see global variables only', () => {
    const modules = { 'm/templates/t.epp': '<%= $top %>[<%= $local %>]' };

    const { value } = compileSnippet("$top = 't' $r = [1].map |$local| { epp('m/t.epp') } $r[0]", {
      modules,
    });

    expect(value).toBe('t[]');
  });
});
